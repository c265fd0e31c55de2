// Accessibility: axe on every screen, and operation with the keyboard.

import { expect, test } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { sample } from "./support/files.ts";
import { SCREENS } from "./support/screens.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no serious problem on any screen, ${colorScheme}`, async ({ app, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await app.open();
    for (const [name, go] of Object.entries(SCREENS)) {
      await test.step(name, async () => {
        await go(app);
        expect.soft(await violations(page), name).toEqual([]);
      });
    }
  });
}

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
