// A page of a consumer in Chromium.
import assert from "node:assert/strict";

import { chromium } from "playwright-core";

/** Starts the browser. */
export const startBrowser = () =>
  chromium.launch({ executablePath: process.env.EVALCHECK_CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });

/**
 * Opens a page, gives it a file, and returns the reports that it writes into its `output`, by name, and the lines that it logs. It
 * has to write no error to the console, and makes no request that fails or leaves its origin.
 */
export async function reportsOf(browser, url, file) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const troubles = [];
  const logged = [];
  page.on("console", (message) => (["error", "warning"].includes(message.type()) ? troubles : logged).push(message.text()));
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("requestfailed", (request) => troubles.push(`${request.url()}: ${request.failure()?.errorText}`));
  context.on("response", (response) => response.status() >= 400 && troubles.push(`${response.url()}: ${response.status()}`));
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!["blob:", "data:"].includes(protocol) && origin !== new URL(url).origin) troubles.push(`a request to ${request.url()}`);
  });
  try {
    await page.goto(url);
    // Enabled once the page can check.
    await page.locator("input[type=file]:enabled").setInputFiles(file);
    const output = page.locator("output", { hasText: "{" });
    await output.waitFor({ timeout: 60_000 }).catch(() => {});
    const text = (await output.count()) ? await output.textContent() : "";
    assert.deepEqual(troubles, [], url);
    assert.ok(text, `${url} writes no report`);
    return { reports: JSON.parse(text), logged };
  } finally {
    await context.close();
  }
}
