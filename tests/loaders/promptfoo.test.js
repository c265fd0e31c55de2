// promptfoo's own loader against evalcheck.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { isFull, sized } from "../suite.mjs";
import * as makers from "./promptfoo-files.js";
import { compare, driveNode, explained, listed, loaded as asLoaded, needed, Random, reports, withFiles, wronglyHeld } from "./support.js";

const CASES = new URL("../cases/promptfoo/", import.meta.url);

const skip = existsSync(new URL("promptfoo/node_modules/promptfoo", import.meta.url)) ? false : "promptfoo is not installed, and verdicts are NOT compared with it";

/** Files of each kind. */
const FILES = sized(200, 2_000);

/** Rules that are stricter than the loader. */
const CHOICES = [
  ...[/^description$/, /^vars$/, /^threshold$/, /^(options|metadata|provider|providerOutput|assertScoringFunction)$/, /^prompts/, /^providers/].map((path) => ({
    code: "shape/wrong-type", path, reason: "its schema (config-schema.json) refuses the type, and promptfoo warns at the run or ignores the value",
  })),
  { code: "shape/wrong-type", path: /^assert$/, reason: "false, 0 or an empty text loads as no assertions" },
  { code: "shape/wrong-type", path: /^assert\.\d+(\.assert\.\d+)?\.type$/, reason: "loads, and the test ends in an error: a type is a text" },
  { code: "shape/wrong-type", path: /^assert\.\d+\.assert/, reason: "assertions outside of a set are not read" },
  { code: "shape/missing-key", path: /^assert\.\d+\.assert/, reason: "as above" },
  { code: "shape/wrong-type", path: /^vars\.\d+$/, reason: "a list in place of the variables names files" },
  { code: "promptfoo/assertion-as-text", path: /^assert\.\d+\.assert/, reason: "as above" },
  { code: "promptfoo/nested-set", path: /^assert\.\d+\.assert/, reason: "as above" },
  { code: "promptfoo/path", hides: true, reason: "promptfoo drops the test without a word if the path has no extension of a file of tests" },
  { code: "file/empty", reason: "promptfoo goes on with one empty test, which passes" },
  { code: "text/refused-byte-order-mark", reason: "a mark alone on the first line is a blank line for promptfoo" },
  { code: "dataset/no-records", reason: "promptfoo goes on with one empty test, which passes" },
  { code: "promptfoo/config-column", reason: "the file has no row; any row would be refused" },
  { code: "text/invalid-utf8", reason: "promptfoo replaces the byte by U+FFFD, and the model gets another text" },
  { code: "csv/text-after-quote", hides: true, reason: "promptfoo reads the file again and keeps the quotes as text" },
  { code: "csv/unterminated-quote", hides: true, reason: "as above" },
  { code: "csv/duplicate-column", reason: "the first column of the name is lost" },
  { code: "csv/blank-column", reason: "becomes a variable without a name, which no prompt can use" },
  { code: "csv/blank-header", reason: "the file has no row besides, or rows of one cell" },
  { code: "csv/bare-carriage-return", hides: true, reason: "ends a row for some readers and not for others" },
  { code: "csv/line-end", hides: true, reason: "the carriage return, or the line feed, stays in a cell, which is not meant" },
  { code: "json/number-out-of-range", reason: "JavaScript reads infinity, and the number is lost" },
  { code: "csv/nul-character", reason: "promptfoo keeps it; other readers end the text there" },
  { code: "csv/stray-byte-order-mark", reason: "becomes part of a cell" },
  { code: "csv/separator", hides: true, reason: "one column whose name is the whole line" },
  { code: "file/another-kind", reason: "a short file with a control character looks like no text" },
];

/** Errors in documents that YAML is lenient with. */
const OF_YAML = [
  { code: /^(json|document)\/|^text\/stray-byte-order-mark$/, reason: "no JSON: YAML reads it, as something else, and a configuration with a list of files refuses it" },
];

/** The loader on files in a folder. */
const load = (folder, names) => driveNode("load_promptfoo.cjs", folder, names);

/** Types whose assertions the driver runs. */
const COMPARED = /^(not-)?(i?contains(-any|-all)?|equals|regex|starts-with|levenshtein|latency|cost)$/;

/** As `JSON.stringify` writes it. */
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const [number, [kind, make]] of Object.entries(makers).entries()) {
  test(`promptfoo refuses what has errors, and holds what is said, as ${kind}`, { skip }, async (context) => {
    const random = new Random(700 + number);
    const files = Array.from({ length: FILES }, (_, index) => ({ name: `${index}.${kind}`, content: make(random) }));
    const names = files.map(({ name }) => name);
    await withFiles(files, async (folder) => {
      const options = ["--format", "promptfoo"];
      const [theirs, checked, held] = await Promise.all([load(folder, names), reports(folder, names, options), asLoaded(folder, names, options)]);
      const refusals = theirs.map(({ refused }) => refused);
      const codes = kind === "json" ? [...new Set(checked.flatMap(({ counts }) => Object.keys(counts.by_code)))] : [];
      const lenient = codes.flatMap((code) => OF_YAML.filter((of) => of.code.test(code)).map((of) => ({ ...of, code, hides: true })));
      const { disagreements, refused, chosen } = compare(files, checked, refusals, [...CHOICES, ...lenient]);
      disagreements.push(...wronglyHeld(files, checked, refusals, held));
      assert.equal(disagreements.length, 0, listed(disagreements));
      assert.ok(refused > FILES / 10 && refused < FILES * 0.8, `${refused} of ${FILES} are refused`);
      let [records, ended] = [0, 0];
      const differing = [];
      for (const [index, name] of names.entries()) {
        const { counts } = checked[index];
        if (refusals[index] !== null || counts.errors > 0) continue;
        const ours = held.get(name).map(({ record }) => record);
        const about = `${name}: ${files[index].content.toString().slice(0, 600)}`;
        try {
          assert.deepEqual(plain(ours), theirs[index].tests, about);
        } catch (error) {
          differing.push(`${error.message}\n${about}`);
        }
        assert.equal(counts.records, theirs[index].tests.length, about);
        records += ours.length;
        for (const [record, ends] of theirs[index].ends.entries()) {
          if (kind === "csv") {
            const ofRow = checked[index].findings.filter((finding) => finding.record === record);
            const said = ofRow.filter(({ message }) => message.includes("ends in an error") && COMPARED.test(message.split(" ")[0]));
            // A number that is lost is said first.
            const mayBeMore = ofRow.some(({ code }) => code === "promptfoo/lost-number");
            const errors = ends.filter((isError) => isError === true).length;
            assert.ok(said.length === errors || (mayBeMore && said.length < errors), `${said.length} of ${errors} errors are said, ${about}`);
            ended += said.length;
            continue;
          }
          for (const [at, isError] of ends.entries()) {
            const { type } = theirs[index].tests[record].assert[at];
            // select-best and its like compare several outputs.
            if (isError === null || ["human", "select-best", "max-score"].includes(type)) continue;
            const isOf = ({ record: own, path }) => own === record && path?.startsWith(`assert.${at}.`);
            const isSaid = checked[index].findings.filter(isOf).some(({ message }) => message.includes("ends in an error"));
            assert.equal(isSaid, isError, `${type}, ${about}`);
            if (isSaid) ended += 1;
          }
        }
      }
      assert.equal(differing.length, 0, listed(differing));
      assert.ok(records > FILES / 4, `${records} records are compared`);
      // Few files may have none.
      assert.ok(ended > FILES / 100 || !isFull, `${ended} assertions end in an error, as is said`);
      context.diagnostic(`${FILES} files, ${refused} refused; ${records} records as they are held; ${ended} assertions that end in an error; stricter by choice: ${needed(chosen)}`);
    });
  });
}

/** What promptfoo says of cases, as its code was found to say it. */
const VERDICTS = {
  questions: 3,
  "all-columns": 1,
  tests: 2,
  "tests-lines": 2,
  one: 1,
  "blank-last-row": "Error: Invalid Record Length: columns length is 2, got 1 on line 3",
  misspelt: 7,
  "wrong-columns": 1,
  "empty-threshold": "Error: Invalid numeric value for threshold",
  "text-after-quote": "Error: Invariant failed: Expected comma after quoted field in contains assertion value",
  flat: "Error: Test case must contain one of the following properties",
  "assert-as-text": "AssertValidationError: Invalid assertion at tests[1].assert[0]:",
  "wrong-assertions": 3,
  "path-key": "Error: ENOENT: no such file or directory",
  "yaml-not-json": 1,
  "key-twice": "Error: Failed to parse JSON test file",
  upper: 0,
  "blank-lines": "Error: Invalid Record Length: columns length is 2, got 1 on line 2",
  "one-column": 4,
  "config-columns": "Error: Invalid expected key",
  "header-with-crlf": "Error: Invalid Record Length",
  "rows-with-crlf": 3,
  configuration: "Error: Test case must contain one of the following properties",
  "other-extension": 0,
  "lines-in-json": "Error: Failed to parse JSON test file",
  "mark-in-jsonl": "Error: Failed to parse JSONL test file",
  "mark-in-json": 1,
};

test("promptfoo says of the cases what is written of them", { skip }, async () => {
  const folder = fileURLToPath(CASES);
  const input = (name) => join(name, readdirSync(join(folder, name)).find((file) => file.startsWith("input.")));
  const results = await load(folder, Object.keys(VERDICTS).map(input));
  for (const [index, [name, verdict]] of Object.entries(VERDICTS).entries()) {
    const { refused, tests } = results[index];
    if (typeof verdict === "number") assert.equal(refused ?? tests.length, verdict, name);
    else assert.ok(refused?.startsWith(verdict), `${name}: ${refused ?? "loads"}`);
  }
});

test("promptfoo loads what the rules call fixed", { skip }, async (context) => {
  const all = await explained("promptfoo");
  const name = (text, index) => `${index}.${/^[[{]/.test(text) ? "jsonl" : "csv"}`;
  const files = (of) => all.map((example, index) => ({ name: name(example[of], index), content: example[of] }));
  const found = await withFiles(files("invalid"), (folder) => reports(folder, files("invalid").map((file) => file.name), ["--format", "promptfoo"]));
  const fixed = await withFiles(files("valid"), (folder) => reports(folder, files("valid").map((file) => file.name), ["--format", "promptfoo"]));
  // Others are examples in the words of another format.
  const own = [...all.keys()].filter((index) => all[index].code in found[index].counts.by_code && fixed[index].counts.errors === 0);
  const results = await withFiles(files("valid"), (folder) => load(folder, files("valid").map((file) => file.name)));
  const refused = own.filter((index) => results[index].refused !== null).map((index) => [all[index].code, results[index].refused, all[index].valid]);
  assert.deepEqual(refused, []);
  context.diagnostic(`${own.length} examples`);
  assert.ok(own.length > 20, `${own.length} examples`);
});

test("promptfoo loads the built-in examples", { skip }, async () => {
  const folder = fileURLToPath(new URL("../../crates/formats/src/promptfoo/", import.meta.url));
  const names = ["minimal.jsonl", "full.json", "minimal.csv", "full.csv"];
  const results = await load(folder, names);
  assert.deepEqual(results.map(({ refused }) => refused), [null, null, null, null], join(folder, names[0]));
  assert.ok(readFileSync(join(folder, "broken.csv")).length > 0);
});
