// The rest of a module: functions that are not needed at first. The build moves them into a module of their own (xtask/src/build/split.rs),
// which is loaded later. Until it is there, a call of one of them loads it here, and waits. The page has this script for its own module, and
// worker.js for the engine.
"use strict";

globalThis.evalcheckRest = (() => {
  let first = null;
  let source = null;
  let module = null;
  let stopWaiting = null;
  const waiting = new Promise((resolve) => (stopWaiting = resolve));

  /** Says what the first module exports, and where the rest is. */
  function of(exports, url) {
    first = exports;
    source = url;
  }

  /** Puts the functions of the loaded rest into the slots of the first module's table. A module that is not split has no rest: `null`. */
  function add(compiled) {
    if (compiled && !module) {
      module = compiled;
      new WebAssembly.Instance(module, { first });
    }
    stopWaiting();
  }

  /** Loads it, and waits. The first module calls this in the middle of a function, so nothing else can happen meanwhile. */
  function loadNow() {
    const request = new XMLHttpRequest();
    request.open("GET", source, false);
    // A page that waits may only ask for text: with this encoding, the low byte of each character is a byte of the file.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw new Error(`${source}: the server responded with status ${request.status}`);
    add(new WebAssembly.Module(Uint8Array.from(request.responseText, (character) => character.charCodeAt(0))));
  }

  /** The compiled module, if it is loaded. */
  const compiled = () => module;

  return { of, add, loadNow, compiled, waiting };
})();
