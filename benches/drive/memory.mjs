// How much the page's process grows while a file is checked, and how large WebAssembly memory is afterwards. In MiB;
// `growth` is null except on Linux.

import { readFileSync } from "node:fs";

import { verify } from "./pages.mjs";

const MIB = 2 ** 20;
const EVERY_MS = 10;
const IDLE_MS = 1500;

export async function memory(bench, { file }, way) {
  // A new browser, without what another page left behind.
  await bench.close();
  // One worker, so that the figure is the same on any number of cores.
  const page = await bench.product(`${way}-1`);
  const processes = await renderers(await bench.browser());
  const before = await during(processes, () => page.page.waitForTimeout(IDLE_MS));
  const within = await during(processes, async () => verify(await page.check(file.path), file));
  // Of the process that grew most, which is the page's and not a spare one.
  const growth = within && before ? Math.max(...within.map(({ most }, at) => most - before[at].median)) / MIB : null;
  const wasm = (await page.wasmMemory()) / MIB;
  await page.close();
  return { growth, wasm };
}

/** The processes of pages: the page's, and a spare one where the browser keeps it. */
async function renderers(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

/** Samples the memory of each of these processes while something happens. */
async function during(processes, happens) {
  if (process.platform !== "linux") {
    await happens();
    return null;
  }
  const seen = processes.map(() => []);
  const look = () => processes.forEach((id, at) => seen[at].push(resident(id)));
  const timer = setInterval(look, EVERY_MS);
  look();
  await happens();
  look();
  clearInterval(timer);
  return seen.map((sizes) => {
    const sorted = sizes.toSorted((a, b) => a - b);
    return { median: sorted[sorted.length >> 1], most: sorted.at(-1) };
  });
}

/** Bytes that a process has in memory. */
function resident(id) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
