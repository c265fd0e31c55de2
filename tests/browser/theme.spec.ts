// The color theme.

import type { Page } from "@playwright/test";

import { expect, test } from "./support/app.ts";

/** The lightness of the background, from 0 (black) to 1 (white). */
const lightness = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas) return Number.NaN;
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 765;
  });

test("the theme follows the system until the user chooses one, which is stored", async ({ app, page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await app.open();
  expect(await lightness(page)).toBeLessThan(0.3);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await lightness(page)).toBeGreaterThan(0.8);

  const toggle = page.getByTestId("theme-toggle");
  await expect(toggle).toHaveAttribute("data-theme-choice", "auto");
  const choose = async (theme: string) => {
    for (let click = 0; click < 3; click += 1) {
      if ((await toggle.getAttribute("data-theme-choice")) === theme) return;
      const before = await toggle.getAttribute("data-theme-choice");
      await toggle.click();
      await expect(toggle).not.toHaveAttribute("data-theme-choice", before ?? "");
    }
  };
  await choose("dark");
  await expect.poll(() => lightness(page)).toBeLessThan(0.3);
  app.expectReload();
  await page.reload();
  await app.ready();
  await expect(toggle).toHaveAttribute("data-theme-choice", "dark");
  expect(await lightness(page)).toBeLessThan(0.3);
  await choose("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => lightness(page)).toBeGreaterThan(0.8);
});
