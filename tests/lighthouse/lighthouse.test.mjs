// What Lighthouse, with its settings for phones, says of the built page: on a host that sends files as they are, and on
// one that compresses them. EVALCHECK_URL and EVALCHECK_COMPRESSED_URL name the two.

import assert from "node:assert/strict";
import { test } from "node:test";

import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

// What else the machine does can only make a page slower, so the best of a few runs counts.
const MOST_RUNS = 3;

const HOSTS = [
  { name: "a plain host", url: process.env.EVALCHECK_URL, performance: 90 },
  { name: "a compressing host", url: process.env.EVALCHECK_COMPRESSED_URL, performance: 97 },
];

for (const { name, url, performance } of HOSTS) {
  test(name, { timeout: 300_000 }, async (t) => {
    const bounds = { performance, accessibility: 100, "best-practices": 100 };
    let best;
    for (let run = 0; run < MOST_RUNS && !(best && passes(best, bounds)); run++) {
      const result = await audit(url, Object.keys(bounds));
      t.diagnostic(describe(result));
      if (!best || result.scores.performance > best.scores.performance) best = result;
    }
    assert.ok(passes(best, bounds), `wanted ${JSON.stringify(bounds)}, best was ${describe(best)}`);
  });
}

function passes({ scores }, bounds) {
  return Object.entries(bounds).every(([category, bound]) => scores[category] >= bound);
}

/** The scores of one run in a new browser, from 0 to 100, and what keeps them from 100. */
async function audit(url, onlyCategories) {
  const chromeFlags = ["--headless=new", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
  if (process.getuid?.() === 0) chromeFlags.push("--no-sandbox");
  const chrome = await launch({ chromePath: process.env.EVALCHECK_CHROMIUM, chromeFlags });
  try {
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories, logLevel: "error" });
    const categories = Object.values(lhr.categories);
    const scores = Object.fromEntries(categories.map(({ id, score }) => [id, Math.round(score * 100)]));
    const counted = categories.flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
    const imperfect = counted.map(({ id }) => lhr.audits[id]).filter(({ score }) => score !== null && score < 0.9);
    return { scores, imperfect: imperfect.map(({ title, displayValue }) => `${title} ${displayValue ?? ""}`.trim()) };
  } finally {
    chrome.kill();
  }
}

function describe({ scores, imperfect }) {
  const list = Object.entries(scores).map(([category, score]) => `${category} ${score}`);
  return [list.join(", "), ...imperfect].join("; ");
}
