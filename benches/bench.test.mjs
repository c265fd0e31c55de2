// Tests of what becomes of measurements: `node --test bench.test.mjs`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { belongs, comparisons, median, results, toLines, toText } from "./figures.mjs";
import { BOUNDS, KEYS, MEASUREMENTS, choose, measurementsOf } from "./keys.mjs";
import { RIVALS, agree, ofReport, rivalTable } from "./rivals.mjs";
import { inTurn } from "./turns.mjs";

const line = (name, measures) => results(choose([name]), measures)[0];
const race = (product, read, more) => ({ product: product.map((second) => ({ second })), read: read.map((second) => ({ second })), ...more });

test("every key has a bound and a measurement, and every bound and every measurement a key", () => {
  assert.deepEqual(KEYS.map(({ name }) => name).sort(), Object.keys(BOUNDS).sort());
  assert.deepEqual(measurementsOf(KEYS), Object.entries(MEASUREMENTS));
  for (const key of KEYS) assert.notEqual(measurementsOf([key]).length, 0, key.name);
});

test("keys are chosen by their names", () => {
  assert.equal(choose([]).length, KEYS.length);
  assert.deepEqual(choose(["csv_vs_read"]).map(({ name }) => name), ["csv_vs_read"]);
  assert.deepEqual(choose(["csv_*"]).map(({ name }) => name), ["csv_vs_read", "csv_vs_read_first"]);
  assert.throws(() => choose(["csv"]), /no key "csv"/);
});

test("measurements of a key are told apart by whole words", () => {
  assert.ok(belongs("memory/large", { of: "memory" }) && belongs("memory/large", { of: "memory/large" }));
  assert.ok(!belongs("memory/large", { of: "mem" }) && !belongs("memory", { of: "memory/large" }));
});

test("the median is the middle", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(median([7]), 7);
});

test("ratios are taken run by run", () => {
  // A machine that is busy in the second run slows down both.
  const { value, kept, note } = line("jsonl_1gib_vs_read", { mixed: race([120, 600, 130], [100, 500, 100]) });
  assert.equal(value, 1.2);
  assert.ok(kept, "a bound includes its value");
  assert.equal(note, "product 130, read 100; 1.20 to 1.30");
});

test("of several sets of data the worst counts", () => {
  const measures = { "csv/a": race([150], [100]), "csv/b": race([250], [100]), mixed: race([900], [100]) };
  const { value, note } = line("csv_vs_read", measures);
  assert.equal(value, 2.5);
  assert.match(note, /^b: product 250/);
  const speed = { "rivals-page/a": { product: [{ second: 1 }], ajv: [{ second: 5 }] }, "rivals-page/b": { product: [{ second: 1 }], ajv: [{ second: 3 }] } };
  assert.deepEqual([line("rivals_page_ajv", speed).value, line("rivals_page_ajv", speed).kept], [3, false]);
});

test("growth is between the files of a key", () => {
  const measures = { "memory/usual": { product: [{ wasm: 5 }] }, "memory/large": { product: [{ wasm: 5.5 }] } };
  assert.equal(line("wasm_memory_growth_mib", measures).value, 0.5);
  delete measures["memory/usual"];
  assert.equal(line("wasm_memory_growth_mib", measures).value, null);
});

test("the best of the rivals counts", () => {
  const of = (...seconds) => seconds.map((seconds) => ({ seconds, start: 0 }));
  const measures = { rivals: { product: of(1, 2), slow: of(9, 2), fast: of(4, 6) } };
  assert.equal(line("rivals_command", measures).value, 3.5);
  const table = rivalTable({ format: "f", bytes: 1, records: 1, bad: 0 }, measures.rivals);
  assert.deepEqual(table.match(/^(product|slow|fast)/gm), ["product", "fast", "slow"]);
});

test("a key that was not measured has no number and says why", () => {
  const failed = { "csv/a": race([1], [1]), "csv/b": { error: "no CSV" } };
  assert.deepEqual([line("csv_vs_read", failed).value, line("csv_vs_read", failed).note], [null, "no CSV"]);
  assert.equal(line("csv_vs_read", {}).value, null);
  assert.equal(line("csv_vs_read_first", { "csv/a": race([1], [1]) }).note, "there is no first of product");
  // Only on Linux it is known how much a process grows.
  assert.equal(line("memory_1gib_mib", { "memory/large": { product: [{ growth: null }] } }).value, null);
});

test("another revision is compared run by run, with every set of data", () => {
  const old = (...runs) => ({ old: runs.map((second) => ({ second })) });
  const measures = { "csv/a": race([150, 250], [100, 200], old(100, 100)), "csv/b": race([10, 10], [10, 10], { old: { error: "no CSV" } }) };
  const [a, b] = comparisons(choose(["csv_vs_read"]), measures);
  assert.deepEqual([a.name, a.ratio, a.spread, a.better], ["a", 2, "1.50 to 2.50", "less"]);
  assert.deepEqual([b.name, b.ratio, b.why], ["b", null, "no CSV"]);
  const [speed] = comparisons(choose(["cli_gbps_per_core"]), { cli: { product: [{ gb_per_cpu_second: 3 }], old: [{ gb_per_cpu_second: 2 }] } });
  assert.deepEqual([speed.ratio, speed.better], [1.5, "more"]);
});

test("ways take turns, and reading alone is measured around them", async () => {
  const order = [];
  const ways = ["product", "read", "old"];
  const samples = await inTurn({ ways, runs: 2 }, async (way) => ({ second: order.push(way) }));
  assert.deepEqual(order, ["read", "product", "read", "old", "read", "read", "old", "read", "product", "read"]);
  assert.deepEqual(samples.read.map(({ second }) => second), [3, 8]);
});

test("what another revision lacks does not end the measurement of this one", async () => {
  let cleaned = 0;
  const fail = (lacking) => async (way) => {
    if (way === lacking) throw new Error("no such tab");
    return { ms: 1 };
  };
  const samples = await inTurn({ ways: ["product", "old"], runs: 2 }, fail("old"), async () => (cleaned += 1));
  assert.deepEqual(samples, { product: [{ ms: 1 }, { ms: 1 }], old: { error: "no such tab" } });
  assert.equal(cleaned, 1);
  await assert.rejects(inTurn({ ways: ["product", "old"], runs: 2 }, fail("product")), /no such tab/);
});

test("a record with several errors is one bad record and a warning makes none", () => {
  const finding = (line, severity) => ({ line, record: line, severity });
  const ofFile = { line: null, record: null, severity: "error" };
  const findings = [finding(7, "error"), finding(2, "error"), finding(7, "error"), finding(3, "warning"), ofFile];
  assert.deepEqual(ofReport({ truncated: false, counts: { records: 9 }, findings }), { records: 9, bad: [2, 7] });
  assert.throws(() => ofReport({ truncated: true }), /does not list all/);
});

test("a rival that finds something else is told by its lines", () => {
  const found = (...bad) => ({ records: 9, bad });
  const first = { way: "product", found: found(2, 7) };
  agree("ajv", found(2, 7), first);
  assert.throws(() => agree("ajv", found(7, 8), first), /ajv: 9 records, bad by it alone: lines 8; product: .* alone: lines 2$/);
  assert.throws(() => agree("ajv", { records: 8, bad: [2, 7] }, first), /8 records/);
  assert.equal(Object.keys(RIVALS).length, 7);
});

test("numbers stand at the right of their column", () => {
  assert.equal(toLines([["key", "n", ""], ["a", "9.50", "ok"], ["bcde", "12", ""]]), "key   n\na     9.50  ok\nbcde    12\n");
  assert.deepEqual([toText(1.234), toText(812.6), toText({ most: 3 }), toText({ least: 1.5 })], ["1.23", "813", "<= 3", ">= 1.5"]);
});
