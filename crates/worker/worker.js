// Starts the compiled engine of the first message; from then on the engine handles the messages of the page.
self.onmessage = async ({ data: { engine, regexes: module } }) => {
  self.onmessage = null;
  regexes.from(module);
  try {
    await wasm_bindgen({ module_or_path: engine });
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};
