// How much the page's process grows while a file is checked, and what WebAssembly memory there is afterwards. Gives bytes
// for each run; `growth` is null where the system does not tell (only Linux does).

import { readFileSync } from "node:fs";

import { verify } from "./bench.mjs";

const EVERY_MS = 10;
const IDLE_MS = 1500;

export async function memory(bench, { file, runs }) {
  bench.warm(file.path);
  const samples = [];
  for (let run = 0; run < runs; run += 1) {
    // A new browser: what another page has left behind is no part of this one.
    await bench.close();
    const page = await bench.product();
    const processes = await renderers(await bench.browser());
    const before = await during(processes, () => page.page.waitForTimeout(IDLE_MS));
    let noted;
    const within = await during(processes, async () => (noted = await page.check(file.path)));
    verify(noted, file);
    samples.push({
      // Of the process that grew most: where the browser has another ready, it is not the page's.
      growth: within && before ? Math.max(...within.map(({ most }, at) => most - before[at].median)) : null,
      wasm: await page.wasmMemory(),
      ms: noted.told - noted.asked,
    });
    await page.close();
  }
  return samples;
}

/** The processes of pages: with one page open, the page's and what the browser has ready for the next. */
async function renderers(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

/** Follows the memory of each of these processes while something happens. */
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
