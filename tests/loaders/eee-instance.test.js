// The line handling of Every Eval Ever and `jsonschema` against evalcheck.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { isFull, sized } from "../suite.mjs";
import { spoil } from "./mutate.js";
import { compare, drive, listed, Random, reports, withFiles } from "./support.js";

/** Files of each version. */
const FILES = sized(200, 2_500);

/** Errors of evalcheck in files that the reader takes. */
const CHOICES = [
  { code: "dataset/no-records", reason: "nothing in such a file is refused, and nothing is evaluated" },
  { code: "file/empty", reason: "the same" },
  { code: "json/number-out-of-range", reason: "Python reads infinity, which it could not write as JSON again" },
  {
    code: "json/stray-character",
    reason: "Python strips other white space around a record and ends lines at a carriage return alone; other readers of JSONL do neither",
  },
];

const OWN = ["single_turn", "multi_turn", "agentic", "0.2.0", "0.3.0", [{ turn_idx: 0, role: "user" }], { raw: "x" }, { raw: ["x"] }];

const EXAMPLES = { "0.2.0": ["minimal.jsonl", "full.jsonl"], "0.3.0": ["full-0.3.0.jsonl"] };

async function examples(version) {
  const texts = EXAMPLES[version].map((name) =>
    readFile(new URL(`../../crates/formats/src/eee_instance/${name}`, import.meta.url), "utf8"),
  );
  return (await Promise.all(texts)).flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line));
}

for (const version of ["0.2.0", "0.3.0"]) {
  test(`what Every Eval Ever refuses is an error, and nothing else, version ${version}`, async (t) => {
    const random = new Random(51);
    const records = await examples(version);
    const files = Array.from({ length: FILES }, (_, index) => {
      const lines = Array.from({ length: 1 + random.below(2) }, () => structuredClone(random.of(records)));
      return { name: `${version}-${index}.jsonl`, content: spoil(random, lines, OWN) };
    });
    await withFiles(files, async (folder) => {
      const names = files.map(({ name }) => name);
      const refusals = (await drive("eee-instance", "load_eee_instance.py", folder, names)).map((verdict) => verdict.refused);
      const checked = await reports(folder, names, ["--format", "eee-instance", "--format-version", version]);
      const { disagreements, refused, chosen } = compare(files, checked, refusals, CHOICES);
      const choices = [...chosen].map(([{ code }, count]) => `${code}: ${count}`).join(", ");
      t.diagnostic(`${files.length} files: ${refused} refused, ${choices}`);
      assert.equal(disagreements.length, 0, listed(disagreements));
      // Few files show only the usual ones.
      if (isFull) assert.ok([...chosen.values()].every((count) => count > 0), "each documented choice is needed");
      assert.ok(refused > FILES / 5 && refused < FILES * 0.9, `${refused} of ${FILES} are refused`);
    });
  });
}
