// Readers of files for OpenAI's Batch API against evalcheck. The service's own validator is closed.
//
// vLLM is only compared where EVALCHECK_VLLM names its wheel, which is of 336 MB: see load_vllm.py.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { isFull, sized } from "../suite.mjs";
import { ENDPOINTS, generated } from "./openai-batch-files.js";
import { drive, explained, listed, loaded, Random, reports, withFiles } from "./support.js";

const FILES = sized(200, 2_000);

const hasVllm = Boolean(process.env.EVALCHECK_VLLM);

const args = (option) => ["--format", "openai-batch", ...(option ? ["--option", option] : [])];

/**
 * A refusal that is no error of evalcheck, and no warning that the request is likely to fail.
 * @typedef {{ reader: string, option?: string, text?: RegExp, refusal: RegExp, reason: string }} Stricter
 *
 * An error, or a warning that the request is likely to fail, that no reader demands, everywhere or at some paths, and why it is one.
 * @typedef {{ code: string, path?: RegExp, message?: RegExp, reason: string }} Documented
 */

/** @type {Stricter[]} */
const STRICTER = [
  {
    reader: "sdk",
    option: "vllm",
    refusal: /: body\.(encoding_format|dimensions|user): /,
    reason: "vLLM has other formats of embeddings, and takes null",
  },
  {
    reader: "sdk",
    text: /"\/v1\/responses"/,
    refusal: /: body\.(tools|tool_choice|input)\b/,
    reason: "there are many kinds of tools and items of responses: evalcheck looks at no more than that they are objects",
  },
  {
    reader: "sdk",
    option: "vllm",
    text: /"messages"/,
    refusal: /: body\.input: Field required/,
    reason: "vLLM embeds conversations too",
  },
  {
    reader: "vllm",
    option: "vllm",
    text: /"messages"/,
    refusal: /\.input +Field required/,
    reason: "evalcheck does not look into a conversation to embed",
  },
  {
    reader: "vllm",
    option: "vllm",
    text: /\\ud[89ab]/i,
    refusal: /Invalid JSON: (unexpected end of hex escape|lone leading surrogate)/,
    reason: "half of a pair of escapes is a warning in every format: Python reads it",
  },
  { reader: "sdk", refusal: /, not .*\b\d+\.0\b/, reason: "for a JSON Schema 1.0 is an integer, and vLLM takes it" },
];

/** @type {Documented[]} */
const DOCUMENTED = [
  { code: "openai-batch/repeated-id", reason: "OpenAI fails the batch with duplicate_custom_id; vLLM's source says that ids must be unique" },
  { code: "openai-batch/url-mismatch", reason: "OpenAI fails the batch with url_mismatch" },
  { code: "openai-batch/model-mismatch", reason: "OpenAI fails the batch with model_mismatch; vLLM's documentation demands one model" },
  { code: "openai-batch/url", reason: "OpenAI's reference lists the endpoints; vLLM gives such a line an error when it runs" },
  { code: "shape/invalid-enum-value", path: /^method$/, reason: "OpenAI's reference: only POST is supported" },
  { code: "shape/missing-key", path: /^body\.model$/, reason: "a batch has one model; the types of responses alone do not demand it" },
  ...["shape/too-few-elements", "openai-batch/bad-request"].map((code) => ({
    code,
    path: /^body\.(messages|input)$/,
    message: /at least 1 element/,
    reason: "the API refuses an empty list, at which no reader looks",
  })),
  { code: "json/stray-character", reason: "Python takes a line of a vertical tab or a form feed for blank; what OpenAI does is not known" },
  { code: "json/nan", reason: "Python reads it, and JSON does not have it" },
  { code: "json/number-out-of-range", reason: "Python reads infinity, which it could not write as JSON again" },
];

/** The readers, and their names in findings. */
const NAMES = { litellm: "LiteLLM", sdk: "openai-python", vllm: "vLLM" };

/** Errors that stand for the lines after them too. */
const OF_MANY_LINES = ["json/array-of-records", "json/raw-line-break", "json/record-over-several-lines"];

const LIKELY_TO_FAIL = "openai-batch/bad-request";

/** Files, and what the readers and evalcheck say of them. */
async function verdicts(files, option) {
  return withFiles(files, async (folder) => {
    const names = files.map(({ name }) => name);
    const refusals = await drive("openai-batch", "load_openai_batch.py", folder, names);
    const vllm = hasVllm ? await drive("openai-batch", "load_vllm.py", folder, names) : [];
    const checked = await reports(folder, names, args(option));
    const held = await loaded(folder, names, args(option));
    return files.map((file, index) => {
      const of = (severity) => checked[index].findings.filter((finding) => finding.severity === severity);
      const refused = { ...refusals[index], ...(hasVllm && { vllm: vllm[index].refused }) };
      return { ...file, refusals: refused, errors: of("error"), warnings: of("warning"), held: held.get(file.name) };
    });
  });
}

/** Each refusal of a file: its reader, its line or null, and its words. */
function refusalsOf(refusals) {
  return Object.entries(refusals).flatMap(([reader, words]) =>
    (words ?? "").split("\n").filter(Boolean).map((refusal) => {
      const line = /\bline (\d+)/.exec(refusal);
      return { reader, refusal, line: line && Number(line[1]) };
    }),
  );
}

/** Whether a finding is about a line, perhaps as one of many. */
function isAt({ code, line: start }, line) {
  if (start === null) return true;
  return OF_MANY_LINES.includes(code) ? start <= line : start === line;
}

/** The disagreements about a file, each as a text. Adds to `used` the entries of the lists that explain others. */
function disagreements({ content, refusals, errors, warnings, held }, option, used) {
  const found = [];
  const all = refusalsOf(refusals);
  // Only vLLM and the types look into bodies, and only vLLM stops at them.
  const failing = warnings.filter(({ code }) => code === LIKELY_TO_FAIL);
  const isSeen = (line) => [...errors, ...failing].some((finding) => line === null || isAt(finding, line));
  for (const { reader, refusal, line } of all) {
    // vLLM has other endpoints than OpenAI.
    if (isSeen(line) || (reader === "vllm" && option !== "vllm")) continue;
    const applies = (entry) => (entry.option ?? option) === option && (entry.text?.test(content.toString()) ?? true);
    const fits = (entry) => entry.reader === reader && applies(entry) && entry.refusal.test(refusal);
    const entry = STRICTER.find(fits);
    if (entry) used.add(entry);
    else found.push(`${reader} refuses: ${refusal}`);
  }
  // A reader that stops at its first fault may have stopped before.
  const isDemanded = (finding) =>
    all.some(({ reader, line }) => line === null || isAt(finding, line) || (reader !== "sdk" && line <= (finding.line ?? line)));
  const isDocumented = ({ code, path, message }) =>
    DOCUMENTED.find((entry) => entry.code === code && (entry.path?.test(path ?? "") ?? true) && (entry.message?.test(message) ?? true));
  const isOfVllm = ({ refused_by: named = "" }) => !hasVllm && named.includes(NAMES.vllm);
  for (const finding of [...errors, ...failing].filter((finding) => !isDemanded(finding) && !isOfVllm(finding))) {
    const entry = isDocumented(finding);
    if (entry) used.add(entry);
    else found.push(`no reader refuses: ${finding.code} at "${finding.path ?? ""}", line ${finding.line}: ${finding.message}`);
  }
  for (const finding of [...errors, ...warnings]) {
    const { code, path, line, refused_by: named = "" } = finding;
    for (const [reader, name] of Object.entries(NAMES)) {
      // vLLM does not know Azure's url.
      if (!named.includes(name) || !(reader in refusals) || (reader === "vllm" && option === "azure")) continue;
      // The types say nothing of a line that Python cannot read.
      const isUnreadable = errors.some((error) => /^(json|text)\//.test(error.code) && isAt(error, line));
      if (reader === "sdk" && isUnreadable) continue;
      const refuses = reader === "sdk" ? all.some((refusal) => refusal.reader === "sdk" && isAt(finding, refusal.line)) : refusals[reader] !== null;
      if (!refuses) found.push(`${reader} does not refuse, though it is named: ${code} at "${path ?? ""}", line ${line}`);
    }
  }
  const lines = content.toString().split("\n");
  for (const { line, state, record } of held.filter(({ state }) => state === "held")) {
    if (JSON.stringify(record) !== JSON.stringify(JSON.parse(lines[line - 1]))) found.push(`line ${line} is ${state} otherwise: ${JSON.stringify(record)}`);
  }
  return found;
}

const example = (name) => readFile(new URL(`../../crates/formats/src/openai_batch/${name}.jsonl`, import.meta.url), "utf8");

test("the readers take the clean examples, and refuse the broken one", async () => {
  const names = ["minimal", "full", "broken"];
  const files = await Promise.all(names.map(async (name) => ({ name: `${name}.jsonl`, content: await example(name) })));
  const found = await verdicts(files);
  const taken = found.map(({ refusals, errors }) => [refusals.litellm === null, refusals.sdk === null, errors.length === 0]);
  assert.deepEqual(taken, [[true, true, true], [true, true, true], [false, false, false]]);
});

/**
 * What the readers do with the published examples: the line and the words of a refusal, by the reader.
 * @type {Record<string, { litellm?: RegExp, sdk?: RegExp, vllm?: RegExp }>}
 */
const EXAMPLES = {
  "bad-array": { litellm: /line 1 is not valid JSON/, vllm: /line 1: .* Invalid JSON: EOF while parsing a list/ },
  "bad-byte-order-mark": { vllm: /line 1: .* Invalid JSON: expected value/ },
  "bad-duplicate-id": {},
  "bad-id-is-a-number": { vllm: /line 1: .* custom_id {3}Input should be a valid string/ },
  "bad-missing-method": { litellm: /'method' \(batch input file line 2\)/, vllm: /line 2: .* method {3}Field required/ },
  "bad-no-model": { sdk: /^line 1: body\.model: Field required/ },
  "bad-params-instead-of-body": { litellm: /'method' \(batch input file line 1\)/, vllm: /line 1: .* method {3}Field required/ },
  "bad-two-models": {},
  "bad-two-urls": {},
  "bad-url-without-v1": {},
  "request-fails-arguments-object": { sdk: /^line 1: body\.messages\.1/, vllm: /line 1: .*function\.arguments/ },
  "request-fails-no-messages": { sdk: /^line 2: body\.messages: Field required/, vllm: /line 2: .* body\.messages {3}Field required/ },
  "valid-chat": {},
  "valid-embeddings": {},
  "valid-responses": {},
  "valid-tools-and-images": {},
};

test("the readers do with the examples what is known of them", async () => {
  const names = Object.keys(EXAMPLES);
  const input = (name) => readFile(new URL(`../cases/openai-batch/${name}/input.jsonl`, import.meta.url));
  const files = await Promise.all(names.map(async (name) => ({ name: `${name}.jsonl`, content: await input(name) })));
  for (const { name, refusals, errors } of await verdicts(files)) {
    const id = name.replace(".jsonl", "");
    for (const [reader, refusal] of Object.entries(refusals)) {
      const expected = EXAMPLES[id][reader];
      assert.ok(expected ? expected.test(refusal ?? "") : refusal === null, `${reader} on ${name}: ${refusal}`);
    }
    assert.equal(errors.length > 0, id.startsWith("bad"), name);
  }
});

const used = new Set();

for (const option of [undefined, "azure", "vllm"]) {
  test(`evalcheck and the readers differ only for documented reasons, ${option ?? "without an option"}`, async (t) => {
    const random = new Random(8);
    const contents = Array.from({ length: FILES }, (_, index) => ({
      name: `${index}.jsonl`,
      content: generated(random, ENDPOINTS[index % (option === "vllm" ? 2 : ENDPOINTS.length)]),
    }));
    const files = await verdicts(contents, option);
    const found = files.flatMap((file) =>
      disagreements(file, option, used).map(
        (difference) => `${file.name}: ${difference}\n  ${JSON.stringify(file.content.toString()).slice(0, 700)}`,
      ),
    );
    const counts = Object.keys(files[0].refusals).map((reader) => `${reader} ${files.filter(({ refusals }) => refusals[reader] !== null).length}`);
    const invalid = files.filter(({ errors }) => errors.length > 0).length;
    t.diagnostic(`${files.length} files, refused by ${counts.join(", ")}; with errors ${invalid}`);
    assert.ok(invalid > files.length / 4 && invalid < files.length * 0.9, `${invalid} of ${files.length} have errors`);
    assert.equal(found.length, 0, listed(found));
  });
}

test("each documented difference occurs", { skip: !(isFull && hasVllm) && "few files, or no vLLM" }, () => {
  assert.deepEqual([...STRICTER, ...DOCUMENTED].filter((entry) => !used.has(entry)), []);
});
