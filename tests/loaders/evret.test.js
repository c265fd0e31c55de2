// Evret's own loader, in each release that reads other keys, against evalcheck.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isFull, sized } from "../suite.mjs";
import { BYTE_ORDER_MARK, csv, json } from "./evret-files.js";
import { compare, drive, listed, loaded as asLoaded, needed, Random, reports, withFiles } from "./support.js";

/** Files of each kind for each release. */
const FILES = sized(200, 2_600);

/** Rules that are stricter than the loaders of all releases. */
const CHOICES = [
  { code: "shape/missing-key", path: /^queries$/, reason: "the document requires the list; the loader takes none for an empty one" },
  { code: "dataset/no-records", reason: "the loader loads no query, and nothing can be evaluated" },
  ...[/^queries\.\d+\.(query_id|id|query_text|query)$/, /^documents\.\d+\.(doc_id|text)$/, /^queries\.\d+\.\w+\.\d+$/].map((path) => ({
    code: "shape/wrong-type", path, reason: "a list or an object in place of a string: the loader makes a string of it, and nobody means that",
  })),
  { code: "json/nan", reason: "Python reads NaN and Infinity, which are not JSON" },
  { code: "json/number-out-of-range", reason: "Python reads the number as infinity, and it is lost" },
  { code: "document/not-checked", reason: "follows one of the two above where records cannot be told" },
  { code: "text/refused-byte-order-mark", hides: true, reason: "of a CSV: becomes part of the first column's name, which is lost" },
  { code: "file/another-kind", reason: "a short file with a control character looks like no text" },
  { code: "csv/stray-byte-order-mark", reason: "becomes part of a cell" },
  { code: "csv/blank-header", reason: "the file has no row besides; any row would be refused" },
  { code: "csv/missing-column", reason: "the file has no row; any row would be refused" },
  { code: "csv/ragged-row", reason: "cells stand under the wrong columns, or are lost" },
  { code: "csv/duplicate-column", reason: "the first column of the name is lost" },
  { code: "csv/blank-column", reason: "cannot be read by its name" },
  { code: "csv/separator", reason: "the file has no row; any row would be refused" },
  { code: "csv/unterminated-quote", reason: "the rows that follow become part of a cell" },
  { code: "csv/text-after-quote", reason: "the cell is read as another text than is meant" },
  { code: "csv/bare-carriage-return", reason: "ends a row for some readers and not for others" },
  { code: "csv/nul-character", reason: "refused by Python before 3.11" },
];

/** Of the first release only. */
const CHOICES_OF = {
  "0.0.1": [{ code: "evret/both-relevance-fields", reason: "the document forbids it" }],
  "0.0.2": [],
  "0.0.3": [],
};

for (const [number, version] of ["0.0.1", "0.0.2", "0.0.3"].entries()) {
  for (const [kind, make] of Object.entries({ json, csv })) {
    test(`Evret ${version} refuses what has errors, as ${kind}`, async (context) => {
      const random = new Random(100 + number);
      const files = Array.from({ length: FILES }, (_, index) => ({ name: `${index}.${kind}`, content: make(random) }));
      const names = files.map(({ name }) => name);
      await withFiles(files, async (folder) => {
        const options = ["--format", "evret", "--format-version", version];
        const [loaded, checked, held] = await Promise.all([
          drive(`evret-${version}`, "load_evret.py", folder, names),
          reports(folder, names, options),
          asLoaded(folder, names, options),
        ]);
        const refusals = loaded.map(({ refused }) => refused);
        const choices = [...CHOICES, ...CHOICES_OF[version]];
        const { disagreements, refused, chosen } = compare(files, checked, refusals, choices);
        assert.equal(disagreements.length, 0, listed(disagreements));
        assert.ok(refused > FILES / 5 && refused < FILES * 0.8, `${refused} of ${FILES} are refused`);
        const marked = [...files.keys()].filter((index) => files[index].content.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK));
        const unnamed = marked.filter((index) => !("text/refused-byte-order-mark" in checked[index].counts.by_code));
        assert.deepEqual(unnamed.map((index) => names[index]), [], "the mark is an error");
        // Few files may have no mark.
        assert.ok(marked.length > FILES / 100 || !isFull, `${marked.length} files begin with a byte order mark`);
        const taken = marked.filter((index) => refusals[index] === null).length;
        // In front of JSON none is loaded; a CSV is, without its first column.
        assert.ok(kind === "csv" ? taken > 0 || !isFull : taken === 0, `${taken} files are loaded with their mark`);
        const states = (index) => held.get(names[index]).map(({ state }) => state);
        const errorsOf = (index) => checked[index].findings.filter(({ severity }) => severity === "error");
        // The header's fate is every record's.
        let ruled = 0;
        for (const [index, refused] of refusals.entries()) {
          const isOfHeader = errorsOf(index).every(({ code, record, line }) => {
            return record === null && line !== null && code !== "csv/white-space-row" && (kind === "csv" || code === "text/refused-byte-order-mark");
          });
          if (refused === null || !isOfHeader || checked[index].counts.records === 0) continue;
          const about = `${names[index]}: ${refused}: ${files[index].content.toString().slice(0, 600)}`;
          // Behind a mark some rows may have a second column with what the first one loses.
          const isMarked = kind === "csv" && errorsOf(index).every(({ code }) => code === "text/refused-byte-order-mark");
          const isRefused = (state) => state === "refused";
          if (isMarked) assert.ok(states(index).some(isRefused), about);
          else assert.ok(states(index).every(isRefused) && checked[index].counts.valid === 0, about);
          ruled += 1;
        }
        assert.ok(ruled > FILES / (kind === "csv" ? 26 : 260), `${ruled} files are refused because of their beginning`);
        let [records, behindMarks] = [0, 0];
        for (const [index, { counts }] of checked.entries()) {
          // A CSV is loaded with its mark, and its first column is lost.
          const isMarked = kind === "csv" && counts.errors === 1 && "text/refused-byte-order-mark" in counts.by_code;
          if (refusals[index] !== null || (counts.errors > 0 && !isMarked)) continue;
          behindMarks += isMarked ? 1 : 0;
          const { queries, documents } = loaded[index];
          // Those of a list that comes again are dropped.
          const ours = held.get(names[index]).filter(({ state }) => state !== "dropped").map(({ record }) => record);
          const isDocument = (record) => "doc_id" in record && !("query_text" in record);
          const about = `${names[index]}: ${files[index].content.toString().slice(0, 600)}`;
          assert.deepEqual(ours.filter((record) => !isDocument(record)), queries, about);
          assert.deepEqual(ours.filter(isDocument), documents, about);
          records += ours.length;
        }
        assert.ok(records > FILES / 2, `${records} records are compared`);
        assert.ok(kind === "csv" ? behindMarks > 0 || !isFull : behindMarks === 0, `${behindMarks} files with a mark are compared`);
        for (const [index, { counts }] of checked.entries()) {
          // Of a list that is there twice both are counted, and one is loaded.
          const isTwice = "document/duplicate-key" in counts.by_code;
          if (refusals[index] !== null || counts.errors > 0 || isTwice) continue;
          const { queries, documents } = loaded[index];
          assert.equal(counts.records, queries.length + documents.length, `records of ${names[index]}`);
          const lost = queries.filter((query) => Object.values(query).every((value) => typeof value === "string" || value.length === 0));
          assert.ok(lost.length === 0 || counts.warnings + counts.infos > 0, `nothing is said of lost labels in ${names[index]}`);
        }
        context.diagnostic(`${FILES} files, ${refused} refused; ${marked.length} with a byte order mark, ${taken} of them loaded; ${records} records as they are held, ${ruled} files refused because of their beginning; stricter by choice: ${needed(chosen)}`);
      });
    });
  }
}
