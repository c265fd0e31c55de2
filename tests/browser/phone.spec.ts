// A narrow screen: the bar is one line, the details cover all else, and no tab is cut off without a sign.

import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { sample } from "./support/files.ts";

const COMMA = `${sample("Hi")},`;
const LINES = [sample("a"), sample("b", "tool"), COMMA, sample("c"), sample("d", "bot")].join("\n");

/** The height of the bar, in pixels. */
const height = async (app: App): Promise<number> => (await app.page.locator(".bar").boundingBox())?.height ?? 0;

test.describe("with a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("the bar is one line, and opens", async ({ app, page }) => {
    await app.open();
    for (const [content, short] of [[LINES, "3 of 5 invalid"], [sample("a"), "Valid: 1 record"], ["Dear all,\n", "Not recognised"]] as const) {
      await app.choose({ name: short === "Not recognised" ? "letter.txt" : "data.jsonl", content });
      await expect(page.getByTestId("bar-short")).toHaveText(short);
      await expect(page.getByTestId("bar-short")).toBeInViewport({ ratio: 1 });
      expect(await height(app)).toBeLessThanOrEqual(58);
      expect(await violations(page)).toEqual([]);
    }
    await app.choose({ name: "data.jsonl", content: LINES });
    await app.expectVerdict("invalid");
    await expect(page.getByTestId("format-select")).toBeHidden();
    const toggle = page.getByTestId("details-toggle");
    await toggle.click();
    for (const id of ["format-select", "filter-errors", "review-fixes", "detection"]) {
      await expect(page.getByTestId(id)).toBeInViewport({ ratio: 1 });
    }
    await expect(app.verdict.getByRole("heading")).toHaveText("Not valid: 3 of 5 records would be rejected");
    await toggle.click();
    await expect(page.getByTestId("format-select")).toBeHidden();

    // What was changed, and what comes next, are never hidden.
    await app.act("apply-safe");
    await expect(page.getByTestId("fixes-applied")).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId("undo-fixes")).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId("download-fixed")).toBeInViewport({ ratio: 1 });
  });

  test("the details cover the bar, and lead to the next and the previous row", async ({ app, page }) => {
    await app.open();
    await app.choose({ name: "data.jsonl", content: LINES });
    await app.expectVerdict("invalid");
    const pane = page.locator(".detail-pane");
    const title = pane.locator("h2");
    await app.findings.first().click();
    await expect(title).toHaveText("Line 2");
    expect(await pane.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    await expect(app.verdict).toBeHidden();
    expect(await violations(page)).toEqual([]);

    await page.getByTestId("next-row").click();
    await expect(title).toHaveText("Line 3");
    await page.getByTestId("previous-row").click();
    await expect(title).toHaveText("Line 2");

    const swipe = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      const session = await page.context().newCDPSession(page);
      const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
        session.send("Input.dispatchTouchEvent", { type, touchPoints });
      await send("touchStart", [from]);
      for (let step = 1; step <= 5; step += 1) {
        await send("touchMove", [{ x: from.x + ((to.x - from.x) * step) / 5, y: from.y + ((to.y - from.y) * step) / 5 }]);
      }
      await send("touchEnd", []);
    };
    await swipe({ x: 300, y: 700 }, { x: 80, y: 710 });
    await expect(title).toHaveText("Line 3");
    await swipe({ x: 300, y: 700 }, { x: 80, y: 710 });
    await expect(title).toHaveText("Line 5");
    await swipe({ x: 80, y: 700 }, { x: 300, y: 710 });
    await expect(title).toHaveText("Line 3");
    // Scrolling is no swipe.
    await swipe({ x: 200, y: 700 }, { x: 110, y: 200 });
    await expect(title).toHaveText("Line 3");

    await page.getByTestId("back").click();
    await expect(app.findings.nth(1)).toHaveAttribute("aria-selected", "true");
    await expect(app.verdict).toBeVisible();
  });
});

for (const width of [390, 1024, 1440]) {
  const first = ["Findings", "Records", "Overview", "Lines", "Fixes"].slice(0, width === 390 ? 4 : 5);
  test(`at ${width} pixels the tabs are whole, and the others are in a menu`, full(width !== 1024), async ({ app, page }) => {
    await page.setViewportSize({ width, height: 844 });
    await app.open();
    await app.choose({ name: "data.jsonl", content: LINES });
    await app.expectVerdict("invalid");
    const tabs = page.getByRole("tablist", { name: "Lists" }).getByRole("tab").filter({ visible: true });
    const cut = () =>
      page.evaluate(() => {
        const end = document.querySelector(".list-pane")?.getBoundingClientRect().right ?? 0;
        const parts = [...document.querySelectorAll<HTMLElement>(".tab-bar :is([role=tab], summary)")];
        return parts.filter((part) => part.checkVisibility() && (part.getBoundingClientRect().right > end || part.scrollWidth > part.clientWidth)).length;
      });
    await expect(tabs).toHaveText(first);
    expect(await cut()).toBe(0);
    await expect(page.getByTestId("more-open")).toBeInViewport({ ratio: 1 });
    expect(await page.locator(".tabs").first().evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);

    await app.showTab("schema");
    await expect(page.getByTestId("tab-schema")).toHaveAttribute("aria-selected", "true");
    await expect(page.getByTestId("tab-schema")).toBeInViewport({ ratio: 1 });
    expect(await cut()).toBe(0);
    expect(await violations(page)).toEqual([]);

    // The arrow keys reach what is shown, and the menu has what is not.
    await page.getByTestId("tab-schema").focus();
    await page.keyboard.press("ArrowLeft");
    await expect(tabs.nth(({ 390: 1, 1024: 2, 1440: 4 })[width] ?? 0)).toBeFocused();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await expect(tabs.last()).toBeFocused();
    await expect(tabs).toHaveText(first);
    await app.showTab("schema");
    await app.showTab("fixes");
    await expect(page.getByTestId("fix-review")).toBeVisible();
  });
}

for (const tab of ["findings", "records", "overview", "lines", "fixes", "schema"]) {
  test(`the tab ${tab} fits into 390 pixels`, full(tab !== "overview"), async ({ app, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await app.open();
    await app.openExample("juryarena/broken");
    await app.expectVerdict("invalid");
    await app.showTab(tab);
    await app.expectAllRead();
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll("#list-panel, #list-panel > *")]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ className }) => className),
    );
    expect(wide).toEqual([]);
  });
}
