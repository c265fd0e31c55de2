// A large file is shared between workers, and what is said of it does not depend on how many there are.

import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { type App, expect, type Report, test } from "./support/app.ts";
import { pack, sample, writeLines } from "./support/files.ts";

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

/** Stands before the worker's script: counts what helpers did that the check took, for it gives them their buffers back. */
const COUNT_TAKEN = `
self.taken = 0;
self.Worker = class extends self.Worker {
  postMessage(message, ...rest) {
    if (message?.taken) self.taken += 1;
    return super.postMessage(message, ...rest);
  }
};
`;

/** How often the page's worker took what a helper had done. */
async function taken(page: Page): Promise<number> {
  const counts = await Promise.all(
    page.workers().map((worker) => worker.evaluate(() => (globalThis as { taken?: number }).taken ?? 0)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** What is said of a file by so many workers, each time in a page that was opened anew. */
async function reports(app: App, file: string, numbers: number[]): Promise<Report[]> {
  const all: Report[] = [];
  for (const workers of numbers) {
    await app.page.evaluate((wanted) => sessionStorage.setItem("workers", String(wanted)), workers);
    app.expectReload();
    await app.page.reload();
    await app.ready();
    await app.choose(file);
    await app.expectVerdict("invalid", 60_000);
    expect(await app.page.evaluate(() => (globalThis as { asked?: number }).asked), "workers asked for").toBe(workers);
    // Otherwise what is compared would be one worker's report with its own.
    if (workers === 1) expect(await taken(app.page), "taken from helpers").toBe(0);
    else expect(await taken(app.page), "taken from helpers").toBeGreaterThan(0);
    all.push((await app.downloadedReport()).report);
  }
  return all;
}

test.beforeEach(async ({ app }) => {
  await app.page.addInitScript(() => {
    const post = Worker.prototype.postMessage as (this: Worker, message: unknown, ...rest: unknown[]) => void;
    Worker.prototype.postMessage = function (this: Worker, message: { command?: { check?: object }; workers?: number }, ...rest) {
      if (message.command?.check) {
        message.workers = Number(sessionStorage.getItem("workers"));
        (globalThis as { asked?: number }).asked = message.workers;
      }
      post.call(this, message, ...rest);
    } as typeof Worker.prototype.postMessage;
  });
  await app.page.route("**/worker.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: COUNT_TAKEN + (await response.text()) });
  });
  await app.open();
});

test("one, two and seven workers say the same of a file, to the byte", async ({ app }) => {
  const [one, two, seven] = await reports(app, path, [1, 2, 7]);
  expect(one.counts.lines).toBeGreaterThan(RECORDS);
  expect(one.findings.length).toBeGreaterThan(20);
  expect(JSON.stringify(two, null, 1)).toBe(JSON.stringify(one, null, 1));
  expect(JSON.stringify(seven, null, 1)).toBe(JSON.stringify(one, null, 1));
});

test("one, two and seven workers say the same of a CSV whose rows go over several lines, to the byte", async ({ app, folder }) => {
  const rows = join(folder, "shared.csv");
  await writeLines(rows, 12_000, (number) => {
    if (number === 1) return "query_id,query_text,relevant_doc_ids";
    const id = number % 1500 === 8 ? "q1" : `q${number}`;
    const text = number % 1000 === 7 ? "" : `""Why"", they\nask, ${FILLER}`;
    return `${id},"${text}","[""doc_${number}"",""doc_0""]"${number % 2003 === 0 ? " " : ""}`;
  });
  expect((await stat(rows)).size).toBeGreaterThan(80 * 2 ** 20);
  const [one, two, seven] = await reports(app, rows, [1, 2, 7]);
  expect(one.counts.records).toBe(11_999);
  expect(new Set(one.findings.map(({ code }) => code)).size).toBeGreaterThan(2);
  expect(JSON.stringify(two, null, 1)).toBe(JSON.stringify(one, null, 1));
  expect(JSON.stringify(seven, null, 1)).toBe(JSON.stringify(one, null, 1));
});

test("one and two workers say the same of an archive, to the byte; also of a damaged one", async ({ app, folder }) => {
  // Numbers, so that there is enough left of it when it is packed.
  const text = (number: number): string =>
    Array.from({ length: 400 }, (_, at) => ((number * 7919 + at * 104_729) % 1_000_003).toString(36)).join(" ");
  const lines = Array.from({ length: 4000 }, (_, number) =>
    sample(`${number} ${text(number)}`, number % 500 === 7 ? "tool" : "user"),
  );
  const { path: whole } = await pack(folder, "whole.zip", {
    "samples.jsonl": lines.join("\n"),
    "attachments/unused.txt": "nobody asks for it",
  });
  expect((await stat(whole)).size).toBeGreaterThan(3 * 2 ** 20);
  const [one, two] = await reports(app, whole, [1, 2]);
  expect(one.checked).toBe(true);
  expect(one.counts.records).toBe(4000);
  expect(JSON.stringify(two, null, 1)).toBe(JSON.stringify(one, null, 1));

  const bytes = await readFile(whole);
  bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 1000);
  const damaged = join(folder, "damaged.zip");
  await writeFile(damaged, bytes);
  const [alone, together] = await reports(app, damaged, [1, 2]);
  expect(alone.counts.records).toBeGreaterThan(1000);
  expect(alone.findings.map(({ code }) => code).filter((code) => code.startsWith("zip/"))).toHaveLength(1);
  expect(JSON.stringify(together, null, 1)).toBe(JSON.stringify(alone, null, 1));
});
