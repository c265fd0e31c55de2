// A large file is shared between workers, and what is said of it does not depend on how many there are.

import { stat } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { expect, test } from "./support/app.ts";
import { sample, writeLines } from "./support/files.ts";

const RECORDS = 20_000;
const FILLER = "The quick brown fox jumps over the lazy dog. ".repeat(160);

/** A record, or what is none: wrong in shape, cut off, over two lines, or nothing at all. */
function line(number: number): string {
  const record = sample(`${number} ${FILLER}`);
  if (number % 1000 === 7) return sample(`${number}`, "tool");
  if (number % 4001 === 0) return record.slice(0, -3);
  if (number % 5003 === 0) return record.replace(',"usage_output"', ',\n"usage_output"');
  return number % 6007 === 0 ? "" : record;
}

let path: string;

test.describe.configure({ mode: "default", timeout: 120_000 });

test.beforeAll(async ({ workerFolder }) => {
  path = join(workerFolder, "shared.jsonl");
  await writeLines(path, RECORDS, line);
  // Several stretches for each of seven workers would take a larger file; here the last ones have nothing to do.
  expect((await stat(path)).size).toBeGreaterThan(4 * 32 * 2 ** 20);
});

/** Lets this many workers share every file. The last one that was asked for counts. */
async function share(page: Page, workers: number): Promise<void> {
  await page.addInitScript((wanted) => {
    const post = Worker.prototype.postMessage as (this: Worker, message: unknown, ...rest: unknown[]) => void;
    Worker.prototype.postMessage = function (this: Worker, message: { command?: { check?: object }; workers?: number }, ...rest) {
      if (message.command?.check) message.workers = wanted;
      post.call(this, message, ...rest);
    } as typeof Worker.prototype.postMessage;
  }, workers);
}

test("one, two and seven workers say the same of a file, to the byte", async ({ app }) => {
  await app.open();
  const reports: string[] = [];
  for (const workers of [1, 2, 7]) {
    await share(app.page, workers);
    app.expectReload();
    await app.page.reload();
    await app.ready();
    await app.choose(path);
    await app.expectVerdict("invalid", 60_000);
    const { report } = await app.downloadedReport();
    expect(report.counts.lines).toBeGreaterThan(RECORDS);
    expect(report.findings.length).toBeGreaterThan(20);
    reports.push(JSON.stringify(report, null, 1));
  }
  expect(reports[1]).toBe(reports[0]);
  expect(reports[2]).toBe(reports[0]);
});
