// The browser, the page of the product and that of the other ways.

import { closeSync, openSync, readSync } from "node:fs";

import { chromium } from "playwright-core";

import { watch } from "./watch.mjs";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // A spare renderer would be measured as well.
  "--disable-features=SpareRendererForSitePerProcess",
];

/** Longer than any check takes: a hang is an error and not a result. */
const MOST_MS = 180_000;

/** Longer than a control takes to be there: another revision may not have it. */
const CONTROL_MS = 20_000;

/** What a person takes to drop a file on a page that has just been opened. */
const PERSON_MS = 1000;

/** A browser is idle when all its processes together take less than this much processor time between two looks. */
const IDLE_MS = 20;
const LOOK_MS = 250;

/** After so many looks the measurement begins all the same, with a note: its figure is then that of a busy machine. */
const MOST_LOOKS = 40;

/** Longer than a page takes to open. */
const OPENING_MS = 30_000;

/** Whether a way is the page of the product, of this revision or of another one. `product-2` is that with two workers. */
export const isProduct = (way) => /^(product|old)\b/.test(way);

export class Bench {
  /** The version of the browser, once it was needed. */
  version = null;
  #browser = null;
  #warm = new Set();

  constructor(plan) {
    this.plan = plan;
  }

  async browser() {
    this.#browser ??= await chromium.launch({ executablePath: this.plan.chromium, headless: true, args: ARGS });
    this.version = this.#browser.version();
    return this.#browser;
  }

  /**
   * Waits as long as a person takes, and then until the browser is idle: with each window headless Chromium opens a tab strip, a
   * page of its own that takes up to a second of processor time.
   */
  async #settled(page) {
    await page.waitForTimeout(PERSON_MS);
    const session = await (await this.browser()).newBrowserCDPSession();
    const spent = async () => {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
    };
    for (let look = 0, before = await spent(); ; look += 1) {
      await page.waitForTimeout(LOOK_MS);
      const now = await spent();
      if (now - before < IDLE_MS) break;
      if (look === MOST_LOOKS) {
        process.stderr.write(" (the browser was busy all the time) ");
        break;
      }
      before = now;
    }
    await session.detach();
  }

  /** Ends the browser, so that the next measure begins with a new one. */
  async close() {
    await this.#browser?.close();
    this.#browser = null;
  }

  /** A page of its own context. */
  async #page() {
    // Without a service worker: storing the page is not what is measured.
    const options = { viewport: { width: 1280, height: 800 }, serviceWorkers: "block" };
    const context = await (await this.browser()).newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(CONTROL_MS);
    return page;
  }

  /**
   * Opens an address and waits until it is ready. A browser that has just been started may hang on a busy machine; this is reported,
   * and tried again.
   */
  async #open(address, isReady, prepare = async () => {}) {
    for (let attempt = 1; ; attempt += 1) {
      const page = await this.#page();
      await prepare(page);
      try {
        await page.goto(address, { timeout: OPENING_MS, waitUntil: "domcontentloaded" });
        await page.waitForFunction(isReady, null, { timeout: OPENING_MS });
        return page;
      } catch (error) {
        if (attempt === 3) throw error;
        process.stderr.write(` (${address} did not open: once more) `);
        await page.context().close();
      }
    }
  }

  /** The page of the product, when its engine is ready. */
  async product(way) {
    let problems = [];
    const [name, workers] = way.split("-");
    const { page: root } = this.plan.products[name];
    const address = workers === undefined ? root : `${root}?workers=${workers}`;
    const page = await this.#open(address, () => globalThis.bench?.ready, async (page) => {
      problems = [];
      page.on("pageerror", (error) => problems.push(error.message));
      await page.addInitScript(watch);
    });
    await this.#settled(page);
    return new Product(page, problems);
  }

  /** The page of the other ways. */
  async ways() {
    const page = await this.#open(this.plan.ways, () => globalThis.go);
    await this.#settled(page);
    return page;
  }

  /** Reads a file once, so that all ways find it in the page cache. */
  warm(path) {
    if (this.#warm.has(path)) return;
    const file = openSync(path, "r");
    const block = Buffer.allocUnsafe(1 << 24);
    while (readSync(file, block, 0, block.length, null) > 0);
    closeSync(file);
    this.#warm.add(path);
  }
}

/** The product's page as a person uses it. */
export class Product {
  constructor(page, problems) {
    this.page = page;
    this.problems = problems;
  }

  /** Chooses a file, and returns what was recorded once its verdict is on the screen. */
  async check(path) {
    await this.page.evaluate(() => globalThis.bench.expect());
    await this.page.locator("input[type=file]").setInputFiles(path);
    return this.done();
  }

  /** Waits for the verdict without polling, which would cost frames; the other ways draw none. */
  async done() {
    await inTime(this.page.evaluate(() => globalThis.bench.ended), "there was no verdict");
    const noted = await this.page.evaluate(() => ({ ...globalThis.bench, ended: null, expect: null }));
    if (noted.died !== null) throw new Error(`the engine died: ${noted.died}`);
    if (this.problems.length > 0) throw new Error(`the page failed: ${this.problems.join("; ")}`);
    return noted;
  }

  /** Searches the file, and returns what was recorded once all of it was searched. */
  async search(query) {
    await this.page.getByTestId("tab-records").click();
    const field = this.page.getByTestId("filter-field");
    if ((await field.inputValue()) !== "") await this.page.getByTestId("clear-filter").click();
    await field.fill(query);
    await this.page.evaluate(() => globalThis.bench.expectSearch());
    await field.press("Enter");
    await inTime(this.page.evaluate(() => globalThis.bench.search.done), "the search did not end");
    if (this.problems.length > 0) throw new Error(`the page failed: ${this.problems.join("; ")}`);
    const noted = await this.page.evaluate(() => ({ ...globalThis.bench.search, done: null }));
    if (noted.why !== null) throw new Error(`the search failed: ${noted.why}`);
    return noted;
  }

  /** Compares the file with another version, and returns what was recorded once the sums are on the screen. */
  async compare(path) {
    await this.page.evaluate(() => globalThis.bench.expectComparison());
    await this.page.getByTestId("menu-open").click();
    const choosing = this.page.waitForEvent("filechooser");
    await this.page.getByTestId("compare").click();
    await (await choosing).setFiles(path);
    await inTime(this.page.evaluate(() => globalThis.bench.comparison.done), "the comparison did not end");
    if (this.problems.length > 0) throw new Error(`the page failed: ${this.problems.join("; ")}`);
    const noted = await this.page.evaluate(() => ({ ...globalThis.bench.comparison, done: null }));
    if (noted.why !== null) throw new Error(`the comparison failed: ${noted.why}`);
    return noted;
  }

  /** Applies all safe fixes. Returns how many, and the milliseconds until the fixed file was checked. */
  async fix() {
    const ms = await this.#answer("fix", "fixed", "not_fixed", () => this.#choose("apply-safe"));
    const applied = (await this.page.getByTestId("fixes-applied").textContent()) ?? "";
    return { ms, fixes: Number(applied.match(/[\d,]+/)?.[0].replaceAll(",", "")) };
  }

  /** Makes the diff of the fixes. Returns the milliseconds that it took, and its path. */
  async diff() {
    // Without a dialog, which nobody would answer.
    await this.page.evaluate(() => delete globalThis.showSaveFilePicker);
    const downloading = this.page.waitForEvent("download", { timeout: MOST_MS });
    const ms = await this.#answer("diff", "exported", "not_exported", () => this.#choose("download-diff"));
    return { ms, path: await (await downloading).path() };
  }

  /** Clicks an item of the menu. */
  async #choose(item) {
    await this.page.getByTestId("menu-open").click();
    await this.page.getByTestId(item).click();
  }

  /** The milliseconds from a message to the worker to its answer, once something was done in the page. */
  async #answer(asked, done, failed, act) {
    const answered = this.page.evaluate((names) => globalThis.bench.expectAnswer(...names), [asked, done, failed]);
    // The page is closed where `act` fails, which says why.
    answered.catch(() => {});
    await act();
    return inTime(answered, `the worker did not answer "${asked}"`);
  }

  /** Drops a file on the page, as a file manager does. */
  async drop(path) {
    await this.page.evaluate(() => globalThis.bench.expect());
    const session = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 640, y: 400, data });
    }
    await session.detach();
  }

  /** Bytes of WebAssembly memory in the page's worker. */
  async wasmMemory() {
    const sizes = this.page.workers().map((worker) =>
      worker.evaluate(async () => {
        // The worker has loaded this module already: initialising it again returns its exports.
        return (await wasm_bindgen()).memory.buffer.byteLength;
      }),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  async close() {
    await this.page.context().close();
  }
}

/** Waits for a promise of a page; fails when that takes too long. */
export async function inTime(happens, otherwise) {
  const timer = AbortSignal.timeout(MOST_MS);
  const late = new Promise((_, reject) => timer.addEventListener("abort", () => reject(new Error(otherwise))));
  return Promise.race([happens, late]);
}

/** Fails when a report is not that of the file: a way that does less is not faster. */
export function verify({ said }, { records, bad }) {
  if (said.records !== records || said.invalid !== bad) {
    throw new Error(`the page says ${JSON.stringify(said)}, the file was made with ${JSON.stringify({ records, invalid: bad })}`);
  }
}
