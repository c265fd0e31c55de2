// Begins. The first message brings the engine, which was compiled once for all workers; from then on the engine talks to
// the page by itself. Beside it comes the catalogue, which only people read: it is no part of the engine, and goes back to the
// page in Event::Ready. A helper gets none, because nobody asks it.
self.onmessage = async ({ data: { engine, catalogue } }) => {
  self.onmessage = null;
  try {
    await wasm_bindgen({ module_or_path: engine });
    if (!catalogue) return;
    postMessage({ event: { ready: { catalogue } } });
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};

// Starts workers of this kind that help this one: `helpers.start()`. They are made of the same script, which this worker was
// started from, and so the page's policy holds for them too.
const helpers = (() => {
  const policy = self.trustedTypes?.createPolicy("evalcheck", { createScriptURL: (url) => url });
  const script = policy ? policy.createScriptURL(self.location.href) : self.location.href;
  return { start: (name) => new Worker(script, { name }) };
})();
