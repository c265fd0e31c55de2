// The page of the other ways: hands the chosen file to a worker, as the product's page does, and measures the time from there to
// the answer.

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const answer = () => new Promise((resolve) => worker.addEventListener("message", ({ data }) => resolve(data), { once: true }));

await answer();

/** Sends the chosen file one way; returns milliseconds and what the worker says. */
globalThis.go = async (way, options) => {
  const [file] = document.querySelector("input").files;
  const start = performance.now();
  const done = answer();
  worker.postMessage({ way, file, options });
  const said = await done;
  if (said.error) throw new Error(said.error);
  return { ms: performance.now() - start, ...said };
};
