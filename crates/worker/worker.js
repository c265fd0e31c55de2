// Starts the compiled engine of the first message; from then on the engine handles the messages of the page.
self.onmessage = async ({ data: { engine, onDemand } }) => {
  self.onmessage = null;
  modules.from(onDemand);
  try {
    await wasm_bindgen({ module_or_path: engine });
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};
