// DeepEval's own loaders of goldens against evalcheck.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

import { sized } from "../suite.mjs";
import { csv, json, jsonl } from "./deepeval-files.js";
import { compare, drive, listed, loaded as asLoaded, Random, reports, withFiles } from "./support.js";

/** Files of each kind. */
const FILES = sized(200, 2_000);

const args = ["--format", "deepeval"];

/** @type {import("./support.js").Choice[]} */
const CHOICES = [
  { code: "json/nan", reason: "Python reads NaN and Infinity, which are not JSON" },
  { code: "json/number-out-of-range", reason: "Python reads the number as infinity, and it is lost" },
  { code: "document/not-checked", reason: "follows one of the two above where records cannot be told" },
  { code: "file/empty", reason: "an empty JSONL loads as no golden, and nothing can be evaluated" },
  { code: "dataset/no-records", reason: "the loader loads no golden, and nothing can be evaluated" },
  { code: "file/another-kind", reason: "a short file with a control character looks like no text" },
  { code: "deepeval/text-for-list", reason: "becomes a list of characters or keys, which nobody means" },
  { code: "json/stray-character", reason: "Python strips other white space around a record and ends lines at a carriage return alone; other readers of JSONL do neither" },
  ...[/^(scenario|turns|tools_called|expected_tools)$/].map((path) => ({
    code: "shape/wrong-type", path, reason: "0, false, {} and [] count as absent, and nobody writes them for it",
  })),
  ...[/^persona\.(hold_timeout|muted|speaks_first|multilingual_stt|background_noise\.volume)$/, /^turns\.\d+\.(latency_?[mM]s|interrupted)$/].map((path) => ({
    code: "shape/wrong-type", path, reason: "pydantic converts booleans, numbers and strings to each other",
  })),
  { code: "deepeval/bad-number", path: /^(token_cost|input_token_count|output_token_count)$/, reason: "true and false in a column that has nothing else load as 1 and 0" },
  {
    code: "deepeval/bad-cell",
    path: /^(tools_called|expected_tools|additional_metadata|custom_column_key_values|expectations|turns)$/,
    reason: "0 and False in a column that has nothing else count as absent, and so does {} as tools",
  },
  { code: "csv/text-after-quote", reason: "pandas joins the text with the quoted one, which is hardly meant" },
  { code: "deepeval/no-input-column", reason: "the file has no row; any row would be refused" },
  { code: "csv/bare-carriage-return", reason: "ends a row for some readers and not for others" },
  { code: "csv/stray-byte-order-mark", reason: "becomes part of a cell" },
  { code: "csv/blank-column", reason: "cannot be read by its name" },
  { code: "csv/duplicate-column", reason: "the second column of the name is lost" },
  { code: "csv/ragged-row", reason: "a row that is too short may have lost a cell in its middle" },
  { code: "csv/shifted-columns", reason: "all values are under the names of other columns" },
];

/** What the loader refuses and evalcheck does not, with the reason. */
const STRICTER = [
];

const FORMATS = { json, jsonl, csv };

/** Values without null, which the loader holds for what a file does not have, and with the defaults of what is no model. */
function filled(value) {
  if (Array.isArray(value)) return value.map(filled);
  if (value === null || typeof value !== "object") return value;
  if (value.interruption_behavior) value = { ...value, interruption_behavior: { frequency: "normal", overlap: "adaptive", ...value.interruption_behavior } };
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null).map(([key, inner]) => [key, filled(inner)]));
}

async function verdicts(files) {
  const names = files.map(({ name }) => name);
  return withFiles(files, (folder) =>
    Promise.all([drive("deepeval", "load_deepeval.py", folder, names), reports(folder, names, args), asLoaded(folder, names, args)]),
  );
}

for (const [number, [kind, make]] of Object.entries(FORMATS).entries()) {
  test(`DeepEval refuses what has errors, as ${kind}`, async (context) => {
    const random = new Random(300 + number);
    const files = Array.from({ length: FILES }, (_, index) => ({ name: `${index}.${kind}`, content: make(random) }));
    const [loaded, checked, held] = await verdicts(files);
    const refusals = loaded.map(({ refused }) => refused);
    const isStricter = (index) => STRICTER.find(({ refusal }) => refusals[index] !== null && refusal.test(refusals[index]));
    const explained = refusals.map((refusal, index) => (refusal !== null && checked[index].counts.errors === 0 && isStricter(index) ? null : refusal));
    const { disagreements, refused, chosen } = compare(files, checked, explained, CHOICES);
    assert.equal(disagreements.length, 0, listed(disagreements));
    assert.ok(refused > FILES / 5 && refused < FILES * 0.8, `${refused} of ${FILES} are refused`);
    let records = 0;
    const differences = [];
    for (const [index, { name, content }] of files.entries()) {
      if (refusals[index] !== null || checked[index].counts.errors > 0) continue;
      const ours = held.get(name).map(({ record }) => filled(record));
      const theirs = loaded[index].goldens.map(filled);
      records += theirs.length;
      try {
        assert.deepEqual(ours, theirs);
      } catch (error) {
        differences.push(`${name}: ${error.message.slice(0, 900)}\n${content.toString().slice(0, 500)}`);
      }
    }
    assert.equal(differences.length, 0, listed(differences));
    assert.ok(records > FILES / 2, `${records} records are compared`);
    const used = [...chosen].filter(([, files]) => files > 0).map(([{ code, path }, files]) => `${code} ${path ?? ""} (${files})`);
    context.diagnostic(`${FILES} files, ${refused} refused; ${records} records as they are held; stricter by choice: ${used.join(", ")}`);
  });
}
