// The bar with the verdict: its height, its one action, its menu, and its notes.

import { expect, full, test, type App } from "./support/app.ts";
import { sample, WRONG_ROLE_ON_LINE_12, write } from "./support/files.ts";

const GOOD = sample("Hi");
const COMMA = `${GOOD},`;
const FIXABLE = [COMMA, sample("Hi", "User"), sample("Hi", "tool"), GOOD].join("\n");
const LETTER = "Dear all,\nno dataset.\n";
/** Neither its keys nor anything else says which system it is for. */
const UNCERTAIN = `${JSON.stringify({ messages: [{ role: "user", content: "Hi" }] })}\n`;

const FILES: Record<string, { name: string; content: string }> = {
  valid: { name: "valid.jsonl", content: GOOD },
  "invalid with fixes": { name: "fixes.jsonl", content: FIXABLE },
  "invalid without fixes": { name: `${"long-".repeat(30)}.jsonl`, content: WRONG_ROLE_ON_LINE_12 },
  unknown: { name: "letter.txt", content: LETTER },
  uncertain: { name: "uncertain.jsonl", content: UNCERTAIN },
};

/** The heights of the bar and of the visible part of what is below it, in pixels. */
const heights = (app: App) =>
  app.page.evaluate(() => {
    const of = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const data = of(".workspace, .expected, .file-pane");
    const end = Math.min(data?.bottom ?? 0, innerHeight);
    return { bar: of(".bar")?.height ?? 0, data: end - (data?.top ?? 0), headline: of(".bar h1")?.width ?? 0 };
  });

for (const [width, height, most, share] of [
  [1440, 900, 64, 0.8],
  [1024, 768, 64, 0.8],
  [390, 844, 58, 0.8],
] as const) {
  test(`the data has most of the screen at ${width} x ${height}`, full(width !== 390), async ({ app, page, folder }) => {
    await page.setViewportSize({ width, height });
    await app.open();
    for (const [what, file] of Object.entries(FILES)) {
      await app.choose(file);
      await expect(app.verdict, what).toContainText(file.name);
      const { bar, data } = await heights(app);
      // A question and its field are shown in full.
      const [highest, least] = width === 390 && what === "uncertain" ? [150, 0.7] : [most, share];
      expect.soft(bar, what).toBeLessThanOrEqual(highest);
      expect.soft(data / height, what).toBeGreaterThanOrEqual(least);
    }
    await app.input.setInputFiles([await write(folder, "a.jsonl", FIXABLE), await write(folder, "b.jsonl", GOOD)]);
    await expect(page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
    const { bar, data } = await heights(app);
    const [highest, least] = width === 390 ? [150, 0.7] : [most, share];
    expect.soft(bar, "overview").toBeLessThanOrEqual(highest);
    expect.soft(data / height, "overview").toBeGreaterThanOrEqual(least);
  });
}

test.describe("with touch", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("controls are large, and the bar is low", full(), async ({ app, page }) => {
    await app.open();
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".bar :is(button, select, summary), .list-pane :is(button, input)")]
          .filter((control) => control.checkVisibility() && !control.matches(".link"))
          .filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
          .map((control) => control.getAttribute("data-testid") ?? control.textContent),
      );
    for (const [what, file] of Object.entries(FILES)) {
      await app.choose(file);
      await expect(app.verdict, what).toContainText(file.name);
      expect.soft(await small(), what).toEqual([]);
      const { bar, data } = await heights(app);
      expect.soft(bar, what).toBeLessThanOrEqual(what === "uncertain" ? 190 : 58);
      expect.soft(data / 844, what).toBeGreaterThanOrEqual(what === "uncertain" ? 0.6 : 0.8);
    }
  });
});

test("on a narrow screen nothing of the bar is lost", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await app.open();
  await app.choose(FILES.uncertain ?? "");
  await app.expectVerdict("undecided");
  await expect(page.getByTestId("format-select")).toBeInViewport({ ratio: 1 });
  await app.choose({ name: "samples.jsonl", content: FIXABLE });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("menu-open")).toBeInViewport({ ratio: 1 });
  await page.getByTestId("details-toggle").focus();
  await expect(page.getByTestId("details-toggle")).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(app.verdict.locator("button.primary")).toBeInViewport({ ratio: 1 });
  await expect(page.getByTestId("format-select")).toBeInViewport({ ratio: 1 });
  await page.getByTestId("filter-errors").click();
  // Open, it shows its sentences in full.
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll(".bar h1, .bar-facts > *")].filter((part) => part.scrollWidth > part.clientWidth + 1).length,
  );
  expect(cut).toBe(0);
  await expect(page.getByTestId("detection")).toBeVisible();
});

test("the one action follows the state: review, apply, download", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: FIXABLE });
  await app.expectVerdict("invalid");
  const primary = app.verdict.locator("button.primary");
  await expect(primary).toHaveText("Review 2 fixes");
  await page.getByTestId("tab-lines").click();
  await primary.click();
  await expect(page.getByTestId("fix-kind").first()).toContainText("Delete the comma");
  await expect(primary).toHaveText("Apply 2 fixes");
  await page.getByTestId("tab-findings").click();
  await expect(app.findings).toHaveCount(3);
  await expect(primary).toHaveText("Review 2 fixes");

  await primary.click();
  await expect(primary).toHaveText("Apply 2 fixes");
  await primary.click();
  await expect(page.getByTestId("fixes-applied")).toContainText("2 fixes applied, 1 finding left.");
  await expect(app.findings).toHaveCount(1);
  await expect(primary).toHaveText("Download fixed dataset");
  await Promise.all([page.waitForEvent("download"), primary.click()]);
  await expect(primary).toHaveCount(0);
  await expect(await app.reach("download-fixed")).toBeVisible();
});

test("the menu is operated with the keyboard", full(), async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: FIXABLE });
  await app.expectVerdict("invalid");
  const open = page.getByTestId("menu-open");
  const item = page.getByTestId("start-over");
  await open.focus();
  await page.keyboard.press("Enter");
  await expect(item).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByTestId("apply-safe")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(item).toBeHidden();
  await expect(open).toBeFocused();

  // It closes when the focus leaves it, and when something else is pressed.
  await page.keyboard.press("Enter");
  await expect(item).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await expect(item).toBeHidden();
  await expect(page.getByTestId("details-toggle")).toBeFocused();
  await open.click();
  await expect(item).toBeVisible();
  await app.findings.first().click();
  await expect(item).toBeHidden();

  // A button that says what became of the press stays.
  expect(await app.copiedReport()).toContain("Found 3 errors.");
  await expect(page.getByTestId("copy-report")).toBeVisible();
  await Promise.all([page.waitForEvent("download"), page.getByTestId("download-json").click()]);
  await expect(item).toBeHidden();
});

test("a dot says that the details have notes", full(), async ({ app, page }) => {
  await app.open();
  const toggle = page.getByTestId("details-toggle");
  await app.choose({ name: "samples.jsonl", content: GOOD });
  await app.expectVerdict("valid");
  await expect(toggle).toHaveText("Details");
  await expect(toggle.locator(".dot")).toHaveCount(0);
  await expect(page.getByTestId("detection")).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByTestId("detection")).toContainText("line 1 has input.messages");
  await expect(page.getByTestId("counts")).toBeVisible();
  await toggle.click();

  // The columns tell the release.
  await app.choose({ name: "queries.csv", content: "query_id,query_text,relevant_doc_ids\nq1,What is 1+1?,d1\n" });
  await expect(app.verdict).toContainText("queries.csv");
  await expect(toggle).toHaveText("Details, with notes");
  await expect(page.getByTestId("note")).toBeHidden();
  await toggle.click();
  await expect(page.getByTestId("note")).toContainText("Release");
});

test("a format that is not certain is a question, and an unknown one is not an error", full(), async ({ app, page }) => {
  await app.open();
  await app.choose(FILES.uncertain ?? "");
  await app.expectVerdict("undecided");
  await expect(app.verdict.getByRole("heading")).toHaveText(/^This looks like a dataset of .*Tencent/);
  await expect(app.verdict).toContainText("Check for: ");

  await page.getByTestId("format-select").selectOption("juryarena");
  await app.expectVerdict("invalid");
  await expect(app.verdict.getByRole("heading")).toHaveText("Not valid: 1 error");
  const color = () => app.verdict.locator(".verdict-mark").evaluate((mark) => getComputedStyle(mark).color);
  const error = await color();

  await page.getByTestId("format-select").selectOption("");
  await app.choose(FILES.unknown ?? "");
  await expect(page.getByTestId("expected-formats")).toBeVisible();
  await expect(app.verdict.getByRole("heading")).toHaveText(/^Not a format we know: /);
  expect(await color()).not.toBe(error);
});
