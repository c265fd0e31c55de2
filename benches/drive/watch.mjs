// Runs in the product's page before its own code, and records when what happens. It does not change the page.

export function watch() {
  const bench = {
    ready: false,
    died: null,
    /** When the file was dropped or chosen, the check sent to the worker, the report received, the first finding and the verdict shown. */
    dropped: null,
    asked: null,
    told: null,
    found: null,
    shown: null,
    elapsed_ms: null,
    report: null,
    /** Resolves when the verdict is on the screen, or the engine has died. */
    ended: null,
    expect() {
      for (const key of ["dropped", "asked", "told", "found", "shown", "elapsed_ms", "report"]) bench[key] = null;
      bench.ended = new Promise((resolve) => (end = resolve));
      if (bench.died !== null) end();
    },
  };
  let end = () => {};
  globalThis.bench = bench;

  const note = ({ data }) => {
    const told = performance.now();
    let { event } = data;
    if (typeof event === "string") {
      // Parsing the others would disturb what is measured.
      if (!/^\{"(ready|died|report)"/.test(event)) return;
      event = JSON.parse(event);
    }
    if (event.ready) bench.ready = true;
    if (event.died) {
      bench.died = event.died.message;
      end();
    }
    if (!event.report) return;
    bench.told = told;
    const { report, elapsed_ms } = event.report;
    const { format, counts } = report;
    bench.elapsed_ms = elapsed_ms;
    bench.report = { format: format?.id ?? format, records: counts.records, invalid: counts.invalid, errors: counts.errors };
  };
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", note);
    }

    postMessage(message, ...rest) {
      const command = message?.command;
      if (typeof command === "string" ? command.startsWith('{"check"') : command?.check) bench.asked ??= performance.now();
      return super.postMessage(message, ...rest);
    }
  };

  for (const type of ["drop", "change"]) {
    addEventListener(type, (event) => (bench.dropped = event.timeStamp), { capture: true });
  }

  /** Records the time when what is in the page now has been painted. */
  const painted = (key, then = () => {}) => {
    bench[key] = 0;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        bench[key] = performance.now();
        then();
      };
      port2.postMessage(null);
    });
  };
  const seen = (testid) => document.querySelector(`[data-testid=${testid}]`) !== null;
  new MutationObserver(() => {
    if (bench.asked !== null && bench.found === null && seen("finding")) painted("found");
    if (bench.told !== null && bench.shown === null && seen("verdict")) painted("shown", () => end());
  }).observe(document, { subtree: true, childList: true });
}
