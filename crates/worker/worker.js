// Starts the compiled engine of the first message; from then on the engine handles the messages of the page, or of the worker whose
// helper this is.
self.onmessage = async ({ data: { engine, onDemand, workers } }) => {
  // What comes while the engine is loaded waits for it.
  const early = [];
  self.onmessage = (event) => early.push(event);
  modules.from(onDemand);
  helpers.from(engine, onDemand, workers);
  try {
    evalcheckRest.of(await wasm_bindgen({ module_or_path: engine }), onDemand.rest);
    const handle = self.onmessage;
    // Commands that the engine handles without its rest. All others wait for it.
    const first = ["check", "cancel", "ping"];
    self.onmessage = (event) => {
      const { name, rest: late } = event.data;
      if (late !== undefined) evalcheckRest.add(late);
      else if (name === undefined || first.includes(name)) handle(event);
      else void evalcheckRest.waiting.then(() => handle(event));
    };
    for (const event of early) self.onmessage?.(event);
  } catch (error) {
    watch.died(`The engine could not be loaded: ${error}`);
  }
};
