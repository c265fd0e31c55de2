// All findings of a dataset: by groups and one by one, however many, with a map of the file beside them.

import { expect, full, test } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { sample } from "./support/files.ts";

/** 20,000 lines, of which every fourth has a wrong role and every thousandth is not JSON. */
const MANY = Array.from({ length: 20_000 }, (_, index) => {
  if (index % 1_000 === 999) return "{";
  return index % 4 === 3 ? sample(`number ${index + 1}`, "User") : sample("x");
}).join("\n");

test.beforeEach(async ({ app }) => {
  await app.open();
  await app.choose({ name: "many.jsonl", content: MANY });
  await app.expectVerdict("invalid");
});

test("many findings are listed by groups, and a group opens", async ({ app, page }) => {
  const groups = page.getByTestId("group");
  await expect(groups).toHaveCount(3);
  await expect(groups.first()).toContainText("4,980 records, all with a safe fix");
  await expect(groups.first()).toContainText('input.messages.*.role is "User" (allowed: system, user, assistant)');
  await expect(groups.nth(1)).toContainText("20 ");
  expect(await violations(page)).toEqual([]);

  await groups.nth(1).click();
  await expect(page.getByTestId("filter-field")).toHaveValue(/^rule:json/);
  await expect(app.findings.first()).toBeVisible();
  await expect(page.getByTestId("finding-count")).toContainText("20 of 5,001 findings");
  await page.getByTestId("show-groups").click();
  await expect(groups).toHaveCount(3);
  await expect(page.getByTestId("filter-field")).toHaveValue("");
});

test("a group is fixed from its row", async ({ page }) => {
  await page.getByTestId("fix-these").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("4,980 fixes applied, 21 findings left.");
  await expect(page.getByTestId("fix-these")).toHaveCount(0);
});

test("from four findings of one kind on they are in groups, and the selected one has its first in the details", full(), async ({ app, page }) => {
  const roles = (count: number) => ["human", "human", "User", "human"].slice(0, count).map((role) => sample("Hi", role)).join("\n");
  await app.choose({ name: "three.jsonl", content: roles(3) });
  await expect(app.verdict).toContainText("three.jsonl");
  await expect(app.findings).toHaveCount(3);
  await app.choose({ name: "four.jsonl", content: `${sample("Hi")},\n${roles(4)}` });
  await expect(app.verdict).toContainText("four.jsonl");
  const groups = page.getByTestId("group");
  await expect(groups).toHaveCount(2);
  await expect(groups.first()).toContainText('is "human" (allowed: system, user, assistant), and others');
  await page.getByTestId("group-list").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 2");
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 1");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("finding-list")).toBeFocused();
});

test("a group is fixed at once", full(), async ({ page }) => {
  await page.getByTestId("group").first().click();
  await expect(page.getByTestId("fix-group")).toHaveText("Fix these 4,980");
  await page.getByTestId("fix-group").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("4,980 fixes applied, 21 findings left.");
});

test("every finding is reached by number, and the keyboard goes on from there", async ({ app, page }) => {
  await page.getByTestId("show-groups").click();
  await expect(page.getByTestId("finding-count")).toContainText("5,001 findings in 3 groups");
  const list = page.getByTestId("finding-list");
  await list.focus();
  await page.keyboard.press("End");
  const title = page.locator(".detail-pane h2");
  // The last one is about the file as a whole.
  await expect(title).toHaveText("The file");
  await page.keyboard.press("ArrowUp");
  await expect(title).toHaveText("Line 20,000");
  await page.keyboard.press("ArrowUp");
  await expect(title).toHaveText("Line 19,996");
  await page.keyboard.press("p");
  await expect(title).toHaveText("Line 19,992");
  await expect(page.locator('[data-testid="finding"][aria-selected="true"]')).toContainText("line 19992:");
  await expect(page.locator('[data-testid="finding"][aria-selected="true"]')).toHaveAttribute("aria-setsize", "5001");
  expect(await app.findings.count()).toBeLessThan(60);
});

test("the map goes to a part of the file", full(), async ({ page }) => {
  await page.getByTestId("show-groups").click();
  const map = page.getByTestId("file-map");
  const click = async (part: number) => {
    const shape = await map.boundingBox();
    if (shape === null) throw new Error("There is no map.");
    await map.click({ position: { x: shape.width / 2, y: Math.min(shape.height * part, shape.height - 2) } });
  };
  await click(0.5);
  const title = page.locator(".detail-pane h2");
  await expect(title).toHaveText(/^Line (9,9|10,0)\d\d$/);
  await page.getByTestId("tab-lines").click();
  await click(1);
  await expect(title).toHaveText(/^Line 19,[89]\d\d$/);
});

test("a filter of records keeps the findings of those", full(), async ({ app, page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill('"number 4000"');
  await field.press("Enter");
  await expect(app.findings).toHaveCount(0);
  await field.fill('"number 4004"');
  await field.press("Enter");
  await expect(app.findings).toHaveCount(1);
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 4,004");
});

test("the summary is copied with the verdict, the groups and their first lines", full(), async ({ app, page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.act("copy-summary");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain("`many.jsonl: invalid (juryarena): 20000 records, 5000 with errors`");
  expect(text).toContain("- **error** `shape/invalid-enum-value` at `input.messages.*.role`: ");
  expect(text).toContain("(4980 findings; lines 4, 8, 12, ...)");
});
