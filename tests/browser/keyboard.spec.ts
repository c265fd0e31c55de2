// The keyboard shortcuts: what each does, where they do nothing, and the dialog that lists them.

import { expect, full, test } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { sample } from "./support/files.ts";

const LINES = [sample("a"), sample("b", "User"), sample("c"), sample("d", "tool"), sample("e", "User")].join("\n");

test.beforeEach(async ({ app }) => {
  await app.open();
  await app.choose({ name: "keys.jsonl", content: LINES });
  await app.expectVerdict("invalid");
});

test("letters move in the list in front, and between invalid lines", async ({ page }) => {
  const title = page.locator(".detail-pane h2");
  await expect(title).toHaveText("Line 2");
  await page.keyboard.press("j");
  await expect(title).toHaveText("Line 4");
  await page.keyboard.press("k");
  await expect(title).toHaveText("Line 2");
  await page.keyboard.press("n");
  await expect(title).toHaveText("Line 4");
  await expect(page.getByTestId("finding").nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("4");
  await expect(page.getByTestId("line-list")).toBeFocused();
  await page.keyboard.press("p");
  await expect(title).toHaveText("Line 2");
  await page.keyboard.press("j");
  await expect(title).toHaveText("Line 3");
  await page.keyboard.press("2");
  await expect(page.getByTestId("tab-records")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("n");
  await expect(title).toHaveText("Line 4");
  await page.keyboard.press("1");
  await expect(page.getByTestId("tab-findings")).toHaveAttribute("aria-selected", "true");
});

test("keys open the search and the field for a line, and write in fields", full(), async ({ page }) => {
  const search = page.getByTestId("filter-field");
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("");
  await page.keyboard.type("j/?");
  await expect(search).toHaveValue("j/?");
  await expect(page.getByTestId("keys")).toBeHidden();
  await page.getByTestId("tab-findings").focus();
  await page.keyboard.press("Shift+J");
  await page.keyboard.press("Alt+g");
  await expect(search).toBeVisible();
  await page.keyboard.press("g");
  await expect(page.getByTestId("goto-line")).toBeFocused();
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");
});

test("numbers show the tabs in their order, and those of the menu after them", async ({ page }) => {
  const tabs = page.getByRole("tablist", { name: "Lists" }).getByRole("tab");
  await expect(tabs).toHaveText(["Findings", "Records", "Overview", "Lines", "Fixes"]);
  for (const [place, tab] of (await tabs.all()).entries()) {
    await page.keyboard.press(String(place + 1));
    await expect(tab).toHaveAttribute("aria-selected", "true");
  }
  await page.keyboard.press("6");
  await expect(tabs.last()).toHaveText("Schema");
  await expect(tabs.last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("7");
  await expect(tabs.last()).toHaveText("Systems");
  await page.keyboard.press("8");
  await expect(tabs.last()).toHaveText("Systems");
});

test("Escape leaves a field for the list, Tab leaves it for the list after it", async ({ page }) => {
  await page.keyboard.press("g");
  await expect(page.getByTestId("goto-line")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("line-list")).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");

  const search = page.getByTestId("filter-field");
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await expect(page.locator(".suggestion").first()).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByTestId("goto-line")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(search).toBeFocused();
  // The first Escape closes the suggestions.
  await page.keyboard.press("Escape");
  await expect(search).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("line-list")).toBeFocused();

  // Without a list, a key that was meant for the page is not written into the field.
  await search.fill("rule:no/such");
  await search.press("Enter");
  await page.getByTestId("tab-findings").click();
  await expect(page.getByText("No findings match the filter.")).toBeVisible();
  await search.focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(search).not.toBeFocused();
  await page.keyboard.press("4");
  await expect(page.getByTestId("line-list")).toBeFocused();
});

test("Enter leads from a list to the details, Escape back", full(), async ({ page }) => {
  const details = page.locator(".detail-body");
  for (const [key, list] of [["1", "finding-list"], ["2", "record-list"], ["4", "line-list"]] as const) {
    await page.keyboard.press(key);
    await expect(page.getByTestId(list)).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(details).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId(list)).toBeFocused();
  }
  // A click leaves the keys to the list.
  await page.getByTestId("line").nth(2).click();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 4");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("line-list")).toBeFocused();
});

test("Ctrl+F opens the search; in the field it is the browser's", full(), async ({ page }) => {
  const takes = () =>
    page.evaluate(() => {
      const target = document.activeElement ?? document.body;
      const event = new KeyboardEvent("keydown", { key: "f", ctrlKey: true, bubbles: true, cancelable: true });
      return !target.dispatchEvent(event);
    });
  expect(await takes()).toBe(true);
  await expect(page.getByTestId("filter-field")).toBeFocused();
  expect(await takes()).toBe(false);
});

test("keys apply a fix, take it back and edit", async ({ page }) => {
  await expect(page.getByTestId("apply-fix")).toBeVisible();
  await page.keyboard.press("f");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await expect(page.getByTestId("finding")).toHaveCount(2);
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("fixes-applied")).toBeHidden();
  await expect(page.getByTestId("finding")).toHaveCount(3);
  await expect(page.getByTestId("edit")).toBeVisible();
  await page.keyboard.press("e");
  await expect(page.getByTestId("edit-text")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("edit")).toBeFocused();
});

test("F6 leads to the details and back, Escape on a narrow screen to the list", full(), async ({ page }) => {
  const list = page.getByRole("listbox", { name: "Findings" });
  const details = page.locator(".detail-body");
  await list.focus();
  await page.keyboard.press("F6");
  await expect(details).toBeFocused();
  await page.keyboard.press("F6");
  await expect(list).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("F6");
  await expect(details).toBeFocused();
  await expect(list).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(list).toBeFocused();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a dialog lists the shortcuts, ${colorScheme}`, full(colorScheme !== "dark"), async ({ app, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const keys = page.getByTestId("keys");
    await page.keyboard.press("?");
    await expect(keys.locator("dt")).toHaveCount(20);
    await expect(keys).toContainText("Ctrl+Z");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("3");
    await page.keyboard.press("Escape");
    await expect(keys).toBeHidden();
    await expect(page.getByTestId("tab-findings")).toHaveAttribute("aria-selected", "true");
    await app.act("show-keys");
    await expect(keys).toBeVisible();
    await page.getByTestId("close-keys").click();
    await expect(keys).toBeHidden();
    await expect(page.getByTestId("menu-open")).toBeFocused();
  });
}
