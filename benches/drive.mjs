// Measures in a browser what a plan asks for: `node drive.mjs PLAN RESULTS`, both JSON. What each measurement returns is
// described in its file. One that fails says so in its result, and the others go on.

import { readFileSync, writeFileSync } from "node:fs";

import { Bench } from "./drive/bench.mjs";
import { compare } from "./drive/compare.mjs";
import { fix } from "./drive/fix.mjs";
import { firstFinding } from "./drive/first-finding.mjs";
import { jump } from "./drive/jump.mjs";
import { longestTask } from "./drive/longest-task.mjs";
import { memory } from "./drive/memory.mjs";
import { race } from "./drive/race.mjs";
import { firstHit, search } from "./drive/search.mjs";

const MEASURES = { race, memory, "first-finding": firstFinding, "longest-task": longestTask, search, "first-hit": firstHit, jump, compare, fix };

const [planPath, resultsPath] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planPath, "utf8"));
const bench = new Bench(plan);
const results = { browser: await bench.version(), measures: {} };
for (const [number, asked] of plan.measures.entries()) {
  const start = performance.now();
  process.stderr.write(`[${number + 1}/${plan.measures.length}] ${asked.id} ...`);
  try {
    results.measures[asked.id] = await MEASURES[asked.measure](bench, asked);
    process.stderr.write(` ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    results.measures[asked.id] = { error: String(error.message ?? error) };
    process.stderr.write(` FAILED: ${error.message ?? error}\n`);
  } finally {
    await bench.close();
  }
  writeFileSync(resultsPath, JSON.stringify(results, null, 1));
}
