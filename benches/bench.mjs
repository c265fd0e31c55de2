// Measures what a plan asks for: `node bench.mjs PLAN`, JSON that xtask writes. Prints the tables, writes results and summary beside the
// plan. A measurement that fails says so in its result, and the others go on; a key without a number fails this command.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, platform } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { perCore, statistics, threads } from "./command.mjs";
import { compare } from "./drive/compare.mjs";
import { fix } from "./drive/fix.mjs";
import { firstFinding } from "./drive/first-finding.mjs";
import { jump } from "./drive/jump.mjs";
import { longestTask } from "./drive/longest-task.mjs";
import { memory } from "./drive/memory.mjs";
import { Bench } from "./drive/pages.mjs";
import { race } from "./drive/race.mjs";
import { firstHit, search } from "./drive/search.mjs";
import { comparisons, results, toLines, toText } from "./figures.mjs";
import { choose, measurementsOf } from "./keys.mjs";
import { rival, rivalTable } from "./rivals.mjs";
import { sizesOf } from "./sizes.mjs";
import { inTurn } from "./turns.mjs";

const MEASURES = { race, memory, firstFinding, longestTask, search, firstHit, jump, compare, fix, perCore, statistics, threads, rival, sizes };

/** The compressed sizes of what was built, in kB. */
function sizes({ plan }, _, way) {
  const { files, listed, ...bytes } = sizesOf(plan.products[way].dist);
  return Object.fromEntries(Object.entries(bytes).map(([name, size]) => [name, size / 1000]));
}

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const folder = dirname(process.argv[2]);
const keys = choose(plan.only);
const bench = new Bench(plan);
const measures = {};
const machine = `${cpus()[0]?.model}, ${availableParallelism()} cores, ${platform()}, load ${loadavg()[0]}`;
console.error(`evalcheck: this machine: ${machine}`);

for (const [id, asked] of measurementsOf(keys)) {
  for (const file of asked.purpose ? data(asked) : [undefined]) await measure(file.several ? `${id}/${file.name}` : id, { ...asked, file });
}

const summary = results(keys, measures);
console.log(toLines([
  ["key", "measured", "bound", "", ""],
  ...summary.map(({ key, value, kept, note }) => [key.name, value === null ? "-" : toText(value), toText(key.bound), said(kept), note]),
]));
const compared = plan.products.old ? comparisons(keys, measures) : [];
if (plan.products.old) {
  const { revision } = plan.products.old;
  console.log(`this checkout against ${revision}: the median of the ratios of the runs, and from the least to the most`);
  console.log(toLines([
    ["key", "data", revision, "now", "ratio", "", "better"],
    ...compared.map(({ key, name, better, ratio, old, now, spread, why }) =>
      ratio === null
        ? [key.name, name, "-", "-", "-", `cannot be measured at ${revision}: ${why}`, better]
        : [key.name, name, toText(old), toText(now), ratio.toFixed(3), spread, better],
    ),
  ]));
}
const about = ({ key, kept, note }) => ({ about: key.about, bound: toText(key.bound), kept, note });
const file = join(folder, "summary.json");
writeFileSync(file, JSON.stringify({
  ...Object.fromEntries(summary.map(({ key, value }) => [key.name, value])),
  about: Object.fromEntries(summary.map((line) => [line.key.name, about(line)])),
  against: plan.products.old && { revision: plan.products.old.revision, ratios: compared.map(({ key, ...line }) => ({ key: key.name, ...line })) },
  machine,
  browser: bench.version,
  runs: plan.runs,
  // With a quarter of the data.
  quick: plan.quick,
}, null, 2));
console.error(`evalcheck: wrote ${file}`);
const missing = summary.filter(({ value }) => value === null).length;
if (missing > 0) {
  console.error(`evalcheck: ${missing} of ${summary.length} keys could not be measured`);
  process.exitCode = 1;
}

/** Measures, and notes what came out. */
async function measure(id, asked) {
  const start = performance.now();
  process.stderr.write(`${id} ...`);
  try {
    const old = asked.ways.filter((way) => /^product\b/.test(way)).map((way) => way.replace("product", "old"));
    const ways = plan.products.old ? [...asked.ways, ...old] : asked.ways;
    if (asked.file) bench.warm(asked.file.path);
    const runs = asked.runs ?? plan.runs;
    measures[id] = await inTurn({ ways, runs }, (way) => MEASURES[asked.measure](bench, asked, way), () => bench.close());
    process.stderr.write(` ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    if (asked.measure === "rival") console.log(rivalTable(asked.file, measures[id]));
  } catch (error) {
    measures[id] = { error: String(error.message ?? error) };
    process.stderr.write(` FAILED: ${measures[id].error}\n`);
  } finally {
    // The next one begins with a new browser.
    await bench.close();
    writeFileSync(join(folder, "results.json"), JSON.stringify({ machine, browser: bench.version, measures }, null, 1));
  }
}

/** What is known of each file of a measurement, which is made unless it is there. */
function data({ purpose, mib, needs }) {
  const script = fileURLToPath(new URL("data.mjs", import.meta.url));
  const wanted = `${purpose}:${plan.quick ? mib / 4 : mib}`;
  const text = execFileSync(process.execPath, [script, join(folder, "data"), wanted], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const files = JSON.parse(text).flat();
  return files.map((file) => ({ ...file, several: files.length > 1, schema: needs.includes("command") ? schemaOf(file) : undefined }));
}

/** The JSON Schema of the format of a file, which the command writes. */
function schemaOf({ format, version }) {
  const file = join(folder, `${format}.schema.json`);
  const options = version === undefined ? [] : ["--version", version];
  writeFileSync(file, execFileSync(plan.products.product.command, ["schema", format, ...options]));
  return file;
}

/** Whether a bound is kept, as a word. */
function said(kept) {
  return kept === null ? "NOT MEASURED" : kept ? "ok" : "MISSED";
}
