// The longest task of the page's main thread while a file full of errors is checked and the list of findings is scrolled: all the
// time while it grows, and once more from top to bottom after the report. Milliseconds, from the browser's trace; `cpu`
// is the longest in processor time, which a busy machine does not stretch; `long` is what the page itself can observe (tasks of
// 50 ms or more).

import { verify } from "./pages.mjs";

/** Frames of the last way through the list. */
const FRAMES = 120;

export async function longestTask(bench, { file }, way) {
  await bench.close();
  const product = await bench.product(way);
  const browser = await bench.browser();
  await product.page.evaluate(observe);
  await browser.startTracing(product.page, { categories: ["toplevel", "__metadata"] });
  await product.drop(file.path);
  await product.page.evaluate(scroll);
  const noted = await product.done();
  await product.page.evaluate(scrollThrough, FRAMES);
  const tasks = mainThreadTasks(JSON.parse((await browser.stopTracing()).toString("utf8")));
  verify(noted, file);
  const long = await product.page.evaluate(() => globalThis.longTasks);
  const by = (what) => tasks.map((task) => task[what]).sort((a, b) => b - a);
  const [ms, ...next] = by("ms").slice(0, 5);
  await product.close();
  return { ms, next, cpu: by("cpu")[0], tasks: tasks.length, long };
}

function observe() {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
  }).observe({ type: "longtask" });
}

/** Scrolls with every frame until the report is there. */
async function scroll() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  let step = 0;
  while (!(globalThis.bench.shown > 0) && globalThis.bench.died === null) {
    const list = document.querySelector("[role=listbox]");
    if (list) {
      step = (step + 97) % 4000;
      list.scrollTop = step;
    }
    await frame();
  }
}

async function scrollThrough(frames) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const list = document.querySelector("[role=listbox][aria-label=Findings]");
  for (let step = 1; step <= frames; step += 1) {
    list.scrollTop = ((list.scrollHeight - list.clientHeight) * step) / frames;
    await frame();
  }
}

/** The tasks of the page's main thread: how long each took, and how much of it the processor worked. */
function mainThreadTasks({ traceEvents }) {
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents
    .filter(({ name, ph, pid, tid }) => ph === "X" && name.endsWith("RunTask") && main.has(`${pid}/${tid}`))
    .map(({ dur, tdur }) => ({ ms: dur / 1000, cpu: (tdur ?? 0) / 1000 }));
  if (tasks.length === 0) throw new Error("the trace names no task of a main thread");
  return tasks;
}
