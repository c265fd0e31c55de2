// The rest of the engine: functions that no example of a format runs before its verdict. The build moves them into a module of their own
// (xtask/src/build/split.rs), which the page loads after the engine. Until it is there, a call of one of them loads it here, and waits.
// The engine refers to this object by its name: the build puts worker.js after this file.

const rest = (() => {
  let engine = null;
  let source = null;
  let module = null;
  let stopWaiting = null;
  const waiting = new Promise((resolve) => (stopWaiting = resolve));

  /** Says what the engine exports, and where the rest is. */
  function of(exports, url) {
    engine = exports;
    source = url;
  }

  /** Puts the functions of the loaded module into the slots of the engine's table. An engine that is not split has no rest: `null`. */
  function add(compiled) {
    if (compiled && !module) {
      module = compiled;
      new WebAssembly.Instance(module, { engine });
    }
    stopWaiting();
  }

  /** Loads it, and waits. The engine calls this in the middle of a function, so nothing else can happen meanwhile. */
  function loadNow() {
    const request = new XMLHttpRequest();
    request.open("GET", source, false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) throw new Error(`the rest of the engine: the server responded with status ${request.status}`);
    add(new WebAssembly.Module(request.response));
  }

  /** The compiled module, if it is loaded. */
  const compiled = () => module;

  return { of, add, loadNow, compiled, waiting };
})();
