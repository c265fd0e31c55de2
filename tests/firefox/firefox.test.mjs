// What the tests of tests/browser show in Chromium, once more in Firefox as it is released: that the page checks, from a
// host and as one file from disk, under its policy and with it in the workers. `cargo xtask test --only firefox`.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import puppeteer from "puppeteer-core";

const HOSTED = process.env.EVALCHECK_URL;
const SINGLE = pathToFileURL(fileURLToPath(new URL("../../dist/evalcheck.html", import.meta.url))).href;

const good = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}\n';
const bad = good.replace("user", "tool");

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

/**
 * Asks the page until it says yes. Puppeteer's own way of waiting makes a function of a text in the page, which the page's
 * policy refuses in some versions of Firefox.
 */
async function until(page, question, ...given) {
  const end = performance.now() + 120_000;
  while (!(await page.evaluate(question, ...given))) {
    assert.ok(performance.now() < end, `in vain: ${question} ${given.join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Opens the page, does something with it, and says what went wrong. */
async function on(address, then) {
  const problems = [];
  const page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  await page.goto(address);
  await until(page, () => document.querySelector("[data-example='juryarena/minimal']") !== null);
  await then(page);
  await page.close();
  assert.deepEqual(problems, []);
}

/** Chooses a file and waits for the verdict on it. */
async function check(page, name, content) {
  const path = join(folder, name);
  await writeFile(path, content);
  const input = await page.$("input[type=file]");
  await input.uploadFile(path);
  await until(page, (name) => document.querySelector("[data-testid=verdict]")?.textContent.includes(name), name);
  return page.$eval("[data-testid=verdict]", (verdict) => verdict.dataset.verdict);
}

for (const [what, address] of [
  ["the single file, from disk", SINGLE],
  ["the hosted page", HOSTED],
]) {
  test(`${what} checks`, async () => {
    await on(address, async (page) => {
      assert.equal(await check(page, "good.jsonl", good.repeat(20)), "valid");
      assert.equal(await check(page, "bad.jsonl", good.repeat(11) + bad), "invalid");
      const records = await page.$eval("[data-testid=counts] [data-count=records] dd", (count) => count.textContent);
      assert.equal(records, "12");
      const finding = await page.$eval("[data-testid=finding]", (row) => row.textContent);
      assert.match(finding, /input\.messages\.0\.role/);
    });
  });
}

/** Says in the page how many parts helpers have posted. The page's workers are blobs of a script, and get one more script in front. */
function countParts() {
  const inWorker = () => {
    if (self.name !== "evalcheck-helper") return;
    const channel = new BroadcastChannel("parts");
    const post = self.postMessage.bind(self);
    self.postMessage = (message, ...rest) => {
      if (message.part) channel.postMessage("part");
      post(message, ...rest);
    };
  };
  const script = `(${inWorker})();`;
  self.Blob = new Proxy(Blob, {
    construct: (target, [parts, options]) =>
      new target(options?.type === "text/javascript" ? [script, ...parts] : parts, options),
  });
  self.parts = 0;
  new BroadcastChannel("parts").onmessage = () => (self.parts += 1);
}

/**
 * As `check`. Under WebDriver, and only there, one in 25 calls of `new Worker` in a worker never returns in Firefox 153: the page then says
 * that its worker stopped responding, and the file is checked again.
 */
async function checkWithHelpers(page, name, content) {
  for (let tries = 1; ; tries += 1) {
    const verdict = await check(page, name, content);
    const text = await page.$eval("[data-testid=verdict]", (verdict) => verdict.textContent);
    if (tries === 4 || verdict !== "not-checked" || !text.includes("stopped responding near line 1 ")) return verdict;
    await page.$eval("[data-testid=start-over]", (button) => button.click());
  }
}

for (const [what, address] of [
  ["the single file, from disk", SINGLE],
  ["the hosted page", HOSTED],
]) {
  test(`${what} checks a large file with helpers`, async () => {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(countParts);
    await page.goto(`${address}?workers=2`);
    await until(page, () => document.querySelector("[data-example='juryarena/minimal']") !== null);
    const large = good.replace("Hi", "Hi ".repeat(200)).repeat(60_000);
    assert.equal(await checkWithHelpers(page, "large.jsonl", large + bad + good), "invalid");
    const records = await page.$eval("[data-testid=counts] [data-count=records] dd", (count) => count.textContent);
    assert.equal(records, "60,002");
    await until(page, () => /line 60001: /.test(document.querySelector("[data-testid=finding-list]")?.textContent ?? ""));
    // Pages from disk have no channels between them and their workers.
    if (address === HOSTED) assert.ok((await page.evaluate(() => self.parts)) > 2);
    await page.close();
  });
}

test("the single file may ask nobody for anything", async () => {
  const page = await browser.newPage();
  await page.goto(SINGLE);
  const seen = await page.evaluate(async () => {
    const refused = new Promise((resolve) =>
      addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true }),
    );
    const asked = await fetch("http://192.0.2.1/").then(() => "answered", () => "failed");
    return { asked, refused: await refused };
  });
  assert.deepEqual(seen, { asked: "failed", refused: "connect-src" });
  await page.close();
});
