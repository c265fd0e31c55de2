// Many drops one after the other, of every kind and some of them cancelled: memory does not grow, and no worker is left over.
// `cargo xtask soak` drops a thousand.

import { readdirSync, readFileSync } from "node:fs";

import type { Browser, CDPSession } from "@playwright/test";

import { DATASETS } from "../hostile/datasets.js";
import { sized } from "../suite.mjs";
import { expect, test, type App } from "./support/app.ts";
import { sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

const DROPS = Number(process.env.EVALCHECK_DROPS ?? sized(22, 60));

/** The drop after which memory is measured for the first time: everything that is kept is there by then. */
const FIRST = Math.min(100, DROPS / 2);

/**
 * What the view before takes, which the browser may have let go of by the first measurement and not by the last, or the other way
 * round. A thousand drops that leave behind 500 bytes or half an element each take more. The browser's own memory comes in steps. */
const A_VIEW = { heap: 500_000, nodes: 500, listeners: 15, resident: 32 << 20 };

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
  await expect(app.page.getByTestId("drop-zone")).toBeVisible();
  // What one collection frees lets go of more.
  for (let round = 0; round < 8; round += 1) {
    await app.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await session.send("HeapProfiler.collectGarbage");
  }
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

/**
 * Drops datasets from one number to another, each under a name of its own. Runs in the page, because what drives a browser from
 * outside leaves some hundred bytes in the page at every step. */
async function drop([from, to, most]: readonly [number, number, number]): Promise<void> {
  const one = (id: string) => document.querySelector<HTMLElement>(`[data-testid=${id}]`);
  const until = async (question: () => unknown) => {
    const end = performance.now() + 120_000;
    while (!question()) {
      if (performance.now() > end) throw new Error(`in vain: ${question}`);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  };
  const datasets = (globalThis as unknown as { datasets: File[] }).datasets;
  for (let number = from; number <= to; number += 1) {
    const named = (file: File) => new File([file], `${number}-${file.name}`);
    const file = named(datasets[number % datasets.length] as File);
    const several = number % 11 === 0;
    const data = new DataTransfer();
    for (const item of several ? datasets.map(named) : [file]) data.items.add(item);
    const cancelling = new MutationObserver(() => one("cancel")?.click());
    if (number % 7 === 0) cancelling.observe(document, { subtree: true, childList: true });
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    // Every fifth is replaced by the next before it has a verdict.
    const replaced = number % 5 === 0 && number !== to && number !== most;
    if (!replaced && several) await until(() => one("overview")?.dataset.verdict !== "running" && one("file")?.dataset.path?.startsWith(`${number}-`));
    if (!replaced && !several) await until(() => one("verdict")?.textContent?.includes(file.name));
    cancelling.disconnect();
    one("tab-sample")?.click();
  }
  one("start-over")?.click();
}

test(`memory after ${DROPS} drops is that after ${FIRST}`, async ({ app, page, browser }) => {
  test.setTimeout(60_000 + DROPS * 3_000);
  const files: [string, string][] = [
    ["good.jsonl", `${sample("Hi")}\n`.repeat(2_000)],
    ["bad.jsonl", WRONG_ROLE_ON_LINE_12.repeat(300)],
    ["long.jsonl", `${sample("x".repeat(4_000))}\n`.repeat(2_000)],
    ["letter.txt", "Dear all,\nno dataset.\n"],
  ].map(([name, text]) => [name as string, Buffer.from(text as string).toString("base64")]);
  for (const name of ["script", "HTML attached", "a PDF that opens addresses", "names of markup", "an image that is HTML too", "20,000 messages in a record"]) {
    const { file, bytes } = DATASETS.find((dataset) => dataset.name === name) as (typeof DATASETS)[number];
    files.push([file, bytes().toString("base64")]);
  }
  await app.open();
  await page.evaluate((files) => {
    const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    Object.assign(globalThis, { datasets: files.map(([name, text]) => new File([bytes(text)], name)) });
  }, files);
  const session = await page.context().newCDPSession(page);
  await page.evaluate(drop, [1, FIRST, DROPS] as const);
  const first = await measure(app, session, browser);
  await page.evaluate(drop, [FIRST + 1, DROPS, DROPS] as const);
  const last = await measure(app, session, browser);
  console.log(`memory after ${FIRST} drops: ${JSON.stringify(first)}\nmemory after ${DROPS} drops: ${JSON.stringify(last)}`);
  expect(last.workers, "workers").toBe(1);
  expect(last.threads, "threads of workers").toBe(1);
  for (const what of ["heap", "nodes", "listeners", "resident"] as const) {
    // Before the hundredth drop the browser itself still grows.
    if (what === "resident" && FIRST < 100) continue;
    expect(last[what], what).toBeLessThanOrEqual(first[what] * 1.1 + A_VIEW[what]);
  }
});
