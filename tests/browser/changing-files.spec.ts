// Files that change while they are read, or cannot be read: what was not read is never valid.

import { chmod, mkdir, open, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { chromium } from "@playwright/test";

import { CHANGES } from "../hostile/changes.js";
import { allowFaults } from "../hostile/faults.js";
import { App, expect, full, test } from "./support/app.ts";
import { has } from "./support/command.ts";
import { sample, write } from "./support/files.ts";

/** 24 MB of valid lines: more than a browser reads ahead. */
const LONG = `${sample("x".repeat(4_000))}\n`.repeat(5_900);

interface Faults {
  breakNext(fault: string, reads: number): void;
  broken: Promise<void>;
  release(): void;
}

/** When the check waits for the change: who reads the file, with how many workers, and at which read of the check. */
const HOLDS = [
  { who: "one worker reads it", workers: 1, reads: 3 },
  // The helpers need not leave the check a second read.
  { who: "two workers read it", workers: 2, reads: 1 },
];

for (const [what, change] of Object.entries(CHANGES)) {
  for (const { who, workers, reads } of HOLDS) {
    test(`a file that is ${what} while ${who} is not valid`, full(what !== "rewritten" || workers === 1), async ({ app, page, folder }) => {
      const path = await write(folder, "samples.jsonl", LONG);
      await page.addInitScript(allowFaults);
      await app.open(`./?workers=${workers}`);
      await page.evaluate((reads) => (globalThis as unknown as Faults).breakNext("hold", reads), reads);
      await app.choose(path);
      await page.evaluate(() => (globalThis as unknown as Faults).broken.then(() => {}));
      await change(path);
      await page.evaluate(() => (globalThis as unknown as Faults).release());
      await app.expectVerdict("not-checked");
      await expect(app.verdict).toContainText("Not checked");
      await expect(app.verdict).not.toContainText("will load it");
      expect((await app.downloadedReport()).report).toMatchObject({ valid: false, checked: false });
    });
  }
}

test("a file that is deleted before it is read is gone, not empty", full(), async ({ app, page, folder }) => {
  const path = await write(folder, "samples.jsonl", `${sample("Hi")}\n`);
  await app.open();
  // The browser looks for a file only when the page asks for its size.
  await page.evaluate(() => {
    const change = (event: Event) => {
      const { target } = event;
      event.stopImmediatePropagation();
      Object.assign(window, { later: () => target?.dispatchEvent(new Event("change", { bubbles: true })) });
    };
    addEventListener("change", change, { capture: true, once: true });
  });
  await app.choose(path);
  await rm(path);
  await page.evaluate(() => (window as unknown as { later(): void }).later());
  await app.expectVerdict("not-checked");
  await expect(app.verdict).toContainText("This file cannot be read any more: moved or deleted? Drop it again.");
  await expect(app.verdict).not.toContainText("empty");
});

test("the findings of a file that was cut are kept", async ({ app, page, folder }) => {
  // More of one rule than the page keeps, and more bytes than the worker keeps.
  const path = await write(folder, "samples.jsonl", `${sample("Hi", "tool")}\n`.repeat(12_000));
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("unreadable-note")).toHaveCount(0);
  await truncate(path, 1_000);
  await page.getByTestId("group").first().click();
  await expect(app.findings.first()).toBeVisible();
  await page.getByTestId("finding-list").press("End");
  await expect(page.getByTestId("unreadable-note")).toHaveText("The file was moved, changed or deleted since this check: drop it again.");
  const last = app.findings.last();
  await expect(last).toContainText("line 12000: ");
  await expect(last).toContainText("shape/invalid-enum-value");
  await expect(last).toContainText("received 'tool'");
  await expect(page.getByText("This finding can no longer be read.")).toHaveCount(0);
});

test("an empty file is not valid", full(), async ({ app, folder }) => {
  await app.open();
  await app.choose(await write(folder, "empty.jsonl", ""));
  await app.expectVerdict("invalid");
  await expect(app.verdict).not.toContainText("will load it");
});

test("5 GiB, most of them a hole: places behind 4 GiB are right", full(), async ({ app, page, folder }) => {
  const path = join(folder, "sparse.jsonl");
  const [size, good] = [5 * 2 ** 30, `${sample("Hi")}\n`];
  const file = await open(path, "w");
  await file.write(good, 0);
  await file.write(`\n${sample("Hi", "tool")}\n`, size);
  await file.close();
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  const { report } = await app.downloadedReport();
  expect(report).toMatchObject({ valid: false, checked: true, counts: { lines: 3, valid: 1, invalid: 2 } });
  const last = report.findings.at(-1);
  expect(last).toMatchObject({ line: 3, path: "input.messages.0.role" });
  expect(last?.byte_start).toBeGreaterThan(size);
  // The last line can be shown, too. Its finding is listed when that of the long line was made again.
  await expect(app.findings).toHaveCount(2);
  await app.findings.last().click();
  await expect(page.getByTestId("span")).toHaveText('"tool"');
});

test("10,000 files: those that a cancelled check did not reach are not checked", full(), async ({ app, page, folder }) => {
  const path = join(folder, "many");
  await mkdir(path);
  const files = Array.from({ length: 10_000 }, (_, n) => n);
  for (let from = 0; from < files.length; from += 500) {
    const some = files.slice(from, from + 500);
    await Promise.all(some.map((n) => writeFile(join(path, `${n}.jsonl`), sample("Hi", n % 1_000 === 7 ? "tool" : "user"))));
  }
  await app.open();
  await app.cancelAt("progress", /[1-9][\d,]{2,} of 10,000 files/);
  await app.drop(path, { x: 200, y: 200 });
  const total = (name: string) => page.getByTestId("totals").locator(`[data-count=${name}] dd`);
  const number = async (name: string) => Number((await total(name).innerText()).replaceAll(",", ""));
  await expect(page.getByTestId("overview")).toHaveAttribute("data-verdict", /^(invalid|not-checked)$/);
  await expect(total("files")).toHaveText("10,000");
  const [valid, invalid, rest] = [await number("valid"), await number("invalid"), await number("not-checked")];
  expect(rest).toBeGreaterThan(0);
  expect(valid + invalid + rest).toBe(10_000);
  const { report } = await app.downloadedReport();
  const reports = report as unknown as { checked: boolean }[];
  expect(reports.filter(({ checked }) => checked)).toHaveLength(valid + invalid);
});

test("a file without permission to read is not checked", async ({ folder, baseURL }, info) => {
  const root = process.getuid?.() === 0;
  test.skip(process.platform === "win32" || (root && !has("setpriv")), "every file can be read here");
  const path = await write(folder, "secret.jsonl", `${sample("Hi")}\n`);
  await chmod(path, 0);
  const { launchOptions } = info.project.use;
  let executablePath = launchOptions?.executablePath;
  if (root) {
    // Root may read all files, unless it gives up that right.
    const inner = executablePath ?? chromium.executablePath();
    executablePath = await write(folder, "browser", `#!/bin/sh\nexec setpriv --bounding-set -dac_override,-dac_read_search "${inner}" "$@"\n`);
    await chmod(executablePath, 0o755);
  }
  const browser = await chromium.launch({ ...launchOptions, executablePath });
  const page = await browser.newPage({ baseURL });
  const app = new App(page);
  await app.open();
  await app.choose(path);
  await app.expectVerdict("not-checked");
  await expect(app.verdict).not.toContainText("will load it");
  await chmod(path, 0o600);
  await app.choose(path);
  await app.expectVerdict("valid");
  expect(await app.unexpectedProblems()).toEqual([]);
  await browser.close();
});
