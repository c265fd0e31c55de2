// Datasets that attack: whatever one holds, no script runs, no request leaves, the page around it stays as it was, and it does not
// stand still. In the hosted page, in the single file and in an embed.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser, Frame, Page } from "@playwright/test";

import { DATASETS } from "../hostile/datasets.js";
import { showAll } from "../hostile/show.js";
import { App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { Embed, expect, test } from "./support/embed.ts";
import { write } from "./support/files.ts";
import { Freezes } from "./support/freezes.ts";
import { DIST } from "./support/host.ts";

// For its pictures, a trace asks for the images of the page, which the policy forbids.
test.use({ trace: "off" });

/** Milliseconds of one task of the main thread, in time of the processor. */
const MAX_TASK = 400;

/** The same for signs that are as wide as a line: how long Chromium takes to lay them out depends on the fonts of the machine. */
const MAX_TASK_OF_WIDE_SIGNS = 1500;

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

/** Opens every dataset in the page or frame, and expects that nothing comes of it. */
async function attack(page: Page, frame: Frame, folder: string): Promise<void> {
  const input = frame.locator("input[type=file]");
  const restart = () => frame.getByTestId("start-over").evaluate((button: HTMLElement) => button.click());
  const open = async (path: string) => {
    await input.setInputFiles(path);
    return frame.evaluate(showAll);
  };
  await open(await write(folder, "good.jsonl", '{"input":{"messages":[{"role":"tool","content":"Hi"}]},"usage_output":null}\n'));
  const before = await frame.evaluate(surroundings);
  await restart();
  const attackWith = ({ name, file, bytes }: (typeof DATASETS)[number], freezes: Freezes) =>
    test.step(name, async () => {
      const path = await write(folder, file, bytes());
      await freezes.during(frame, name);
      const { verdict, strange, attachments } = await open(path);
      expect(verdict, name).toMatch(/^(valid|invalid|not-checked)$/);
      expect(strange, name).toEqual([]);
      if (name === "a PDF with scripts") expect(attachments, name).toEqual(["not-shown"]);
      if (name.includes("pixels square")) expect(attachments, name).not.toContain("image");
      expect(await frame.evaluate(surroundings), name).toEqual(before);
      expect(await page.evaluate(() => "pwned" in self || document.title === ""), name).toBe(false);
      await restart();
    });
  const most = (name: string) => (name === "wide signs" ? MAX_TASK_OF_WIDE_SIGNS : MAX_TASK);
  /** What took too long, with the milliseconds. */
  const attackWithAll = async (datasets: typeof DATASETS) => {
    const freezes = await Freezes.record(page.context().browser() as Browser);
    for (const dataset of datasets) await attackWith(dataset, freezes);
    return [...(await freezes.stop())].filter(([name, milliseconds]) => milliseconds > most(name));
  };
  const once = new Map(await attackWithAll(DATASETS));
  // Beside other work a task takes up to twice the time of the processor: what is too long only once is not the page's.
  const twice = once.size > 0 ? await attackWithAll(DATASETS.filter(({ name }) => once.has(name))) : [];
  expect(twice).toEqual([]);
}

test("there are sixty datasets", () => {
  expect(new Set(DATASETS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
});

for (const [where, address] of [
  ["the hosted page", "./"],
  ["the single file", pathToFileURL(join(DIST, "evalcheck.html")).href],
] as const) {
  test(`datasets that attack do nothing to ${where}`, async ({ page, folder }) => {
    test.setTimeout(420_000);
    const app = new App(page);
    app.allowLoadingLater("markdown.wasm");
    await app.open(address);
    await attack(page, page.mainFrame(), folder);
    expect(app.unexpectedProblems()).toEqual([]);
  });
}

test("datasets that attack do nothing to an embed and its host, and axe finds no serious problem", async ({
  page,
  host,
  evalcheck,
  watched,
  folder,
}) => {
  test.setTimeout(420_000);
  await page.goto(host.add("/", '<h1>Docs</h1><p>Text</p><eval-check format="juryarena"></eval-check>'));
  const embed = new Embed(page);
  await embed.ready();
  const frame = page.frames().find((frame) => frame.url().startsWith(`${evalcheck}index.html`)) as Frame;
  const outside = () => page.evaluate(() => document.documentElement.outerHTML.replace(/height: [\d.]+px/g, ""));
  const before = await outside();
  expect(await violations(frame)).toEqual([]);
  const requests = watched.requests.length;
  await attack(page, frame, folder);
  expect(watched.requests.slice(requests).filter((url) => !url.endsWith("/markdown.wasm"))).toEqual([]);
  expect(await outside()).toBe(before);

  const worst = DATASETS.filter(({ name }) => /^(script|order reversed|names of markup|HTML attached)$/.test(name));
  expect(worst).toHaveLength(4);
  for (const { name, file } of worst) {
    await frame.locator("input[type=file]").setInputFiles(join(folder, file));
    await frame.evaluate(showAll);
    expect(await violations(frame), name).toEqual([]);
    await frame.getByTestId("tab-sample").click();
    expect(await violations(frame), `${name}, sample`).toEqual([]);
  }
});

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
  expect(app.unexpectedProblems()).toEqual([]);
});
