// The list of records: any layout, read where it is shown, and each record opened by itself.

import { expect, test } from "./support/app.ts";
import { sample } from "./support/files.ts";

test.beforeEach(({ app }) => app.open());

test("the records of a valid file are listed first, with question, answer and columns", async ({ app, page }) => {
  const record =
    '{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]},"usage_output":"In France."}';
  await app.choose({ name: "data.jsonl", content: `${record}\n\n${sample("second")}\n` });
  await app.expectVerdict("valid");
  const records = page.getByTestId("record");
  await expect(records).toHaveCount(2);
  await expect(records.first()).toContainText("Where is Paris?");
  await expect(records.nth(1)).toContainText("second");
  await records.nth(1).click();
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");
  await expect(page.getByTestId("turn")).toContainText("second");
});

test("records of one line are opened by themselves", async ({ app, page }) => {
  const query = (n: number) => `{"query_id":"q${n}","query_text":"question ${n}","relevant_doc_ids":["d${n}"]}`;
  const content = `{"queries":[${[1, 2, 3].map(query).join(",")}]}`;
  await app.choose({ name: "data.json", content });
  await expect(app.verdict).toBeVisible();
  await page.getByTestId("tab-records").click();
  const records = page.getByTestId("record");
  await expect(records).toHaveCount(3);
  await records.nth(1).click();
  await page.getByTestId("tab-sample").click();
  await expect(page.locator(".detail-body")).toContainText("question 2");
  await expect(page.locator(".detail-body")).not.toContainText("question 1");
  await page.getByTestId("record-list").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".detail-body")).toContainText("question 3");
});

test("any record of a long file is shown where the list is scrolled to", async ({ app, page }) => {
  const lines = Array.from({ length: 50_000 }, (_, n) => sample(`number ${n + 1}`));
  await app.choose({ name: "long.jsonl", content: lines.join("\n") });
  await app.expectVerdict("valid");
  // It has a warning: more records than the system takes by default.
  await page.getByTestId("tab-records").click();
  const list = page.getByTestId("record-list");
  await list.focus();
  await page.keyboard.press("End");
  await expect(page.locator('[data-record="49999"]')).toContainText("number 50000");
  await page.keyboard.press("Home");
  await expect(page.locator('[data-record="0"]')).toContainText("number 1");
});
