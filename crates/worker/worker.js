// Begins. The first message brings the engine, which was compiled once for all workers; from then on the engine talks to
// the page by itself. Beside it comes the catalogue, which only people read: it is no part of the engine, and goes back to the
// page in Event::Ready. A helper gets none, because nobody asks it.
self.onmessage = async ({ data: { engine, catalogue } }) => {
  self.onmessage = null;
  try {
    await wasm_bindgen({ module_or_path: engine });
    if (!catalogue) return;
    postMessage({ event: { ready: { catalogue } } });
    const examples = catalogue.formats.flatMap(({ id, examples }) =>
      examples.map(({ file_name, content }) => ({ format: id, name: file_name, content: content.text ?? content.bytes })),
    );
    wasm_bindgen.getReady(examples, await deflate(JSON.stringify(catalogue)));
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};

// A text as a stream to be inflated; none where the browser knows no raw deflate.
async function deflate(text) {
  try {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    return new Uint8Array();
  }
}

// Starts workers of this kind that help this one: `helpers.start()`. They are made of the same script, which this worker was
// started from, and so the page's policy holds for them too.
const helpers = (() => {
  const policy = self.trustedTypes?.createPolicy("evalcheck", { createScriptURL: (url) => url });
  const script = policy ? policy.createScriptURL(self.location.href) : self.location.href;
  return { start: (name) => new Worker(script, { name }) };
})();
