// Starts the compiled engine of the first message; from then on the engine handles the messages of the page. The catalogue
// is loaded beside the engine, and goes back to the page in Event::Ready.
self.onmessage = async ({ data: { engine, catalogue } }) => {
  self.onmessage = null;
  try {
    await wasm_bindgen({ module_or_path: engine });
    postMessage({ event: JSON.stringify({ ready: { catalogue } }) });
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};
