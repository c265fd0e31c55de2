// Hugging Face datasets itself, before and after it had columns of JSON, against evalcheck.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sized } from "../suite.mjs";
import { csv, json, jsonl, later } from "./hf-datasets-files.js";
import { compare, drive, listed, loaded as asLoaded, near, needed, Random, reports, withFiles, wronglyHeld } from "./support.js";

/** Files of each kind for each version. */
const FILES = sized(34, 350);

/** Rules that are stricter than the loader. */
const CHOICES = [
  { code: "hf-datasets/late-mixture", reason: "loads, and puts quotes around texts" },
  { code: "hf-datasets/huge-number", reason: "ujson reads some numbers of more than 64 bits as others, without a word" },
  { code: "hf-datasets/lone-surrogate", reason: "in an array, the first half of a pair is deleted without a word" },
  { code: "json/nan", reason: "Arrow reads NaN and Infinity, which are not JSON" },
  { code: "json/number-out-of-range", reason: "an array or a column of JSON makes null of it" },
  { code: "json/refused-duplicate-key", reason: "the last one counts where the records are written again, and only there" },
  { code: "json/text-after-record", reason: "Arrow reads two records on a line, which other readers of JSONL do not" },
  { code: "json/record-over-several-lines", reason: "Arrow reads a record over several lines, which other readers of JSONL do not" },
  { code: "json/stray-character", hides: true, reason: "a lone carriage return is white space to Arrow" },
  { code: "json/array-of-records", hides: true, reason: "an array on the first line makes the file an array" },
  { code: "shape/wrong-type", path: /^(\(root\))?$/, hides: true, reason: "null is a row of nulls, and a list of texts a column; nobody means them in a file of records" },
  { code: "text/invalid-utf8", hides: true, reason: "where the records are written again, the bytes are read as other characters" },
  { code: "json/control-character", hides: true, reason: "where the records are written again, it is taken" },
  { code: "document/not-checked", hides: true, reason: "follows one of the above" },
  { code: "file/another-kind", hides: true, reason: "a short file with a control character looks like no text" },
  { code: "csv/ragged-row", hides: true, reason: "a cell that is missing becomes null, without a word" },
  { code: "csv/shifted-columns", hides: true, reason: "all values are under other names" },
  { code: "csv/text-after-quote", hides: true, reason: "the cell is read as another text than is meant" },
  { code: "csv/unterminated-quote", hides: true, reason: "the rows that follow become part of a cell" },
  { code: "csv/separator", hides: true, reason: "all cells become one column" },
  { code: "csv/duplicate-column", hides: true, reason: "the second column gets another name" },
  { code: "csv/blank-column", hides: true, reason: "the column gets a name that is not in the file" },
  { code: "csv/bare-carriage-return", hides: true, reason: "ends a row for pandas, and not for other readers" },
  { code: "csv/stray-byte-order-mark", hides: true, reason: "becomes part of a cell" },
  { code: "csv/nul-character", hides: true, reason: "pandas keeps it, and other readers refuse the file" },
];

/** After a list whose null comes before a text, datasets reads the file in another way, in which dates stay texts. */
const NULL_BEFORE_TEXT = /\[null,\s*"/;

const VERSIONS = { "5.2.0": "5.2", "4.6.1": "4.6" };

for (const [number, [release, version]] of Object.entries(VERSIONS).entries()) {
  test(`datasets ${release} refuses the later pieces that have errors`, async () => {
    await withFiles(later, async (folder) => {
      const names = later.map(({ name }) => name);
      const [loaded, checked] = await Promise.all([
        drive(`hf-datasets-${release}`, "load_hf_datasets.py", folder, names),
        reports(folder, names, ["--format", "hf-datasets", "--format-version", version]),
      ]);
      const refusals = loaded.map(({ refused }) => refused);
      const { disagreements, refused } = compare(later, checked, refusals, CHOICES);
      assert.equal(disagreements.length, 0, listed(disagreements));
      assert.ok(refused > 5 && refused < later.length - 5, `${refused} of ${later.length} are refused`);
    });
  });
  for (const [kind, make] of Object.entries({ jsonl, json, csv })) {
    test(`datasets ${release} refuses what has errors, and holds the rest as evalcheck says, as ${kind}`, async (t) => {
      const random = new Random(570 + number);
      const files = Array.from({ length: FILES }, (_, index) => ({ name: `${index}.${kind}`, content: make(random) }));
      const names = files.map(({ name }) => name);
      await withFiles(files, async (folder) => {
        const options = ["--format", "hf-datasets", "--format-version", version];
        const [loaded, checked, held] = await Promise.all([
          drive(`hf-datasets-${release}`, "load_hf_datasets.py", folder, names),
          reports(folder, names, options),
          asLoaded(folder, names, options),
        ]);
        const refusals = loaded.map(({ refused }) => refused);
        const { disagreements, refused, chosen } = compare(files, checked, refusals, CHOICES);
        disagreements.push(...wronglyHeld(files, checked, refusals, held));
        let records = 0;
        for (const [index, { counts }] of checked.entries()) {
          if (refusals[index] !== null || counts.errors > 0) continue;
          const ours = held.get(names[index]).map(({ record }) => record);
          records += ours.length;
          const isOdd = NULL_BEFORE_TEXT.test(files[index].content.toString());
          if (isOdd || near(ours, loaded[index].records)) continue;
          const [ourText, theirs] = [ours, loaded[index].records].map((rows) => JSON.stringify(rows));
          disagreements.push(`${names[index]}: held as ${theirs}\n  we say ${ourText}\n  ${JSON.stringify(files[index].content.toString()).slice(0, 600)}`);
        }
        assert.equal(disagreements.length, 0, listed(disagreements));
        assert.ok(refused > FILES / 40 && refused < FILES * 0.8, `${refused} of ${FILES} are refused`);
        assert.ok(records > FILES / 3, `${records} records are compared`);
        t.diagnostic(`${FILES} files, ${refused} refused; ${records} records as they are held; stricter by choice: ${needed(chosen)}`);
      });
    });
  }
}
