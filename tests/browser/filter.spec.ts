// The filter: one text that findings, records, chips and groups share; what it keeps, its suggestions, and what is said of a wrong one.

import { expect, full, test } from "./support/app.ts";

const CONVERSATIONS = [
  '{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]}}',
  '{"input":{"messages":[{"role":"user","content":"Gr\\u00fc\\u00dfe aus \\u6771\\u4eac"}]}}',
  '{"input":{"messages":[{"role":"human","content":"I like PARIS"}]}}',
].join("\n");

test.beforeEach(async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "data.jsonl", content: CONVERSATIONS });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-records").click();
  await page.keyboard.press("/");
});

test("records are found and shown", async ({ page }) => {
  const field = page.getByTestId("filter-field");
  await expect(field).toBeFocused();
  const status = page.getByTestId("search-status");
  const hits = page.getByTestId("hit");
  await field.fill("paris");
  await field.press("Enter");
  await expect(status).toHaveText("2 records match.");
  await expect(hits).toHaveCount(2);
  await expect(hits.nth(1).locator("mark")).toHaveText("PARIS");
  await hits.nth(1).click();
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");

  await field.fill("東京");
  await field.press("Enter");
  await expect(status).toHaveText("1 record matches.");
  await expect(hits).toContainText("Grüße aus 東京");

  await field.fill("role:user -paris");
  await field.press("Enter");
  await expect(hits).toHaveCount(1);
  await expect(hits).toHaveAttribute("data-line", "2");

  await field.fill("London");
  await field.press("Enter");
  await expect(status).toHaveText("No record matches.");
  await expect(hits).toHaveCount(0);
  await page.getByTestId("clear-filter").click();
  await expect(page.getByTestId("record")).toHaveCount(3);
});

test("findings are those of the records that match", full(), async ({ app, page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill("paris");
  await field.press("Enter");
  await page.getByTestId("tab-findings").click();
  await expect(app.findings).toHaveCount(1);
  await field.fill("paris -role:human");
  await field.press("Enter");
  await expect(app.findings).toHaveCount(0);
  await expect(page.locator(".list-pane .empty")).toHaveText("No findings match the filter.");
});

test("chips write the filter and read it", full(), async ({ app, page }) => {
  const field = page.getByTestId("filter-field");
  await page.getByTestId("filter-errors").click();
  await expect(field).toHaveValue("severity:error");
  await expect(page.getByTestId("tab-findings")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("filter-errors")).toHaveAttribute("aria-pressed", "true");
  await field.fill("severity:info");
  await field.press("Enter");
  await expect(page.getByTestId("filter-errors")).toHaveAttribute("aria-pressed", "false");
  await expect(app.findings).toHaveCount(0);
  await page.getByTestId("filter-errors").click();
  await page.getByTestId("filter-errors").click();
  await expect(field).toHaveValue("");
  await expect(app.findings).toHaveCount(1);
});

test("a wrong text says what is wrong, and where, and the last filter stays", async ({ page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill("paris");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(2);
  await field.fill("東京 is:good");
  await field.press("Enter");
  await expect(page.getByTestId("filter-why")).toHaveText('"is" takes valid, invalid, lost, fixable, changed, duplicate.');
  const mistake = page.getByTestId("query-mistake");
  await expect(mistake).toHaveText("東京 is:good");
  await expect(mistake.locator("mark")).toHaveText("good");
  await expect(page.getByTestId("hit")).toHaveCount(2);
  await field.fill("東京");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await expect(mistake).toBeHidden();
});

test("the keyboard completes terms", full(), async ({ page }) => {
  const field = page.getByTestId("filter-field");
  const suggestions = page.getByTestId("suggestion");
  await expect(suggestions.first()).toBeVisible();
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.type("seve");
  await expect(suggestions).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await expect(field).toHaveAttribute("aria-activedescendant", "filter-suggestions-0");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("severity:");
  await page.keyboard.type("err");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("severity:error");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await field.fill("paris rule:");
  await suggestions.first().click();
  await expect(field).toHaveValue(/^paris rule:\S+$/);
  await page.keyboard.press("Escape");
  await expect(suggestions.first()).toBeHidden();
});

test("the list of hits is used by keyboard", full(), async ({ page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill("is:invalid");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await page.getByTestId("hit-list").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("hit")).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");
});

test("with a filter, the lines of the records that match are marked, and gone to", full(), async ({ app, page }) => {
  await app.showLines();
  await expect(page.getByTestId("next-invalid")).toBeVisible();
  const field = page.getByTestId("filter-field");
  await field.fill("paris");
  await field.press("Enter");
  await expect(page.getByTestId("line-matches")).toHaveText("2 records match. Other lines are dimmed.");
  await expect(app.line(1)).toHaveClass(/\bmatch\b/);
  await expect(app.line(2)).toHaveClass(/\bdimmed\b/);
  await expect(app.line(3)).toHaveClass(/\bmatch\b/);
  await expect(app.line(3)).toContainText("matches");
  await app.line(1).click();
  await page.getByTestId("next-match").click();
  await expect(app.line(3)).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("line-list").focus();
  await page.keyboard.press("p");
  await expect(app.line(1)).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("clear-filter").click();
  await expect(page.getByTestId("line-matches")).toHaveCount(0);
  await expect(app.line(2)).not.toHaveClass(/\bdimmed\b/);
  await field.fill("is:blank");
  await field.press("Enter");
  await expect(page.getByTestId("filter-why")).toContainText("the list of lines shows them");
});
