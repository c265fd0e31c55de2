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
    /** What the page says then: how many records there are, and how many are invalid. */
    said: null,
    /** Resolves when the verdict is on the screen, or the engine has died. */
    ended: null,
    expect() {
      for (const key of ["dropped", "asked", "told", "found", "shown", "said"]) bench[key] = null;
      bench.ended = new Promise((resolve) => (end = resolve));
      if (bench.died !== null) end();
    },
  };
  let end = () => {};
  globalThis.bench = bench;

  // A question ends with its answer, or with `answer` if it failed. An earlier revision posts events of its own: `old` or `not_old`.
  const isSuccess = (name, answer, old) => name === answer || name === old;
  const isEnd = (name, answer, old) => isSuccess(name, answer, old) || name === "answer" || name === `not_${old}`;

  /** Of a search: when Enter was pressed, the search sent to the worker, the first match shown, the end received; and how many match. */
  bench.search = null;
  let endSearch = () => {};
  bench.expectSearch = () => {
    bench.search = { entered: null, asked: null, found: null, ended: null, count: null, why: null };
    bench.search.done = new Promise((resolve) => (endSearch = resolve));
  };
  const noteSearch = (name) => {
    if (!bench.search || !isEnd(name, "found", "searched")) return;
    bench.search.ended = performance.now();
    // Its last count is on the screen then.
    painted(() => {
      const status = text("search-status");
      Object.assign(bench.search, isSuccess(name, "found", "searched") ? { count: number(status) } : { why: status });
      endSearch();
    });
  };
  /** Of a comparison: when it was sent to the worker and its end received; how many records were added, removed and changed. */
  bench.comparison = null;
  let endComparison = () => {};
  bench.expectComparison = () => {
    bench.comparison = { asked: null, ended: null, sums: null, why: null };
    bench.comparison.done = new Promise((resolve) => (endComparison = resolve));
  };
  const noteComparison = (name) => {
    if (!bench.comparison || !isEnd(name, "comparison", "compared")) return;
    bench.comparison.ended = performance.now();
    painted(() => {
      const status = text("compare-status");
      const sums = ["added", "removed", "changed"].map((what) => number(status.match(`[\\d,]+ ${what}`)?.[0] ?? ""));
      Object.assign(bench.comparison, isSuccess(name, "comparison", "compared") ? { sums } : { why: status });
      endComparison();
    });
  };
  /** The milliseconds from a message to the worker to one of two from it, by their names. Rejects on the second. */
  bench.expectAnswer = (asked, done, failed) =>
    new Promise((resolve, reject) => {
      bench.answer = { asked, done, failed, start: null, resolve, reject };
    });
  const noteAnswer = (data) => {
    const { answer } = bench;
    if (!answer) return;
    if (data.name === answer.done) answer.resolve(performance.now() - answer.start);
    if (data.name === answer.failed) answer.reject(new Error(data.why));
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

  /** The name of a message. Of a revision before 828b78b1 it is the first key of the JSON in `field`. */
  const nameOf = (message, field) => message?.name ?? /^\{"(\w+)"/.exec(message?.[field])?.[1];
  const note = ({ data }) => {
    const name = nameOf(data, "event");
    if (name === "report") bench.told = performance.now();
    if (name === "ready") bench.ready = true;
    if (name === "died") {
      bench.died = data.message;
      end();
    }
    noteSearch(name);
    noteComparison(name);
    noteAnswer(data);
  };
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", note);
    }

    postMessage(message, ...rest) {
      if (nameOf(message, "command") === "check") bench.asked ??= performance.now();
      if (message?.name === "search" && bench.search) bench.search.asked ??= performance.now();
      if (bench.answer && message?.name === bench.answer.asked) bench.answer.start ??= performance.now();
      if (["comparison", "compare"].includes(message?.name) && bench.comparison) bench.comparison.asked ??= performance.now();
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
  const text = (testid) => document.querySelector(`[data-testid=${testid}]`)?.textContent ?? "";
  /** The first number in a text, whose digits are grouped. */
  const number = (text) => Number(text.match(/\d[\d,]*/)?.[0].replaceAll(",", "") ?? 0);
  const said = () => {
    const [, invalid = "", records = ""] = text("verdict").match(/([\d,]+) of ([\d,]+) records/) ?? [];
    return { records: number(records), invalid: number(invalid) };
  };
  new MutationObserver(() => {
    if (bench.asked !== null && bench.found === null && seen("finding")) notePainted(bench, "found");
    if (bench.told !== null && bench.shown === null && seen("verdict")) notePainted(bench, "shown", () => {
        bench.said = said();
        end();
      });
    if (bench.search && bench.search.asked !== null && bench.search.found === null && seen("hit")) notePainted(bench.search, "found");
  }).observe(document, { subtree: true, childList: true });
}
