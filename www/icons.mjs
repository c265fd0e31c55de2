// Makes www/icons/ from www/icon.svg, with the browser and the Playwright of the tests: `node www/icons.mjs`, after
// `cargo xtask test --only browser` has installed both. Run it when the icon changes, and commit what it writes.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const { chromium } = createRequire(new URL("../tests/browser/package.json", import.meta.url))("@playwright/test");
const svg = readFileSync(new URL("icon.svg", import.meta.url), "utf8");
// A maskable icon is cut to a shape by the system: its ground goes to the edges. The sign lies in the part that stays.
const maskable = svg.replace(/ rx="\d+"/, "");

const browser = await chromium.launch({
  executablePath: process.env.EVALCHECK_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const [name, size, drawing] of [
  ["icon-192", 192, svg],
  ["icon-512", 512, svg],
  ["maskable-512", 512, maskable],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${drawing}`);
  await page.screenshot({ path: fileURLToPath(new URL(`icons/${name}.png`, import.meta.url)), omitBackground: true });
  await page.close();
}
await browser.close();
