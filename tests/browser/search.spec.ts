// The search for records: what is found, however it is escaped, and what is said of a wrong query.

import { expect, test } from "./support/app.ts";

const CONVERSATIONS = [
  '{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]}}',
  '{"input":{"messages":[{"role":"user","content":"Gr\\u00fc\\u00dfe aus \\u6771\\u4eac"}]}}',
  '{"input":{"messages":[{"role":"human","content":"I like PARIS"}]}}',
].join("\n");

test.beforeEach(async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "data.jsonl", content: CONVERSATIONS });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-search").click();
});

test("records are found and shown", async ({ page }) => {
  const field = page.getByTestId("search-field");
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
});

test("a wrong query says what is wrong, and where", async ({ page }) => {
  const field = page.getByTestId("search-field");
  await field.fill("paris is:good");
  await field.press("Enter");
  await expect(page.getByTestId("search-status")).toHaveText(
    '"is" takes valid, invalid, lost, fixable.',
  );
  const mistake = page.getByTestId("query-mistake");
  await expect(mistake).toHaveText("paris is:good");
  await expect(mistake.locator("mark")).toHaveText("good");
  await field.fill("paris");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(2);
  await expect(mistake).toBeHidden();
});

test("the list of hits is used by keyboard", async ({ page }) => {
  const field = page.getByTestId("search-field");
  await field.fill("is:invalid");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await page.getByTestId("hit-list").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("hit")).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");
});
