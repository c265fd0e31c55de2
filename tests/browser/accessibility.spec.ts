// Accessibility: axe on every screen, and operation with the keyboard.

import type { Locator, Page } from "@playwright/test";

import { expect, full, test } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { sample } from "./support/files.ts";
import { SCREENS } from "./support/screens.ts";

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [768, "light"], [390, "light"], [320, "dark"]] as const) {
  test(`axe finds nothing on any screen and none overflows, ${colorScheme}, ${width} pixels wide`, full(width !== 320), async ({ app, page }) => {
    app.allowLoadingLater("markdown.wasm");
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await app.open();
    for (const [name, go] of Object.entries(SCREENS)) {
      await test.step(name, async () => {
        // A narrow screen shows either the list or the details.
        const back = page.getByTestId("back");
        if (await back.isVisible()) await back.click();
        await go(app);
        expect.soft(await violations(page, "all"), name).toEqual([]);
        // A pane cuts off what is too wide, and then scrolls to what has the focus.
        const tooWide = await page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll(".pane")]
            .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
            .map((element) => element.className || "the page"),
        );
        expect.soft(tooWide, name).toEqual([]);
      });
    }
  });
}

/** A dataset with many findings, groups, and a record that cannot be read. */
const MANY = `${Array.from({ length: 200 }, (_, n) => sample(`number ${n}`, n % 2 ? "tool" : "bot")).join("\n")}\n{"input"\n`;

test.describe("with a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  /** The controls that are smaller than 44 pixels. Links in a text may be. */
  const small = (page: Page) =>
    page.evaluate(() => {
      const controls = document.querySelectorAll("main :is(button:not(.link), summary, select, input, [role=option]), .site-header button");
      const sizes = [...controls].filter((control) => control.checkVisibility()).map((control) => {
        const { width, height } = control.getBoundingClientRect();
        return { control: control.outerHTML.slice(0, 120), width: Math.round(width), height: Math.round(height) };
      });
      return sizes.filter(({ width, height }) => width > 1 && Math.min(width, height) < 44);
    });

  for (const [width, height] of [[390, 844], [1024, 768]] as const) {
    test(`controls and rows have 44 pixels at ${width} x ${height}`, full(width !== 390), async ({ app, page }) => {
      await page.setViewportSize({ width, height });
      await app.open();
      await app.choose({ name: "many.jsonl", content: MANY });
      await app.expectVerdict("invalid");
      await expect(page.getByTestId("group").first()).toBeVisible();
      expect.soft(await small(page), "groups").toEqual([]);
      await page.getByTestId("tab-records").click();
      await expect(page.getByTestId("record").first()).toBeVisible();
      await page.getByTestId("filter-field").focus();
      await expect(page.getByTestId("suggestion").first()).toBeVisible();
      expect.soft(await small(page), "records").toEqual([]);
      await app.showLines();
      await expect(app.line(1)).toBeVisible();
      expect.soft(await small(page), "lines").toEqual([]);
      // Rows are where their height says.
      await app.goToLine(150);
      await app.line(150).click();
      await expect(page.getByRole("heading", { name: "Line 150" })).toBeVisible();
      expect.soft(await small(page), "details").toEqual([]);
      if (width === 390) await page.getByTestId("back").click();
      await page.getByTestId("menu-open").click();
      expect.soft(await small(page), "menu").toEqual([]);
    });
  }
});

test("with the colours of the system, marks can be read and what is selected is seen", full(), async ({ app, page }) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await app.open();
  await app.choose({ name: "many.jsonl", content: MANY });
  await app.expectVerdict("invalid");
  const colours = (locator: Locator) =>
    locator.evaluate((element) => {
      const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(element);
      return { color, backgroundColor, forcedColorAdjust };
    });
  const outline = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).outlineStyle);
  const mark = await colours(page.getByTestId("token"));
  expect(mark.backgroundColor).not.toBe("rgba(0, 0, 0, 0)");
  expect(mark.backgroundColor).not.toBe(mark.color);
  // Otherwise the browser paints a background of its own behind the text of a block.
  expect(mark.forcedColorAdjust).toBe("none");
  await page.getByTestId("tab-records").click();
  const field = page.getByTestId("filter-field");
  await field.fill("is:");
  await field.press("ArrowDown");
  expect(await outline(page.getByTestId("suggestion").first())).toBe("solid");
  expect(await outline(page.getByTestId("suggestion").nth(1))).toBe("none");
  await field.fill("number is:it");
  await field.press("Enter");
  const wrong = await colours(page.locator(".query-mistake mark"));
  expect(wrong.backgroundColor).not.toBe("rgba(0, 0, 0, 0)");
  await app.showLines();
  await app.line(3).click();
  expect(await outline(app.line(3))).toBe("solid");
  expect(await outline(app.line(4))).toBe("none");
});

test("texts that are read from right to left begin at the right, in lists too", async ({ app, page }) => {
  const text = `ما هي عاصمة مصر؟ ${"القاهرة هي عاصمة جمهورية مصر العربية. ".repeat(10)}`;
  await app.open();
  await app.choose({ name: "arabic.jsonl", content: `${sample(text)}\n` });
  await app.expectVerdict("valid");
  const direction = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).direction);
  await expect(page.locator(".record-question")).toContainText("ما هي عاصمة");
  expect(await direction(page.locator(".record-question"))).toBe("rtl");
  const field = page.getByTestId("filter-field");
  await field.fill("عاصمة");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  expect(await direction(page.getByTestId("hit").locator(".record-question"))).toBe("rtl");
});

test("the page is operated with the keyboard alone", async ({ app, page }) => {
  await app.open();
  const tabTo = async (testid: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => document.activeElement?.closest("[data-testid]")?.getAttribute("data-testid"));
      if (at === testid) return;
    }
    throw new Error(`Tab does not reach ${testid}`);
  };
  await tabTo("choose-file");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  const lines = [sample("a", "x"), sample("b"), sample("c", "y"), sample(3), sample("d")];
  await chooser.setFiles({ name: "keys.jsonl", mimeType: "", buffer: Buffer.from(lines.join("\n")) });
  await app.expectVerdict("invalid");

  const list = page.getByRole("listbox", { name: "Findings" });
  const selected = list.getByRole("option", { selected: true });
  await list.focus();
  await page.keyboard.press("Home");
  await expect(selected).toContainText("line 1:");
  await page.keyboard.press("ArrowDown");
  await expect(selected).toContainText("line 3:");
  await expect(page.getByTestId("span")).toHaveText('"y"');
  await page.keyboard.press("End");
  await expect(selected).toContainText("line 4:");
  await expect(page.getByTestId("span")).toHaveText("3");
  await page.keyboard.press("ArrowUp");
  await expect(selected).toContainText("line 3:");

  await tabTo("tab-source");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("tab-sample")).toBeFocused();
  await expect(page.getByTestId("turn")).toContainText("c");
});

test("buttons select the next and previous invalid line", async ({ app, page }) => {
  const lines = Array.from({ length: 3000 }, (_, n) => sample(`${n}`, [100, 2000, 2999].includes(n) ? "tool" : "user"));
  await app.open();
  await app.choose({ name: "few.jsonl", content: lines.join("\n") });
  await app.expectVerdict("invalid");
  await app.showLines();
  await expect(app.line(101)).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("next-invalid").click();
  await expect(app.line(2001)).toBeInViewport();
  await expect(app.line(2001)).toHaveAttribute("aria-selected", "true");
  await expect(app.line(2001)).toHaveAttribute("data-severity", "error");
  await page.getByTestId("next-invalid").click();
  await expect(app.line(3000)).toBeInViewport();
  await page.getByTestId("previous-invalid").click();
  await expect(app.line(2001)).toBeInViewport();
});
