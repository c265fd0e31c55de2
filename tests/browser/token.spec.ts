// A finding shows its place in the source first: what it is about, or what its fix changes, is visible without scrolling.

import { readFile } from "node:fs/promises";

import { expect, full, test, type App } from "./support/app.ts";
import { sample } from "./support/files.ts";

/** Golden cases of seven formats, and how many of their first findings are looked at. */
const CASES: [string, number][] = [
  ["juryarena/doubled-quotes-and-commas/input.jsonl", 2],
  ["juryarena/document-failing-example/input.jsonl", 1],
  ["juryarena/conversations-of-from-and-value/input.jsonl", 1],
  ["eee-instance/0.3.0-types/input.jsonl", 2],
  ["eee-instance/decimal-commas/input.jsonl", 2],
  ["tencent-infer/backslashes-of-paths-and-latex/input.jsonl", 2],
  ["tencent-infer/missing-keys/input.jsonl", 1],
  ["tencent-eval/wrong-types/input.jsonl", 2],
  ["tencent-manual/csv-blank-prompts/input.csv", 1],
  ["tencent-manual/csv-commas-without-quotes-in-some-rows/input.csv", 1],
  ["evret/broken-elements/input.json", 2],
  ["evret/coerced/input.json", 2],
  ["quest/header-duplicate-key/input.jsonl", 1],
  ["quest/dropped-lines/input.jsonl", 1],
];

const LONG = "The quick brown fox. ".repeat(5_000);
const TENCENT = (length: number) =>
  `${JSON.stringify({ messages: [{ role: "user", content: LONG.repeat(length) }, { role: "human", content: "Hi" }] })}\n`;

/** Lines of 100 kB, 1 MB and 10 MB with the mistake at the end, and one whose value is as long. */
const LONG_LINES: [string, string][] = [
  ["100kB.jsonl", TENCENT(1)],
  ["1MB.jsonl", `${sample(LONG.repeat(10)).replace(/}$/, ",}")}\n`],
  ["10MB.jsonl", TENCENT(100)],
  ["role.jsonl", `${sample("Hi", LONG.repeat(100))}\n`],
];

/** Shows the finding of a row, and expects to see what it is about. */
async function expectToken(app: App, what: string, row: number): Promise<void> {
  const { page } = app;
  const back = page.getByTestId("back");
  if (await back.isVisible()) await back.click();
  // Of a file that fits several systems, these are in front.
  await expect(app.verdict, what).toHaveAttribute("data-verdict", /valid|undecided/);
  if ((await app.verdict.getAttribute("data-verdict")) === "undecided") await page.getByTestId("tab-findings").click();
  await app.listFindings();
  await app.findings.nth(row).click();
  const card = page.getByTestId("finding-detail");
  await expect(card, what).toBeVisible();
  const shown = card.getByTestId("token").or(card.getByTestId("fix-diff").locator("ins, del"));
  await expect(shown.first(), what).toBeAttached();
  const isSeen = (elements: (HTMLElement | SVGElement)[]) =>
    elements.some((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = document.elementFromPoint(left + Math.min(width, 8) / 2, top + height / 2);
      return width > 0 && top >= 0 && top + height <= innerHeight && at !== null && (element.contains(at) || at.contains(element));
    });
  await expect.poll(() => shown.evaluateAll(isSeen), what).toBe(true);
}

for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]] as const) {
  test(`what a finding is about is seen at once at ${width} x ${height}`, full(width !== 390), async ({ app, page }) => {
    await page.setViewportSize({ width, height });
    await app.open();
    let seen = 0;
    for (const [file, findings] of CASES) {
      const content = await readFile(new URL(`../cases/${file}`, import.meta.url));
      await app.choose({ name: file.replaceAll("/", "-"), content });
      await expect(app.verdict, file).toContainText(file.replaceAll("/", "-"));
      for (let row = 0; row < findings; row += 1, seen += 1) await expectToken(app, `${file} ${row}`, row);
    }
    for (const [name, content] of LONG_LINES) {
      await app.choose({ name, content });
      await expect(app.verdict, name).toContainText(name);
      await expectToken(app, name, 0);
      seen += 1;
    }
    expect(seen).toBe(25);
  });
}
