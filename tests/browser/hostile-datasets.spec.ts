// Datasets that attack: whatever one holds, no script runs, no request leaves, the page around it stays as it was, and no task of it
// does more than a browser does at once. In the hosted page, in the single file and in an embed.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Frame, Page } from "@playwright/test";

import { DATASETS, OF_EACH_KIND } from "../hostile/datasets.js";
import { showAll } from "../hostile/show.js";
import { countWork } from "../hostile/work.js";
import { App, full } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { Embed, expect, test } from "./support/embed.ts";
import { write } from "./support/files.ts";
import { DIST } from "./support/host.ts";

// For its pictures, a trace asks for the images of the page, which the policy forbids.
test.use({ trace: "off" });

/** What one task may do, and how many elements there may be. */
const MOST = { elements: 9_000, letters: 200_000, bytes: 1_000_000, shown: 10_000 };

type Work = typeof MOST;

/** What is known to do more: the worker sends the path of a finding whole. */
const MORE: Record<string, Partial<Work>> = { "a key of a megabyte": { bytes: 2_400_000 } };

const SINGLE = pathToFileURL(join(DIST, "evalcheck.html")).href;

/** Everything around the dataset that it must not change. */
const surroundings = () => {
  const style = (selector: string) => {
    const element = document.querySelector(selector);
    if (!element) return null;
    const { color, backgroundColor, position, display, fontFamily, fontSize, visibility } = getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    return { color, backgroundColor, position, display, fontFamily, fontSize, visibility, x, y: y + scrollY, width, height };
  };
  return {
    // The title is text, and names the file.
    head: document.head.outerHTML.replace(/<title>[^<]*<\/title>/, ""),
    // The fragment says which record is shown.
    url: location.href.replace(/#list=[^]*/, ""),
    sheets: document.styleSheets.length,
    body: [...document.body.children].map((element) => element.tagName + element.id),
    header: style(".site-header"),
    root: style("html")?.backgroundColor,
    overflows: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    globals: Object.keys(self).filter((name) => /pwned|startWorker/.test(name)),
    prototype: Object.keys(Object.prototype),
  };
};

/** Opens datasets in the page or frame, and expects that nothing comes of them. */
async function attack(page: Page, frame: Frame, folder: string, datasets: typeof DATASETS): Promise<void> {
  const input = frame.locator("input[type=file]");
  const restart = () => frame.getByTestId("start-over").evaluate((button: HTMLElement) => button.click());
  const open = async (path: string) => {
    await input.setInputFiles(path);
    return frame.evaluate(showAll);
  };
  await open(await write(folder, "good.jsonl", '{"input":{"messages":[{"role":"tool","content":"Hi"}]},"usage_output":null}\n'));
  const before = await frame.evaluate(surroundings);
  await restart();
  const work = () => frame.evaluate(() => (self as unknown as { takeWork(): Work }).takeWork());
  await work();
  for (const { name, file, bytes } of datasets) {
    await test.step(name, async () => {
      const path = await write(folder, file, bytes());
      const { verdict, strange, attachments } = await open(path);
      expect(verdict, name).toMatch(/^(valid|invalid|not-checked)$/);
      expect(strange, name).toEqual([]);
      if (name === "a PDF with scripts") expect(attachments, name).toEqual(["not-shown"]);
      if (name.includes("pixels square")) expect(attachments, name).not.toContain("image");
      expect(await frame.evaluate(surroundings), name).toEqual(before);
      expect(await page.evaluate(() => "pwned" in self || document.title === ""), name).toBe(false);
      await restart();
      const done = await work();
      const most = { ...MOST, ...MORE[name] };
      for (const what of Object.keys(most) as (keyof Work)[]) expect.soft(done[what], `${name}: ${what}`).toBeLessThanOrEqual(most[what]);
    });
  }
}

test("there are sixty datasets", () => {
  expect(new Set(DATASETS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
});

test("what one task does is counted", async ({ page }) => {
  await page.addInitScript(countWork);
  await new App(page).open();
  const seen = await page.evaluate(async () => {
    const { takeWork } = self as unknown as { takeWork(): Work };
    const counted = () => new Promise<Work>((resolve) => setTimeout(() => resolve(takeWork())));
    const { shown: before } = await counted();
    const add = (elements: number) => {
      for (let n = 0; n < elements; n += 1) document.body.append(Object.assign(document.createElement("p"), { textContent: "four" }));
    };
    add(5);
    await counted().then(() => add(2));
    const { shown, ...two } = await counted();
    add(7);
    setTimeout(() => add(3));
    return { two, seven: await counted(), more: shown - before };
  });
  expect(seen.two).toEqual({ elements: 2, letters: 8, bytes: 0 });
  expect(seen.seven).toMatchObject({ elements: 7, letters: 28 });
  expect(seen.more).toBe(7);
});

for (const [which, datasets, where, address] of [
  ["datasets", DATASETS, "the hosted page", "./"],
  ["datasets of each kind", OF_EACH_KIND, "the single file", SINGLE],
  ["datasets", DATASETS, "the single file", SINGLE],
] as const) {
  test(`${which} that attack do nothing to ${where}`, full(address === SINGLE && datasets === DATASETS), async ({ page, folder }) => {
    const app = new App(page);
    app.allowLoadingLater("markdown.wasm");
    await page.addInitScript(countWork);
    await app.open(address);
    await attack(page, page.mainFrame(), folder, datasets);
    expect(await app.unexpectedProblems()).toEqual([]);
  });
}

for (const [which, datasets] of [["datasets of each kind", OF_EACH_KIND], ["datasets", DATASETS]] as const) {
  test(`${which} that attack do nothing to an embed and its host, and axe finds no serious problem`, full(datasets === DATASETS), async ({
    page,
    host,
    evalcheck,
    watched,
    folder,
  }) => {
    await page.addInitScript(countWork);
    await page.goto(host.add("/", '<h1>Docs</h1><p>Text</p><eval-check format="juryarena"></eval-check>'));
    const embed = new Embed(page);
    await embed.ready();
    const frame = page.frames().find((frame) => frame.url().startsWith(`${evalcheck}index.html`)) as Frame;
    const outside = () => page.evaluate(() => document.documentElement.outerHTML);
    const before = await outside();
    expect(await violations(frame)).toEqual([]);
    const requests = watched.requests.length;
    await attack(page, frame, folder, datasets);
    expect(watched.requests.slice(requests).filter((url) => !url.endsWith("/markdown.wasm"))).toEqual([]);
    expect(await outside()).toBe(before);

    const worst = datasets.filter(({ name }) => /^(script|order reversed|names of markup|HTML attached)$/.test(name));
    expect(worst).toHaveLength(4);
    for (const { name, file } of worst) {
      await frame.locator("input[type=file]").setInputFiles(join(folder, file));
      await frame.evaluate(showAll);
      expect(await violations(frame), name).toEqual([]);
      await frame.getByTestId("tab-sample").click();
      expect(await violations(frame), `${name}, sample`).toEqual([]);
    }
  });
}

test("letters with two thousand marks are not drawn over the page's own words", async ({ page, folder }) => {
  const app = new App(page);
  await app.open();
  const head = async () => {
    const box = await page.locator(".site-header").boundingBox();
    return page.screenshot({ clip: box ?? undefined, animations: "disabled", caret: "hide" });
  };
  const open = async (name: string, bytes: Uint8Array) => {
    await app.choose(await write(folder, name, bytes));
    await page.evaluate(showAll);
    await page.mouse.move(0, 0);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  };
  await open("plain.jsonl", Buffer.from('{"input":{"messages":[{"role":"tool","content":"Hi"}]},"usage_output":null}\n'));
  const before = await head();
  const { bytes } = DATASETS.find(({ name }) => name.startsWith("2,000 marks")) as (typeof DATASETS)[number];
  await app.act("start-over");
  await open(`Z${"\u0301\u0317".repeat(40)}.jsonl`, bytes());
  expect((await head()).equals(before)).toBe(true);
  expect(await app.unexpectedProblems()).toEqual([]);
});
