// Files with more findings than are listed.

import { countWork } from "../hostile/work.js";
import { expect, full, test } from "./support/app.ts";
import { writeLines } from "./support/files.ts";
import { join } from "node:path";

const RECORDS = 25_000;
const KEPT = 5_000;

// Each record has four wrong roles.
const record = JSON.stringify({
  input: { messages: Array.from({ length: 4 }, (_, n) => ({ role: "tool", content: `turn ${n}` })) },
  usage_output: null,
});

test("100,000 findings: exact counts, a list of all, few elements, and scrolling renders few", async ({ app, page, folder }) => {
  const path = join(folder, "all-wrong.jsonl");
  await writeLines(path, RECORDS, () => record);
  await page.addInitScript(countWork);
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await expect(app.count("errors")).toHaveText("100,000");
  await expect(app.count("invalid")).toHaveText("25,000");
  await page.getByTestId("show-groups").click();
  await expect(page.getByTestId("finding-count")).toContainText("100,001 findings");

  // The number of elements does not depend on the number of findings.
  const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
  expect(await elements()).toBeLessThan(1500);
  expect(await app.findings.count()).toBeLessThan(100);

  // Scrolls from top to bottom: rows are visible at every step, and no task renders more than those.
  const taken = () => page.evaluate(() => (self as unknown as { takeWork(): { elements: number } }).takeWork());
  await taken();
  const list = page.getByRole("listbox", { name: "Findings" });
  const empty = await list.evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let empty = 0;
    for (let step = 1; step <= 90; step += 1) {
      element.scrollTop = ((element.scrollHeight - element.clientHeight) * step) / 90;
      const { left, top, height } = element.getBoundingClientRect();
      const hasRow = () => document.elementFromPoint(left + 40, top + height / 2)?.closest("[role=option]");
      // Findings that arrive meanwhile can make the rows some frames late.
      for (let frames = 0; frames < 3 || (frames < 120 && !hasRow()); frames += 1) await frame();
      if (!hasRow()) empty += 1;
    }
    return empty;
  });
  expect(empty, "steps without rows").toBe(0);
  expect((await taken()).elements).toBeLessThan(1_000);
  await expect(app.findings.last()).toBeInViewport();
  expect(await app.findings.count()).toBeLessThan(100);

  // The report has not all of them.
  await app.showLines();
  await app.goToLine(RECORDS);
  await expect(app.line(RECORDS)).toHaveAttribute("data-severity", "error");
  await app.line(RECORDS).click();
  await page.getByTestId("tab-source").click();
  await expect(page.getByTestId("finding-detail")).toContainText("input.messages.0.role");
  expect(await elements()).toBeLessThan(1500);

  const { report } = await app.downloadedReport();
  expect(report.truncated).toBe(true);
  expect(report.counts.by_code["shape/invalid-enum-value"]).toBe(100_000);
  expect(report.findings.filter(({ code }) => code === "shape/invalid-enum-value")).toHaveLength(KEPT);
});

const GOOD = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';

test("as many findings are fixed as the buttons say", full(), async ({ app, page, folder }) => {
  const lines = [
    GOOD.replace('"user"', '"User"'),
    `${GOOD},`,
    GOOD.replace("null", "None"),
    GOOD,
  ];
  const path = join(folder, "fixable.jsonl");
  await writeLines(path, 30_000, (n) => lines[n % 4] ?? "");
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fix-bar")).toContainText("Apply 22,500 safe fixes");
  await expect(page.getByTestId("apply-rule")).toHaveText("Apply to all 7,500 of this rule");
  await page.getByTestId("apply-rule").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("7,500 fixes applied, 15,001 findings left.");
  await expect(page.getByTestId("fix-bar")).toContainText("Apply 15,000 safe fixes");
  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("fix-bar")).toContainText("Apply 22,500 safe fixes");
  await app.act("apply-safe");
  await app.expectVerdict("valid");
  await expect(page.getByTestId("fixes-applied")).toContainText("22,500 fixes applied, 1 finding left.");
});

test("the next and the previous invalid line are found beyond the findings that are listed", full(), async ({ app, page, folder }) => {
  // 6,000 invalid lines, then every thousandth.
  const wrong = GOOD.replace('"user"', '"tool"');
  const path = join(folder, "long.jsonl");
  await writeLines(path, 20_000, (n) => (n <= 6_000 || n % 1_000 === 500 ? wrong : GOOD));
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await app.showLines();
  const expectLine = (number: number) => expect(app.line(number)).toHaveAttribute("aria-selected", "true");
  await app.goToLine(5_999);
  for (const number of [6_000, 6_500, 7_500]) {
    await page.getByTestId("next-invalid").click();
    await expectLine(number);
  }
  for (const number of [6_500, 6_000, 5_999]) {
    await page.getByTestId("previous-invalid").click();
    await expectLine(number);
  }
  await app.goToLine(20_000);
  await page.getByTestId("next-invalid").click();
  await page.getByTestId("previous-invalid").click();
  await expectLine(19_500);
});
