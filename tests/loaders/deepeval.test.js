// DeepEval's own loaders of goldens against evalcheck.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { sized } from "../suite.mjs";
import { csv, json, jsonl } from "./deepeval-files.js";
import { compare, drive, listed, loaded as asLoaded, needed, Random, reports, withFiles, wronglyHeld } from "./support.js";

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
  { code: "deepeval/bad-number", path: /^(token_cost|input_token_count|output_token_count)$/, reason: "true and false in a column that has nothing else load as 1 and 0" },
  {
    code: "deepeval/bad-cell",
    path: /^(tools_called|expected_tools|additional_metadata|custom_column_key_values|expectations|turns)$/,
    reason: "0 and False in a column that has nothing else count as absent, and so does {} as tools",
  },
  { code: "deepeval/bad-json-text", path: /^(tools_called|expected_tools)$/, reason: "{} in a text counts as no tools, and nobody writes it for that" },
  { code: "deepeval/typed-column", path: /^scenario$/, reason: "0 and false in a column that has nothing else count as no scenario" },
  { code: "csv/nul-character", reason: "some readers end the text there" },
  { code: "csv/text-after-quote", reason: "pandas joins the text with the quoted one, which is hardly meant" },
  { code: "deepeval/no-input-column", reason: "the file has no row; any row would be refused" },
  { code: "csv/bare-carriage-return", reason: "ends a row for some readers and not for others" },
  { code: "csv/stray-byte-order-mark", reason: "becomes part of a cell" },
  { code: "csv/blank-column", reason: "cannot be read by its name" },
  { code: "csv/duplicate-column", reason: "the second column of the name is lost" },
  { code: "csv/ragged-row", reason: "a row that is too short may have lost a cell in its middle" },
  { code: "csv/shifted-columns", reason: "all values are under the names of other columns" },
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
    const { disagreements, refused, chosen } = compare(files, checked, refusals, CHOICES);
    disagreements.push(...wronglyHeld(files, checked, refusals, held));
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
    context.diagnostic(`${FILES} files, ${refused} refused; ${records} records as they are held; stricter by choice: ${needed(chosen)}`);
  });
}

/** Golden cases, what the loader says of them, and how many goldens it holds then. */
const EXAMPLES = {
  "minimal/input.json": [null, 2],
  "rag/input.jsonl": [null, 2],
  "agent/input.json": [null, 1],
  "conversation-json/input.json": [null, 2],
  "csv/input.csv": [null, 2],
  "conversation-csv/input.csv": [null, 1],
  "csv-mark/input.csv": [null, 1],
  "bad-question-key/input.jsonl": [/Golden\ninput\n/, 0],
  "bad-mixed/input.json": [/You cannot add 'ConversationalGolden' to a single-turn dataset/, 1],
  "bad-wrapper/input.json": [/'str' object has no attribute 'get'/, 0],
  "single-object/input.json": [/'str' object has no attribute 'get'/, 0],
  "bad-system-turn/input.json": [/Input should be 'user' or 'assistant'/, 0],
  "bad-turns-without-scenario/input.jsonl": [/Golden\ninput\n/, 0],
  "bad-tools-as-names/input.csv": [/expected_tools\.0\n {2}Input should be a valid dictionary/, 0],
  "bad-number-column/input.csv": [/expected_output\n {2}Input should be a valid string .*input_value=7/, 0],
  "bad-bom/input.jsonl": [/contains invalid JSON on line 1/, 0],
  "lossy-na-words/input.csv": [null, 2],
  "lossy-list-cell/input.csv": [null, 1],
  "few-lack/input.jsonl": [null, 12],
  // Errors of evalcheck although the file loads.
  "lossy-trailing-comma/input.csv": [null, 2, "csv/shifted-columns"],
  "lossy-keys/input.json": [null, 1, "deepeval/text-for-list"],
};

test("DeepEval says of the golden cases what is expected", async () => {
  const folder = new URL("../cases/deepeval/", import.meta.url);
  const files = await Promise.all(
    Object.keys(EXAMPLES).map(async (path) => ({ name: path.replace("/input", ""), content: await readFile(new URL(path, folder)) })),
  );
  const [loaded, checked] = await verdicts(files);
  for (const [index, [refusal, goldens, error]] of Object.values(EXAMPLES).entries()) {
    const { name } = files[index];
    if (refusal === null) assert.equal(loaded[index].refused, null, name);
    else assert.match(loaded[index].refused, refusal, name);
    assert.equal(loaded[index].goldens.length, goldens, name);
    const { errors, by_code: found } = checked[index].counts;
    assert.equal(errors > 0, refusal !== null || error !== undefined, name);
    assert.ok(error === undefined || error in found, name);
  }
});
