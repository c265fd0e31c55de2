// What Lighthouse, with its settings for phones, says of the built page; not of its speed, which is measured in benches/.
// EVALCHECK_URL names the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

test("accessibility, practices, and that nothing moves while the page loads", { timeout: 300_000 }, async () => {
  const { seen, imperfect } = await audit(process.env.EVALCHECK_URL);
  assert.deepEqual(seen, { accessibility: 1, "best-practices": 1, "cumulative-layout-shift": 1 }, imperfect.join("\n"));
});

/** The scores of one run in a new browser, from 0 to 1, and the audits that are not perfect. */
async function audit(url) {
  const chromeFlags = ["--headless=new", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
  if (process.getuid?.() === 0) chromeFlags.push("--no-sandbox");
  const chrome = await launch({ chromePath: process.env.EVALCHECK_CHROMIUM, chromeFlags });
  try {
    const { lhr } = await lighthouse(url, {
      port: chrome.port,
      onlyCategories: ["accessibility", "best-practices"],
      onlyAudits: ["cumulative-layout-shift"],
      logLevel: "error",
    });
    assert.equal(lhr.runtimeError, undefined, lhr.runtimeError?.message);
    const scored = [...Object.values(lhr.categories), lhr.audits["cumulative-layout-shift"]];
    const imperfect = Object.values(lhr.audits).filter(({ score }) => score !== null && score < 1);
    return {
      seen: Object.fromEntries(scored.map(({ id, score }) => [id, score])),
      imperfect: imperfect.map(({ title, displayValue }) => `${title} ${displayValue ?? ""}`.trim()),
    };
  } finally {
    chrome.kill();
  }
}
