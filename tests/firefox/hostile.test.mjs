// What tests/browser shows of hostile files and of workers that die in Chromium, once more in Firefox.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import puppeteer from "puppeteer-core";

import { CHANGES } from "../hostile/changes.js";
import { DATASETS } from "../hostile/datasets.js";
import { allowFaults } from "../hostile/faults.js";
import { showAll } from "../hostile/show.js";

const line = (content, role = "user") => `${JSON.stringify({ input: { messages: [{ role, content }] }, usage_output: null })}\n`;

/** 24 MB of valid lines, and 8 MB of which every other one is invalid. */
const LONG = line("x".repeat(4_000)).repeat(5_900);
const MIXED = (line("x".repeat(1_000)) + line("y".repeat(1_000), "tool")).repeat(3_600);

let browser;
let folder;

before(async () => {
  browser = await puppeteer.launch({ browser: "firefox", executablePath: process.env.EVALCHECK_FIREFOX, headless: true });
  folder = await mkdtemp(join(tmpdir(), "evalcheck-firefox-"));
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the page may load later: the module that renders Markdown, when the first text is shown rendered, and the pages of rules. */
const LOADED_LATER = /\/(markdown\.wasm|rules\.json)$/;

/** A page of which workers can be broken, and the requests and dialogs of it. */
async function openPage(query = "") {
  const page = await browser.newPage();
  const seen = { dialogs: [], requests: [], loaded: false };
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (seen.loaded && /^https?:/.test(url) && !LOADED_LATER.test(url)) seen.requests.push(url);
  });
  await page.evaluateOnNewDocument(allowFaults);
  await page.goto(`${process.env.EVALCHECK_URL}${query}`);
  await until(page, () => document.querySelector("[data-example='juryarena/minimal']") !== null);
  seen.loaded = true;
  return { page, seen };
}

async function until(page, question, ...given) {
  const end = performance.now() + 120_000;
  while (!(await page.evaluate(question, ...given))) {
    assert.ok(performance.now() < end, `in vain: ${question} ${given.join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function choose(page, path) {
  const input = await page.$("input[type=file]");
  await input.uploadFile(path);
}

/** Waits for the verdict on a file. */
async function verdictOn(page, name) {
  await until(page, (name) => document.querySelector("[data-testid=verdict]")?.textContent.includes(name), name);
  return page.$eval("[data-testid=verdict]", (verdict) => [verdict.dataset.verdict, verdict.textContent]);
}

// Firefox reads a file that has grown as far as it went at first, without an error and with the old time.
const NOTICED = Object.entries(CHANGES).filter(([what]) => what !== "grown");

for (const [what, change] of NOTICED) {
  test(`a file that is ${what} while it is read is not valid`, async () => {
    // See `checkWithHelpers` in firefox.test.mjs.
    const { page } = await openPage("?workers=1");
    const path = join(folder, `${what.replaceAll(" ", "-")}.jsonl`);
    await writeFile(path, LONG);
    await page.evaluate(() => self.breakNext("hold"));
    await choose(page, path);
    await page.evaluate(() => self.broken.then(() => {}));
    await change(path);
    await page.evaluate(() => self.release());
    const [verdict, text] = await verdictOn(page, ".jsonl");
    assert.notEqual(verdict, "valid", text);
    await page.close();
  });
}

for (const fault of ["panic", "trap", "memory", "silence", "end"]) {
  test(`the page survives a worker that dies during a check: ${fault}`, async () => {
    const { page } = await openPage();
    const [dies, next] = [join(folder, "dies.jsonl"), join(folder, "next.jsonl")];
    await writeFile(dies, MIXED);
    await writeFile(next, line("Hi"));
    await page.evaluate((fault) => self.breakNext(fault), fault);
    await choose(page, dies);
    const [verdict, text] = await verdictOn(page, "dies.jsonl");
    assert.equal(verdict, "not-checked");
    assert.match(text, /failed near line|stopped responding/);
    await choose(page, next);
    assert.equal((await verdictOn(page, "next.jsonl"))[0], "valid");
    assert.equal(await page.evaluate(() => self.workersAlive()), 1);
    await page.close();
  });
}

test("datasets that attack run no script and send no request", async () => {
  const { page, seen } = await openPage();
  for (const { name, file, bytes } of DATASETS) {
    const path = join(folder, file);
    await writeFile(path, bytes());
    await choose(page, path);
    const { verdict, strange } = await page.evaluate(showAll);
    assert.match(verdict, /^(valid|invalid|not-checked)$/, name);
    assert.deepEqual(strange, [], name);
    assert.equal(await page.evaluate(() => "pwned" in self), false, name);
    await page.$eval("[data-testid=start-over]", (button) => button.click());
  }
  assert.deepEqual(seen, { dialogs: [], requests: [], loaded: true });
  await page.close();
});
