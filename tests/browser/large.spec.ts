// A file of 300 MB, which neither the page nor the worker may hold.

import { readFileSync } from "node:fs";
import { stat, truncate } from "node:fs/promises";
import { join } from "node:path";

import type { Browser } from "@playwright/test";

import { expect, test } from "./support/app.ts";
import { pack, read, sample, writeLines } from "./support/files.ts";

// As many records as the system takes, so that the size is all that is special.
const RECORDS = 48_000;
const FILLER = "The quick brown fox jumps over the lazy dog. ".repeat(139);
const MIB = 1 << 20;

/** A third of the file, and several times what a check needs: what a browser keeps for itself varies. */
const MOST_GROWTH = 100 * MIB;

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

/** Follows the memory of the page's process, the worker's included; only Linux tells. */
class Memory {
  private constructor(private readonly processes: number[]) {}

  static async of(browser: Browser): Promise<Memory> {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    return new Memory(processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id));
  }

  /** Bytes that the largest renderer has in memory; 0 where the system does not tell. */
  now(): number {
    if (process.platform !== "linux") return 0;
    const sizes = this.processes.map((id) => {
      try {
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0);
      } catch {
        // A spare renderer ends when it likes.
        return 0;
      }
    });
    return Math.max(...sizes) * 1024;
  }

  /** The most that it grows while something happens. */
  async growth(happens: () => Promise<void>): Promise<number> {
    const before = this.now();
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, this.now())), 10);
    await happens();
    clearInterval(timer);
    return Math.max(peak, this.now()) - before;
  }
}

test("300 MB: progress, verdict, memory, and the way to the last line", async ({ app, page, browser }) => {
  await app.open();
  await app.example("juryarena/minimal").click();
  await app.expectVerdict("valid");
  await page.evaluate(watch, null);
  const memory = await Memory.of(browser);
  const growth = await memory.growth(async () => {
    await app.choose(path);
    await expect(app.verdict).toContainText("large.jsonl", { timeout: 60_000 });
  });
  expect(growth, "the file is nowhere in memory").toBeLessThan(MOST_GROWTH);
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("48,000");
  await expect(app.count("valid")).toHaveText("48,000");

  const seen = await page.evaluate(watched);
  // It is told 5 times a second, and all may be over in half of one.
  expect(seen.percents.length, "the bar moves").toBeGreaterThan(1);
  expect(seen.percents.some((percent) => percent > 0 && percent < 100)).toBe(true);
  expect(seen.percents).toEqual([...seen.percents].sort((a, b) => a - b));
  const texts = seen.texts.join("\n");
  expect(texts).toMatch(/of 30\d(\.\d)? MB/);
  expect(texts).toMatch(/[1-9][\d,]* records/);
  expect(texts).toMatch(/MB\/s|GB\/s/);
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

test("300 MB in an archive are read as they are inflated", async ({ app, page, browser, folder }) => {
  const packed = await pack(folder, "large.zip", { "samples.jsonl": await read(path), "attachments/a.txt": "a" });
  await app.open();
  await app.example("juryarena/full").click();
  await app.expectVerdict("valid");
  const memory = await Memory.of(browser);
  const growth = await memory.growth(async () => {
    await app.choose(packed.path);
    await expect(app.verdict).toContainText("large.zip", { timeout: 60_000 });
  });
  expect(growth).toBeLessThan(MOST_GROWTH);
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("48,000");
  await app.showLines();
  await app.goToLine(RECORDS);
  await expect(app.line(RECORDS)).toContainText("the last record");
  await app.line(RECORDS).click();
  await app.showSample();
  await expect(page.getByTestId("turn")).toContainText("the last record");
});

test("a line of 40 MB with its mistake at the beginning", async ({ app, page, folder }) => {
  const own = join(folder, "long-line.jsonl");
  await writeLines(own, 3, (number) => (number === 2 ? sample("x".repeat(40e6), "tool") : sample("Hi")));
  await app.open();
  await app.choose(own);
  await app.expectVerdict("invalid", 30_000);
  await expect(app.verdict).toContainText("line 2: input.messages.0.role: Invalid enum value");
  await expect(page.getByTestId("span")).toHaveText('"tool"');
  await expect(page.getByTestId("source")).toContainText("show all");
  await app.showLines();
  await expect(app.line(3)).toContainText("Hi");
  // The page holds an excerpt of the line.
  expect((await page.content()).length).toBeLessThan(1e6);
});

test("a million levels of nesting are survived", async ({ app }) => {
  await app.open();
  await app.choose({ name: "deep.jsonl", content: `${sample("Hi")}\n${"[".repeat(1e6)}\n${sample("Hi")}` });
  await app.expectVerdict("invalid");
  await expect(app.verdict).toContainText("line 2: invalid JSON: nested deeper than 128 at column 129");
  await expect(app.count("valid")).toHaveText("2");
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
  // So large that a machine with other things to do is not too late to cut it.
  await writeLines(own, 3 * RECORDS, (number) => sample(`${number} ${FILLER}`));
  await app.open();
  await page.evaluate(watch, null);
  await app.choose(own);
  await expect.poll(async () => (await page.evaluate(watched)).percents.length, { intervals: [10] }).toBeGreaterThan(0);
  await truncate(own, 1000);
  await app.expectVerdict("not-checked", 30_000);
  await expect(app.verdict).toContainText(/changed|shorter|not checked/i);
});
