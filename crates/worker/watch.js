// Reports the death of the engine to the page. In JavaScript, because after a trap (stack overflow, out of memory) no more
// code of the engine should run; so the last known place is kept outside of its memory.
// The engine refers to this object by its name: the build puts this file before the engine's script, and worker.js after it.

const watch = (() => {
  const last = { id: null, bytes: 0, line: 0 };
  let dead = false;

  /** Notes the progress of a check. The id -1 means that no check is running. */
  function note(id, bytes, line) {
    last.id = id < 0 ? null : id;
    last.bytes = bytes;
    last.line = line;
  }

  /** Posts `Event::Died` once, and ends the worker. */
  function died(message) {
    if (dead) return;
    dead = true;
    postMessage({ name: "died", message: String(message), ...last });
    self.onmessage = null;
    close();
  }

  addEventListener("error", (event) => died(event.message || event.error));
  addEventListener("unhandledrejection", (event) => died(event.reason));
  return { note, died };
})();
