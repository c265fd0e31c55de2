// Writes the screenshots of README.md into docs/screenshots/: the results of a broken example, in both themes.
// `cargo xtask screenshots` runs it, with the address of the page and the path of Chromium.

import { fileURLToPath } from "node:url";

import { chromium } from "@playwright/test";

const browser = await chromium.launch({
  executablePath: process.env.EVALCHECK_CHROMIUM,
  args: ["--no-sandbox"],
});
for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({
    viewport: { width: 1120, height: 720 },
    deviceScaleFactor: 1.25,
    colorScheme,
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  await page.goto(process.env.EVALCHECK_URL);
  await page.getByTestId("best-example").click();
  await page.getByTestId("verdict").waitFor();
  await page.getByTestId("finding").nth(1).click();
  await page.getByTestId("span").first().waitFor();
  // No part has the focus and no part is under the pointer.
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(0, 0);
  await page.screenshot({ path: fileURLToPath(new URL(`../../docs/screenshots/${colorScheme}.png`, import.meta.url)) });
  await page.close();
}
await browser.close();
