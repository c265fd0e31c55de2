// The command and other ways to check the same file: processor time on one core. All have to find the same bad records.

import { closeSync, openSync, readSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { CHECK, measured } from "./command.mjs";
import { median, toLines, toText } from "./figures.mjs";

const script = (path) => fileURLToPath(new URL(`rivals/${path}`, import.meta.url));
const inPython = (name) => ({ python }) => [python, script(`python/${name}`)];
const inNode = (name) => () => [process.execPath, script(`node/${name}`)];

/** How each rival is started; then come the format, the file and its schema. */
export const RIVALS = {
  "jsonschema, serde_json": ({ rival }) => [rival],
  msgspec: inPython("with_msgspec.py"),
  "orjson, jsonschema-rs": inPython("with_jsonschema_rs.py"),
  pydantic: inPython("with_pydantic.py"),
  "DuckDB read_json": inPython("with_duckdb.py"),
  ajv: inNode("with_ajv.mjs"),
  "Zod 4": inNode("with_zod4.mjs"),
};

/** What each file holds, as the first way found it. */
const FOUND = new Map();

/** Processor time of a check of a file, and (`start`) of a file of one record. */
export function rival({ plan }, { file }, way) {
  const rival = RIVALS[way]?.(plan);
  const check = (path) =>
    rival
      ? measured(plan, "one", [...rival, file.format, path, file.schema], [0])
      : measured(plan, "one", [plan.products[way].command, ...CHECK, "1", "--isolated", path]);
  const { seconds: start } = check(firstLine(file));
  const { seconds, output } = check(file.path);
  const found = rival ? JSON.parse(output) : ofReport(JSON.parse(output));
  if (!FOUND.has(file.path)) FOUND.set(file.path, { way, found });
  agree(way, found, FOUND.get(file.path));
  if (found.records !== file.records || found.bad.length !== file.bad) {
    throw new Error(`${way} found ${found.bad.length} of ${found.records} records bad, ${file.bad} of ${file.records} are`);
  }
  return { seconds, start };
}

/** What a report says that lists all errors. */
export function ofReport({ truncated, counts, findings }) {
  if (truncated !== false) throw new Error("the report does not list all findings");
  // Those in no record are about the file: that it has more records than the system takes.
  const errors = findings.filter(({ severity, record }) => severity === "error" && record != null);
  return { records: counts.records, bad: [...new Set(errors.map(({ line }) => line))].sort((a, b) => a - b) };
}

/** Fails where two ways found something else, and says in which lines. */
export function agree(way, found, { way: first, found: expected }) {
  const only = (one, other) => one.bad.filter((line) => !other.bad.includes(line)).slice(0, 10);
  const [here, there] = [only(found, expected), only(expected, found)];
  if (found.records === expected.records && here.length + there.length === 0) return;
  const [one, other] = [`${way}: ${found.records} records`, `${first}: ${expected.records} records`];
  throw new Error(`${one}, bad by it alone: lines ${here}; ${other}, bad by it alone: lines ${there}`);
}

/** A line for each way, the fastest first. */
export function rivalTable(file, samples) {
  const measured = Object.entries(samples).filter(([, runs]) => Array.isArray(runs));
  const times = measured.map(([way, runs]) => ({
    way,
    seconds: median(runs.map(({ seconds }) => seconds)),
    start: Math.min(...runs.map(({ start }) => start)),
    ratio: median(runs.map(({ seconds }, run) => seconds / samples.product[run].seconds)),
  }));
  times.sort((a, b) => a.seconds - b.seconds);
  const rows = times.map(({ way, seconds, start, ratio }) => [way, seconds.toFixed(3), start.toFixed(3), toText(ratio)]);
  const head = `${file.format}, ${file.bytes >> 20} MiB: ${file.records} records, ${file.bad} of them bad\n`;
  return head + toLines([["way", "seconds", "start", "ratio"], ...rows]);
}

/** A file beside another one, of its first line. */
function firstLine({ path }) {
  const block = Buffer.alloc(1 << 20);
  const file = openSync(path, "r");
  const length = readSync(file, block, 0, block.length, 0);
  closeSync(file);
  const first = path.replace(/(\.\w+)$/, "-first$1");
  writeFileSync(first, block.subarray(0, block.subarray(0, length).indexOf("\n") + 1));
  return first;
}
