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

  /** Of a search: when Enter was pressed, the search sent to the worker, the first match shown, the end received; and how many match. */
  bench.search = null;
  let endSearch = () => {};
  bench.expectSearch = () => {
    bench.search = { entered: null, asked: null, found: null, ended: null, count: null, why: null };
    bench.search.done = new Promise((resolve) => (endSearch = resolve));
  };
  const noteSearch = ({ searched, not_searched: failed }) => {
    if (!bench.search || !(searched || failed)) return;
    Object.assign(bench.search, { ended: performance.now(), count: searched?.count ?? null, why: failed?.why ?? null });
    endSearch();
  };
  addEventListener(
    "keydown",
    ({ key, timeStamp }) => {
      if (key === "Enter" && bench.search) bench.search.entered = timeStamp;
    },
    { capture: true },
  );

  /** Scrolls the list of records to a part of its height. Resolves when the records there have been painted. */
  bench.jump = (place) =>
    new Promise((resolve) => {
      const list = document.querySelector("[data-testid=record-list]");
      const [start, before] = [performance.now(), list.scrollTop];
      const look = new MutationObserver(() => {
        const rows = [...list.querySelectorAll("[data-testid=record]")];
        const isShown = (row) => row.querySelector(".record-words:not(.waiting)") !== null;
        if (rows.length === 0 || list.scrollTop === before || !rows.every(isShown)) return;
        look.disconnect();
        const record = Number(rows[Math.floor(rows.length / 2)].dataset.record);
        painted(() => resolve({ ms: performance.now() - start, record }));
      });
      look.observe(list, { subtree: true, childList: true });
      list.scrollTop = place * (list.scrollHeight - list.clientHeight);
    });

  const note = ({ data }) => {
    const told = performance.now();
    let { event } = data;
    if (typeof event === "string") {
      // Parsing the others would disturb what is measured.
      if (!/^\{"(ready|died|report|searched|not_searched)"/.test(event)) return;
      event = JSON.parse(event);
    }
    if (event.ready) bench.ready = true;
    if (event.died) {
      bench.died = event.died.message;
      end();
    }
    noteSearch(event);
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
      if (bench.search && typeof command === "string" && command.startsWith('{"search"')) bench.search.asked ??= performance.now();
      return super.postMessage(message, ...rest);
    }
  };

  for (const type of ["drop", "change"]) {
    addEventListener(type, (event) => (bench.dropped = event.timeStamp), { capture: true });
  }

  /** Calls back when what is in the page now has been painted. */
  const painted = (then) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });
  };
  /** Records the time of that. */
  const notePainted = (noted, key, then = () => {}) => {
    noted[key] = 0;
    painted(() => {
      noted[key] = performance.now();
      then();
    });
  };
  const seen = (testid) => document.querySelector(`[data-testid=${testid}]`) !== null;
  new MutationObserver(() => {
    if (bench.asked !== null && bench.found === null && seen("finding")) notePainted(bench, "found");
    if (bench.told !== null && bench.shown === null && seen("verdict")) notePainted(bench, "shown", () => end());
    if (bench.search && bench.search.asked !== null && bench.search.found === null && seen("hit")) notePainted(bench.search, "found");
  }).observe(document, { subtree: true, childList: true });
}
