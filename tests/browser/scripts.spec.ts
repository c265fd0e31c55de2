// Text in scripts other than Latin: read from right to left, joined letters, joined emoji. It is shown as people write it, and does
// not reorder what is around it.

import type { Locator } from "@playwright/test";

import { expect, full, test } from "./support/app.ts";
import { sample } from "./support/files.ts";

const FAMILY = "👩\u{200d}👩\u{200d}👧";
const PERSIAN = "می\u{200c}خواهم";
const HINDI = "क्\u{200d}ष";

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("joined emoji and words are whole, joiners that hide are shown", async ({ app, page }) => {
  const text = `${FAMILY} ${PERSIAN} ${HINDI} ad\u{200d}min`;
  await app.choose({ name: "a.jsonl", content: `${sample(text)}\n${sample(text, `use${"\u{200d}"}r`)}\n` });
  await app.expectVerdict("invalid");
  const shown = `${FAMILY} ${PERSIAN} ${HINDI} ad⟨U+200D⟩min`;
  await expect(page.getByTestId("source").locator(".chosen")).toContainText(shown);
  // In a role, a joiner is suspicious wherever it is.
  await expect(page.getByTestId("span")).toHaveText('"use⟨U+200D⟩r"');
  await app.showLines();
  await expect(app.line(1)).toContainText(shown);
  await app.line(1).click();
  await app.showSample();
  await expect(page.getByTestId("turn")).toContainText(shown);
});

test("an id with a joiner between Persian letters shows it", full(), async ({ app, page }) => {
  const metadata = '{"total_samples":2,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}';
  const line = `[{"type":"text","id":"${PERSIAN}","text":"One."}]`;
  await app.choose({ name: "samples.jsonl", content: `${metadata}\n${line}\n${line}\n` });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("finding-detail").locator("h3")).toContainText("می⟨U+200C⟩خواهم");
});

/** The left edges of the characters of a text within an element, in the order of the text. */
const edges = (element: Locator, text: string): Promise<number[]> =>
  element.evaluate((root, wanted) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const places: [Node, number][] = [];
    let all = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const data = node.textContent ?? "";
      for (let at = 0; at < data.length; at += 1) places.push([node, at]);
      all += data;
    }
    const start = all.indexOf(wanted);
    if (start < 0) throw new Error(`${wanted} is not in ${all}`);
    return places.slice(start, start + wanted.length).map(([node, at]) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    });
  }, text);

/** Whether numbers grow. */
const grow = (numbers: number[]): boolean => numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));

test("a message is laid out from right to left, each paragraph by itself", full(), async ({ app, page }) => {
  await app.choose({ name: "a.jsonl", content: sample("שלום!\nHello!") });
  await app.expectVerdict("valid");
  await app.showSample();
  const text = page.getByTestId("turn").locator(".turn-text");
  // The exclamation mark is on the left of the Hebrew words, and they are at the right edge.
  const hebrew = await edges(text, "שלום!");
  expect(grow([...hebrew].reverse())).toBe(true);
  const box = await text.boundingBox();
  expect(hebrew[0]).toBeGreaterThan((box?.x ?? 0) + (box?.width ?? 0) - 60);
  expect(grow(await edges(text, "Hello!"))).toBe(true);
});

test("strings from right to left do not reorder the JSON around them", full(), async ({ app, page }) => {
  const record = '{"input":{"messages":[{"role":"tool","content":"שלום, עולם","n":5}]},"usage_output":null}';
  await app.choose({ name: "a.jsonl", content: `${record}\n` });
  await app.expectVerdict("invalid");
  const inOrder = async (element: Locator) => {
    const places = await Promise.all(['"content":"', 'ש', '","n":5}'].map((part) => edges(element, part)));
    expect(grow(places.flat())).toBe(true);
    // The comma is within the string, in the order of the Hebrew words.
    expect(grow((await edges(element, "שלום, עולם")).reverse())).toBe(true);
  };
  await page.setViewportSize({ width: 1900, height: 900 });
  await app.showLines();
  await inOrder(app.line(1));
  await page.getByTestId("tab-source").click();
  await expect(page.getByTestId("span")).toHaveText('"tool"');
  const source = page.getByTestId("source").locator(".record-text");
  const after = await edges(source, '","n":5}');
  expect(grow(after)).toBe(true);
});

test("cells, keys and file names from right to left keep their places", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 1900, height: 900 });
  await app.choose({ name: "שלום.csv", content: "query_id,query_text,relevant_doc_ids\nq1,שלום,5\n" });
  await expect(app.verdict).toBeVisible();
  expect(grow(await edges(page.getByTestId("verdict").locator(".file-name"), ".csv"))).toBe(true);
  await app.showLines();
  const row = app.line(2);
  expect(grow([...(await edges(row, "q1,")), ...(await edges(row, ",5"))])).toBe(true);
  expect((await edges(row, "ם,5"))[0]).toBeLessThan((await edges(row, ",5"))[0] ?? 0);
});
