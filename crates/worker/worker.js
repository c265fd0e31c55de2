// Loads the engine, which the first message brings compiled; from then on the engine talks to the page by itself. The
// catalogue is no part of this engine: it goes back to the page in Event::Ready.
self.onmessage = async ({ data: { engine, catalogue } }) => {
  self.onmessage = null;
  try {
    await wasm_bindgen({ module_or_path: engine });
    postMessage({ event: { ready: { catalogue } } });
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};
