// Many drops one after the other, of every kind and some of them cancelled: memory does not grow, and no worker is left over.
// `cargo xtask soak` drops a thousand.

import { readdirSync, readFileSync } from "node:fs";

import type { Browser, CDPSession, Page } from "@playwright/test";

import { DATASETS } from "../hostile/datasets.js";
import { expect, test, type App } from "./support/app.ts";
import { sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

const DROPS = Number(process.env.EVALCHECK_DROPS ?? 60);

/** The drop after which memory is measured for the first time: everything that is kept is there by then. */
const FIRST = Math.min(100, DROPS / 2);

/** What the page and its worker take, in bytes and counts. */
interface Taken {
  heap: number;
  nodes: number;
  listeners: number;
  /** The resident memory of the process; 0 where there is no /proc. */
  resident: number;
  workers: number;
  /** Threads of workers in the process. */
  threads: number;
}

async function measure(app: App, session: CDPSession, browser: Browser): Promise<Taken> {
  await app.page.getByTestId("start-over").click();
  await expect(app.page.getByTestId("drop-zone")).toBeVisible();
  for (let round = 0; round < 3; round += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = (await session.send("Runtime.getHeapUsage")) as {
    usedSize: number;
    backingStorageSize?: number;
  };
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  const { resident, threads } = await processOf(browser);
  return {
    heap: usedSize + (backingStorageSize ?? 0),
    nodes,
    listeners: jsEventListeners,
    resident,
    workers: app.page.workers().length,
    threads,
  };
}

/** The largest renderer. */
async function processOf(browser: Browser): Promise<{ resident: number; threads: number }> {
  if (process.platform !== "linux") return { resident: 0, threads: 1 };
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    try {
      const resident = 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0);
      const names = readdirSync(`/proc/${id}/task`).map((task) => readFileSync(`/proc/${id}/task/${task}/comm`, "utf8"));
      return { resident, threads: names.filter((name) => name.startsWith("DedicatedWorker")).length };
    } catch {
      // A spare renderer may have ended.
      return { resident: 0, threads: 0 };
    }
  });
  return renderers.reduce((a, b) => (b.resident > a.resident ? b : a));
}

/** Clicks Cancel as soon as there is progress. */
function cancelAtOnce(page: Page): Promise<void> {
  return page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const button = document.querySelector<HTMLElement>("[data-testid=cancel]");
      if (!button) return;
      observer.disconnect();
      button.click();
    });
    // The one before, if its check was too quick for it.
    const page = globalThis as unknown as { cancelling?: MutationObserver };
    page.cancelling?.disconnect();
    page.cancelling = observer;
    observer.observe(document, { subtree: true, childList: true });
  });
}

test(`memory after ${DROPS} drops is that after ${FIRST}`, async ({ app, page, browser, folder }) => {
  test.setTimeout(60_000 + DROPS * 3_000);
  const paths = [
    await write(folder, "good.jsonl", `${sample("Hi")}\n`.repeat(2_000)),
    await write(folder, "bad.jsonl", WRONG_ROLE_ON_LINE_12.repeat(300)),
    await write(folder, "long.jsonl", `${sample("x".repeat(4_000))}\n`.repeat(5_000)),
    await write(folder, "letter.txt", "Dear all,\nno dataset.\n"),
  ];
  for (const name of ["script", "HTML attached", "a PDF with scripts", "names of markup", "an image that is HTML too", "20,000 messages in a record"]) {
    const { file, bytes } = DATASETS.find((dataset) => dataset.name === name) as (typeof DATASETS)[number];
    paths.push(await write(folder, file, bytes()));
  }
  await app.open();
  const session = await page.context().newCDPSession(page);
  let first: Taken | null = null;
  for (let drop = 1; drop <= DROPS; drop += 1) {
    const path = paths[drop % paths.length] as string;
    const cancelled = drop % 7 === 0;
    if (cancelled) await cancelAtOnce(page);
    if (drop % 11 === 0) await app.input.setInputFiles(paths);
    else await app.choose(path);
    // Every fifth is replaced by the next before it has a verdict.
    if (drop % 5 === 0 && drop !== FIRST && drop !== DROPS) continue;
    await expect(page.locator("[data-testid=verdict], [data-testid=overview]:not([data-verdict=running])")).toBeVisible();
    if (await page.getByTestId("tab-sample").isVisible()) await page.getByTestId("tab-sample").click();
    if (drop === FIRST) first = await measure(app, session, browser);
  }
  const last = await measure(app, session, browser);
  console.log(`memory after ${FIRST} drops: ${JSON.stringify(first)}\nmemory after ${DROPS} drops: ${JSON.stringify(last)}`);
  if (!first) throw new Error("nothing was measured");
  expect(last.workers, "workers").toBe(1);
  expect(last.threads, "threads of workers").toBe(1);
  for (const what of ["heap", "nodes", "listeners", "resident"] as const) {
    // Before the hundredth drop the browser itself still grows.
    if (what === "resident" && FIRST < 100) continue;
    expect(last[what], what).toBeLessThanOrEqual(first[what] * 1.1);
  }
});
