// What the command says about the archives that other readers are tested with. `cargo xtask corpora` fetches them, and sets
// EVALCHECK_CORPUS to the list of their paths.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readAll, which } from "./readers.js";
import { aboutArchive, dispute, reports, unflagged } from "./verdict.js";

const { EVALCHECK_CLI: command, EVALCHECK_ARCHIVES: ours, EVALCHECK_PYTHON: python, EVALCHECK_CORPUS: corpus } = process.env;

test("what readers dispute in the archives of their tests is a finding", { skip: !corpus && "there is no corpus" }, async () => {
  const files = readFileSync(corpus, "utf8").split("\n").filter(Boolean);
  assert.ok(files.length > 0, "there is an archive");
  const outcomes = await readAll(files, { ours, python, unzip: which("unzip") });
  const said = await reports(command, files);
  const failures = files.map((file, index) => [file, unflagged(said[index], outcomes[index])]).filter(([, why]) => why);
  const disputed = outcomes.filter((outcome) => dispute(outcome)).length;
  const flagged = said.filter((report) => aboutArchive(report).length > 0).length;
  console.log(`archives: ${files.length} of other tests, ${disputed} disputed by readers, ${flagged} with a finding, ${failures.length} disputes unflagged`);
  assert.equal(failures.length, 0, failures.map(([file, why]) => `${file}: ${why}`).join("\n"));
});
