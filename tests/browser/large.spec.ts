// A file of 300 MB, which neither the page nor the worker may hold.

import { readFileSync } from "node:fs";
import { stat, truncate } from "node:fs/promises";
import { join } from "node:path";

import type { Browser } from "@playwright/test";

import { expect, test } from "./support/app.ts";
import { sample, writeLines } from "./support/files.ts";

// As many records as the system takes, so that the size is all that is special.
const RECORDS = 48_000;
const FILLER = "The quick brown fox jumps over the lazy dog. ".repeat(139);
const MIB = 1 << 20;

// One after the other: they share the file, and measure.
test.describe.configure({ mode: "default", timeout: 120_000 });

let path: string;

test.beforeAll(async ({ workerFolder }) => {
  path = join(workerFolder, "large.jsonl");
  await writeLines(path, RECORDS, (number) => sample(number === RECORDS ? "the last record" : `${number} ${FILLER}`));
  expect((await stat(path)).size).toBeGreaterThan(300e6);
});

/** Notes every state of the progress bar, and does something when the bar passes a share of 100. */
interface Watched {
  percents: number[];
  texts: string[];
  started: number;
  stopped: number;
  ended: number;
}

function watch(stopAt: number | null): void {
  const seen: Watched = { percents: [], texts: [], started: 0, stopped: 0, ended: 0 };
  (globalThis as unknown as { watched: Watched }).watched = seen;
  const observer = new MutationObserver(() => {
    const panel = document.querySelector("[data-testid=progress]");
    const bar = panel?.querySelector("progress");
    if (panel && bar) {
      seen.started ||= performance.now();
      if (seen.percents.at(-1) !== bar.value) {
        seen.percents.push(bar.value);
        seen.texts.push(panel.textContent ?? "");
      }
      if (stopAt !== null && bar.value >= stopAt && !seen.stopped) {
        seen.stopped = performance.now();
        panel.querySelector<HTMLElement>("[data-testid=cancel]")?.click();
      }
    }
    if (document.querySelector("[data-testid=verdict]") && !seen.ended) seen.ended = performance.now();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

const watched = (): Watched => (globalThis as unknown as { watched: Watched }).watched;

/** The memory of the largest renderer in bytes, where the system tells (Linux). */
async function rendererMemory(browser: Browser): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]);
  return Math.max(...sizes.map((size) => Number(size ?? 0) * 1024));
}

test("300 MB: progress, verdict, memory, and the way to the last line", async ({ app, page, browser }) => {
  await app.open();
  await app.example("juryarena/minimal").click();
  await app.expectVerdict("valid");
  await page.evaluate(watch, null);
  const before = await rendererMemory(browser);
  await app.choose(path);
  await expect(app.verdict).toContainText("large.jsonl", { timeout: 60_000 });
  await app.expectVerdict("valid");
  const after = await rendererMemory(browser);
  await expect(app.count("records")).toHaveText("48,000");
  await expect(app.count("valid")).toHaveText("48,000");

  const seen = await page.evaluate(watched);
  expect(seen.percents.length, "the bar moves").toBeGreaterThan(4);
  expect(seen.percents).toEqual([...seen.percents].sort((a, b) => a - b));
  const texts = seen.texts.join("\n");
  expect(texts).toMatch(/of 30\d(\.\d)? MB/);
  expect(texts).toMatch(/[1-9][\d,]* records/);
  expect(texts).toMatch(/MB\/s|GB\/s/);
  if (before !== null && after !== null) expect(after - before).toBeLessThan(128 * MIB);
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
  );
  expect(heap).toBeLessThan(64 * MIB);

  await app.showLines();
  await expect(app.line(1)).toContainText("1 The quick brown fox");
  await app.goToLine(RECORDS);
  await expect(app.line(RECORDS)).toContainText("the last record");
  await app.line(RECORDS).click();
  await app.showSample();
  await expect(page.getByTestId("turn")).toContainText("the last record");
  await app.goToLine(24_000);
  await expect(app.line(24_000)).toContainText("24000 The quick");
});

test("300 MB: Cancel works at once, and what was not read is not called valid", async ({ app, page }) => {
  await app.open();
  await page.evaluate(watch, 10);
  await app.choose(path);
  await app.expectVerdict("not-checked", 30_000);
  const seen = await page.evaluate(watched);
  expect(seen.stopped).toBeGreaterThan(0);
  expect(seen.ended - seen.stopped).toBeLessThan(1_000);
  await expect(app.verdict).toContainText("Not checked");
  const records = Number((await app.count("records").innerText()).replaceAll(",", ""));
  expect(records).toBeGreaterThan(0);
  expect(records).toBeLessThan(RECORDS);
  const { report } = await app.downloadedReport();
  expect(report).toMatchObject({ valid: false, checked: false });
  expect((await app.copiedReport()).trimEnd().split("\n").at(-1)).toMatch(/^not checked: /);

  // What was read can be looked at, and the page is ready for the next file.
  await app.showLines();
  await expect(app.line(1)).toContainText("1 The quick brown fox");
  await app.choose({ name: "small.jsonl", content: sample("Hi") });
  await expect(app.verdict).toContainText("small.jsonl");
  await app.expectVerdict("valid");
});

test("a new file takes the place of one that is being checked", async ({ app, page }) => {
  await app.open();
  await page.evaluate(watch, null);
  await app.choose(path);
  await expect.poll(async () => (await page.evaluate(watched)).percents.length, { intervals: [10] }).toBeGreaterThan(0);
  await app.choose({ name: "small.jsonl", content: sample("Hi", "tool") });
  await expect(app.verdict).toContainText("small.jsonl");
  await app.expectVerdict("invalid");
  await expect(app.count("records")).toHaveText("1");
});

test("a file that is cut short while it is read is not checked", async ({ app, page, folder }) => {
  const own = join(folder, "shrinks.jsonl");
  await writeLines(own, RECORDS, (number) => sample(`${number} ${FILLER}`));
  await app.open();
  await page.evaluate(watch, null);
  await app.choose(own);
  await expect.poll(async () => (await page.evaluate(watched)).percents.length, { intervals: [10] }).toBeGreaterThan(0);
  await truncate(own, 1000);
  await app.expectVerdict("not-checked", 30_000);
  await expect(app.verdict).toContainText(/changed|shorter|not checked/i);
});
