// A validator of files for OpenAI's supervised fine-tuning against evalcheck.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { sized } from "../suite.mjs";
import { spoilText, spoilValue, write } from "./mutate.js";
import { drive, listed, Random, reports, withFiles } from "./support.js";

const FILES = sized(200, 4_000);

const OWN = ["system", "user", "assistant", "tool", "function", "developer", "Assistant", "text", "image_url", "<|endoftext|>", "{}", []];

const args = ["--format", "openai-finetune"];

const example = (name) => readFile(new URL(`../../crates/formats/src/openai_finetune/${name}.jsonl`, import.meta.url), "utf8");

/** The examples, each as a file, and what the validator and evalcheck say of them. */
async function verdicts(files) {
  return withFiles(files, async (folder) => {
    const names = files.map(({ name }) => name);
    const refusals = (await drive("openai", "load_openai.py", folder, names)).map((verdict) => verdict.refused);
    const checked = await reports(folder, names, args);
    return files.map((file, index) => ({ ...file, refusal: refusals[index], valid: checked[index].valid }));
  });
}

test("llmcomp takes the clean examples, and refuses the broken one", async () => {
  const names = ["minimal", "full", "broken"];
  const files = await Promise.all(names.map(async (name) => ({ name: `${name}.jsonl`, content: await example(name) })));
  const taken = (await verdicts(files)).map(({ refusal, valid }) => [refusal === null, valid]);
  assert.deepEqual(taken, [[true, true], [true, true], [false, false]]);
});

test("what llmcomp refuses is an error", async (t) => {
  const random = new Random(71);
  const lines = (await example("full")).trim().split("\n").map((line) => JSON.parse(line));
  const files = Array.from({ length: FILES }, (_, index) => {
    const records = structuredClone(lines);
    for (let changes = random.below(3); changes >= 0; changes -= 1) spoilValue(random, records, OWN);
    const content = write(records);
    return { name: `${index}.jsonl`, content: random.chance(0.1) ? spoilText(random, content) : content };
  });
  const found = await verdicts(files);
  const refused = found.filter(({ refusal }) => refusal !== null);
  const missed = refused.filter(({ valid }) => valid);
  t.diagnostic(`${files.length} files: ${refused.length} refused`);
  const texts = missed.map(({ name, refusal, content }) => `${name}: ${refusal}\n  ${content.slice(0, 600)}`);
  assert.equal(missed.length, 0, listed(texts));
  assert.ok(refused.length > FILES / 5 && refused.length < FILES * 0.95, `${refused.length} of ${FILES} are refused`);
});
