// Files of 300 MB, which neither the page nor the worker may hold in memory; very long lines and deep nesting.

import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";

import type { Browser } from "@playwright/test";

import { expect, full, test } from "./support/app.ts";
import { pack, read, sample, writeLines } from "./support/files.ts";

// Within JuryArena's limit of records, so that the file is valid.
const RECORDS = 48_000;
const FILLER = "The quick brown fox jumps over the lazy dog. ".repeat(139);
const MIB = 1 << 20;

/** A third of the file size. A check needs much less, but the memory of the browser itself varies. */
const MAX_GROWTH = 100 * MIB;

// In sequence, because the tests share the file and measure memory.
test.describe.configure({ mode: "default" });

let path: string;

test.beforeAll(async ({ workerFolder }) => {
  path = join(workerFolder, "large.jsonl");
  await writeLines(path, RECORDS, (number) => sample(number === RECORDS ? "the last record" : `${number} ${FILLER}`));
  expect((await stat(path)).size).toBeGreaterThan(300e6);
});

/** What {@link observeProgress} has recorded. */
interface Recorded {
  percents: number[];
  texts: string[];
}

/** Records every state of the progress bar, and cancels the check at this percentage. */
function observeProgress(cancelAt: number | null): void {
  const seen: Recorded = { percents: [], texts: [] };
  let cancelled = false;
  (globalThis as unknown as { recorded: Recorded }).recorded = seen;
  const observer = new MutationObserver(() => {
    const panel = document.querySelector("[data-testid=progress]");
    const bar = panel?.querySelector("progress");
    if (panel && bar) {
      if (seen.percents.at(-1) !== bar.value) {
        seen.percents.push(bar.value);
        seen.texts.push(panel.textContent ?? "");
      }
      if (cancelAt !== null && bar.value >= cancelAt && !cancelled) {
        cancelled = true;
        panel.querySelector<HTMLElement>("[data-testid=cancel]")?.click();
      }
    }
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

const recorded = (): Recorded => (globalThis as unknown as { recorded: Recorded }).recorded;

/** Measures the memory of the page's process, which includes the worker. Only works on Linux. */
class Memory {
  private constructor(private readonly processes: number[]) {}

  static async of(browser: Browser): Promise<Memory> {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    return new Memory(processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id));
  }

  /** The resident memory of the largest renderer in bytes; 0 on other systems. */
  now(): number {
    if (process.platform !== "linux") return 0;
    const sizes = this.processes.map((id) => {
      try {
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0);
      } catch {
        // A spare renderer may have ended.
        return 0;
      }
    });
    return Math.max(...sizes) * 1024;
  }

  /** The largest growth while an action runs, in bytes. */
  async growth(action: () => Promise<void>): Promise<number> {
    const before = this.now();
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, this.now())), 10);
    await action();
    clearInterval(timer);
    return Math.max(peak, this.now()) - before;
  }
}

test("300 MB: progress, verdict, memory and the last line", async ({ app, page, browser }) => {
  await app.open();
  await app.openExample("juryarena/minimal");
  await app.expectVerdict("valid");
  await page.evaluate(observeProgress, null);
  const memory = await Memory.of(browser);
  const growth = await memory.growth(async () => {
    await app.choose(path);
    await expect(app.verdict).toContainText("large.jsonl");
  });
  expect(growth, "the file is not in memory").toBeLessThan(MAX_GROWTH);
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("48,000");
  await expect(app.count("valid")).toHaveText("48,000");

  const seen = await page.evaluate(recorded);
  // Progress is sent 5 times a second, and the check may take only half a second.
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

test("1.8 GB: a cancelled check is not valid", full(), async ({ app, page }) => {
  await app.open();
  // Six times the file: it takes seconds, so that the click cannot come after the end.
  const once = page.locator("#once");
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "once" })));
  await once.setInputFiles(path);
  await page.evaluate(observeProgress, 10);
  await app.input.first().evaluate((input: HTMLInputElement) => {
    const source = document.querySelector<HTMLInputElement>("#once");
    const file = source?.files?.[0] as File;
    source?.remove();
    const transfer = new DataTransfer();
    transfer.items.add(new File(Array.from({ length: 6 }, () => file), "large.jsonl"));
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await app.expectVerdict("not-checked");
  await expect(app.verdict).toContainText("Stopped at");
  const records = Number((await app.count("records").innerText()).replaceAll(",", ""));
  expect(records).toBeGreaterThan(0);
  expect(records).toBeLessThan(6 * RECORDS);
  const { report } = await app.downloadedReport();
  expect(report).toMatchObject({ valid: false, checked: false });
  expect(await app.copiedReport()).toMatch(/: not checked \(.*\): \d+ records?/);

  // The lines that were read can be shown, and the page checks the next file.
  await app.showLines();
  await expect(app.line(1)).toContainText("1 The quick brown fox");
  await app.choose({ name: "small.jsonl", content: sample("Hi") });
  await expect(app.verdict).toContainText("small.jsonl");
  await app.expectVerdict("valid");
});

test("300 MB in an archive are not held in memory", full(), async ({ app, page, browser, folder }) => {
  const packed = await pack(folder, "large.zip", { "samples.jsonl": await read(path), "attachments/a.txt": "a" });
  await app.open();
  await app.openExample("juryarena/full");
  await app.expectVerdict("valid");
  const memory = await Memory.of(browser);
  const growth = await memory.growth(async () => {
    await app.choose(packed.path);
    await expect(app.verdict).toContainText("large.zip");
  });
  expect(growth).toBeLessThan(MAX_GROWTH);
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("48,000");
  await app.showLines();
  await app.goToLine(RECORDS);
  await expect(app.line(RECORDS)).toContainText("the last record");
  await app.line(RECORDS).click();
  await app.showSample();
  await expect(page.getByTestId("turn")).toContainText("the last record");
});

test("a line of 40 MB with an error at its start", full(), async ({ app, page, folder }) => {
  const own = join(folder, "long-line.jsonl");
  await writeLines(own, 3, (number) => (number === 2 ? sample("x".repeat(40e6), "tool") : sample("Hi")));
  await app.open();
  await app.choose(own);
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("finding-detail")).toContainText("Invalid enum value");
  await expect(page.getByTestId("span")).toHaveText('"tool"');
  await expect(page.getByTestId("source").locator(".omitted")).toHaveText(/^… 40 MB after, show 130(\.\d)? kB of it$/);
  await app.showLines();
  await expect(app.line(3)).toContainText("Hi");
  // The page holds only an excerpt of the line.
  expect((await page.content()).length).toBeLessThan(1e6);
});

test("a line of 10 MB shows each failing value, and how much of the line it does not", full(), async ({ app, page, folder }) => {
  const own = join(folder, "long-record.jsonl");
  const roles = ["user", "tool", "user", "developer"];
  const messages = roles.map((role, n) => ({ role, content: `${n} ${"x".repeat(2.5e6)}` }));
  await writeLines(own, 1, () => JSON.stringify({ input: { messages }, usage_output: null }));
  await app.open();
  await app.choose(own);
  await app.expectVerdict("invalid");
  const source = page.getByTestId("source");
  const omitted = source.locator(".omitted");
  await expect(page.getByTestId("span")).toHaveText('"tool"');
  await expect(source).toContainText('"},{"role":"tool","content":"1 xxx');
  await expect(omitted).toHaveText(["… 2.5 MB before, show 64.7 kB of it", "… 7.5 MB after, show 64.7 kB of it"]);
  await omitted.first().focus();
  await page.keyboard.press("Enter");
  await expect(omitted).toHaveCount(0);
  await expect(source.locator(".omitted-note")).toHaveText(["… 2.4 MB before, not shown", "… 7.4 MB after, not shown"]);
  await expect(source.locator(".record-text")).toBeFocused();

  // From the list, and from the findings of the line.
  await app.findings.nth(1).click();
  await expect(page.getByTestId("span")).toHaveText('"developer"');
  await expect(source).toContainText('{"role":"developer","content":"3 xxx');
  const other = page.locator("button.other").first();
  await other.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("span")).toHaveText('"tool"');
  await expect(other).toBeFocused();
});

test("a million levels of nesting are an error", async ({ app }) => {
  await app.open();
  await app.choose({ name: "deep.jsonl", content: `${sample("Hi")}\n${"[".repeat(1e6)}\n${sample("Hi")}` });
  await app.expectVerdict("invalid");
  await expect(app.findings).toContainText("line 2: invalid JSON: nested more than 128 levels deep at column 129");
  await expect(app.count("valid")).toHaveText("2");
});

test("a new file replaces one that is being checked", full(), async ({ app, page }) => {
  await app.open();
  await page.evaluate(observeProgress, null);
  await app.choose(path);
  await expect.poll(async () => (await page.evaluate(recorded)).percents.length, { intervals: [10] }).toBeGreaterThan(0);
  await app.choose({ name: "small.jsonl", content: sample("Hi", "tool") });
  await expect(app.verdict).toContainText("small.jsonl");
  await app.expectVerdict("invalid");
  await expect(app.count("records")).toHaveText("1");
});
