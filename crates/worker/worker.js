// Starts the compiled engine of the first message; from then on the engine handles the messages of the page, or of the worker whose
// helper this is.
self.onmessage = async ({ data: { engine, onDemand, workers } }) => {
  // What comes while the engine is loaded waits for it.
  const early = [];
  self.onmessage = (event) => early.push(event);
  modules.from(onDemand);
  helpers.from(engine, onDemand, workers);
  try {
    await wasm_bindgen({ module_or_path: engine });
    for (const event of early) self.onmessage?.(event);
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};
