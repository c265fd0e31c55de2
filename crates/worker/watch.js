// Tells the page when the engine dies. This is JavaScript because a trap (a stack overflow, no memory left) leaves the
// engine's memory in a state in which no more of its code should run; so the last known place is kept out here.
// The engine knows this object by its name: the build puts this file before the engine's, and worker.js after it.

const watch = (() => {
  const last = { job: null, bytes: 0, line: 0 };
  let dead = false;

  /** Notes how far the check has come. A job of -1 is none. */
  function note(job, bytes, line) {
    last.job = job < 0 ? null : job;
    last.bytes = bytes;
    last.line = line;
  }

  /** Posts `Event::Died`, once, and ends the worker: no more of the engine runs. */
  function died(message) {
    if (dead) return;
    dead = true;
    postMessage({ event: { died: { job: last.job, message: String(message), checked_bytes: last.bytes, line: last.line } } });
    self.onmessage = null;
    close();
  }

  addEventListener("error", (event) => died(event.message || event.error));
  addEventListener("unhandledrejection", (event) => died(event.reason));
  return { note, died };
})();
