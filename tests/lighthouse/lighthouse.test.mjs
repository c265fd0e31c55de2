// What Lighthouse, with its settings for phones, says of the built page: on a host that sends files as they are, and on
// one that compresses them. EVALCHECK_URL and EVALCHECK_COMPRESSED_URL name the two.

import assert from "node:assert/strict";
import { test } from "node:test";

import { launch } from "chrome-launcher";
import lighthouse, { defaultConfig } from "lighthouse";

// What else the machine does can only make a page slower, so the best of a few runs counts.
const MOST_RUNS = 5;

// Lighthouse assumes that this machine is four times as fast as a phone. On a slower one, or beside other work, that would be
// another phone: the speed that Lighthouse measures in one run (its benchmark index) sets the factor of the next.
const PHONE = { index: 600, slowdown: 4 };

const HOSTS = [
  { name: "a plain host", url: process.env.EVALCHECK_URL, performance: 90 },
  { name: "a compressing host", url: process.env.EVALCHECK_COMPRESSED_URL, performance: 97 },
];

for (const { name, url, performance } of HOSTS) {
  test(name, { timeout: 300_000 }, async () => {
    const bounds = { performance, accessibility: 100, "best-practices": 100 };
    const seen = [];
    let slowdown = PHONE.slowdown;
    for (let run = 0; run < MOST_RUNS; run++) {
      try {
        const result = await audit(url, Object.keys(bounds), slowdown);
        seen.push(describe(result));
        if (passes(result, bounds)) return;
        slowdown = Math.min(PHONE.slowdown, Math.max(1, result.index / PHONE.index));
      } catch (error) {
        // The browser did not start, or said nothing in time.
        seen.push(String(error));
      }
    }
    assert.fail(`wanted ${JSON.stringify(bounds)}, got\n${seen.join("\n")}`);
  });
}

function passes({ scores }, bounds) {
  return Object.entries(bounds).every(([category, bound]) => scores[category] >= bound);
}

/** The scores of one run in a new browser, from 0 to 100, and what keeps them from 100. */
async function audit(url, onlyCategories, slowdown) {
  const chromeFlags = ["--headless=new", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
  if (process.getuid?.() === 0) chromeFlags.push("--no-sandbox");
  const chrome = await launch({ chromePath: process.env.EVALCHECK_CHROMIUM, chromeFlags });
  try {
    const throttling = { ...defaultConfig.settings.throttling, cpuSlowdownMultiplier: slowdown };
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories, logLevel: "error", throttling });
    const categories = Object.values(lhr.categories);
    const scores = Object.fromEntries(categories.map(({ id, score }) => [id, Math.round(score * 100)]));
    const counted = categories.flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
    const imperfect = counted.map(({ id }) => lhr.audits[id]).filter(({ score }) => score !== null && score < 0.9);
    const index = Math.round(lhr.environment.benchmarkIndex);
    const lost = imperfect.map(({ title, displayValue }) => `${title} ${displayValue ?? ""}`.trim());
    return { scores, index, slowdown, lost: [lhr.runtimeError?.message, ...lost].filter(Boolean) };
  } finally {
    chrome.kill();
  }
}

function describe({ scores, index, slowdown, lost }) {
  const list = Object.entries(scores).map(([category, score]) => `${category} ${score}`);
  const machine = `machine ${index}, slowed down ${slowdown.toFixed(1)} times`;
  return [list.join(", "), machine, ...lost].join("; ");
}
