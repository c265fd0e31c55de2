// Three readers of files for OpenAI's fine-tuning against evalcheck. The service's own validator is closed.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { isFull, sized } from "../suite.mjs";
import { generated, METHODS, withEachMistake } from "./openai-finetune-files.js";
import { drive, listed, Random, reports, withFiles } from "./support.js";

const FILES = sized(200, 2_000);

/** Of these at most so many have one of the listed mistakes. The full suite tries all of them. */
const LISTED = sized(80, Infinity);

const args = ["--format", "openai-finetune"];

/**
 * What a difference is about: files of one method, or a text of a file. Without these it is about all files.
 * @typedef {{ method?: string, text?: RegExp }} Scope
 *
 * A refusal that is no error of evalcheck, and why it is none. `warning` is what evalcheck reports in its place.
 * @typedef {Scope & { reader: string, refusal: RegExp, warning?: string, reason: string }} Stricter
 *
 * An error that no reader demands, everywhere or at some paths, and why it is one.
 * @typedef {Scope & { code: string, path?: RegExp, reason: string }} Documented
 */

/** The only error of a file as a whole whose records are still checked: it does not stand for errors in them. */
const TOO_FEW = "dataset/few-records";

/** Errors that stand for the lines after them too. */
const OF_MANY_LINES = ["json/array-of-records", "json/raw-line-break", "json/record-over-several-lines"];

/** What Python ends lines with, besides `\n` and `\r\n`. */
const CARRIAGE_RETURN = /\r(?!\n)/;

/** @type {Stricter[]} */
const STRICTER = [
  {
    reader: "llmcomp",
    refusal: /: missing 'content'$/,
    warning: "openai-finetune/deprecated-call",
    reason: "llmcomp does not know function_call, which the schema takes in place of a content",
  },
  {
    reader: "sdk",
    refusal: /\.weight: Input should be a valid integer, not [01]\.0$/,
    warning: "openai-finetune/weight-form",
    reason: "the published schema is a JSON Schema, for which 1.0 is an integer",
  },
  {
    reader: "sdk",
    refusal: /\.user\.content\.str: .*, not \[\{"type": "(input_audio|file)", "\1": \{[^[]*\]$/,
    warning: "openai-finetune/untrained-part",
    reason: "audio and files are not trained, so evalcheck does not look into them",
  },
  {
    reader: "together",
    refusal: /Found extra column "(tools|parallel_tool_calls|functions)"/,
    reason: "Together's format has no tools",
  },
  {
    reader: "together",
    refusal: /Found extra column /,
    method: "reinforcement",
    reason: "Together's format has no keys for a grader",
  },
  {
    reader: "together",
    refusal: /Found extra column /,
    method: "supervised",
    warning: "openai-finetune/own-key",
    reason: "the schema ignores other keys",
  },
  {
    reader: "together",
    refusal: /Found extra column "(input|(non_)?preferred_output)"/,
    warning: "openai-finetune/two-kinds",
    reason: "the method of the job decides which keys are read",
  },
  {
    reader: "together",
    refusal: /Found extra column /,
    method: "preference",
    warning: "shape/unknown-key",
    reason: "the schema ignores other keys",
  },
  {
    reader: "together",
    refusal: /At least one message with the assistant role must be present/,
    method: "reinforcement",
    reason: "in reinforcement fine-tuning the model answers",
  },
  {
    reader: "together",
    refusal: /(Missing required column `content` in message|must have a 'content' field)/,
    reason: "an assistant message with calls needs no content",
  },
  {
    reader: "together",
    refusal: /Invalid content type .* found <class 'NoneType'>/,
    reason: "an assistant message with calls may have null as its content",
  },
  {
    reader: "together",
    refusal: /Invalid role `(tool|function|developer)`/,
    reason: "Together's format has only the other three roles",
  },
  {
    reader: "together",
    refusal: /Invalid role turns/,
    reason: "OpenAI's example of images has two messages of the user in a row",
  },
  {
    reader: "together",
    refusal: /`type` field must be either 'text' or 'image_url'\. Got '(refusal|input_audio|file)'/,
    reason: "the schema has these parts",
  },
  {
    reader: "together",
    refusal: /`url` field must be (either a JPEG, PNG or WEBP|present .* Got '' instead)/,
    reason: "OpenAI takes any address of an image, and what it leads to is not in the file",
  },
  {
    reader: "together",
    refusal: /Messages in the conversation must be either all in multimodal or all in text-only format/,
    reason: "OpenAI takes texts beside lists of parts",
  },
  {
    reader: "together",
    refusal: /Weight must be (an integer|either 0 or 1)/,
    warning: "openai-finetune/misplaced-weight",
    reason: "the schema ignores a weight that is not the assistant's",
  },
  {
    reader: "together",
    refusal: /Weight must be an integer/,
    text: /"weight":null/,
    reason: "the same; null says nothing, so it has no warning",
  },
  {
    reader: "together",
    refusal: /Weight must be an integer/,
    warning: "openai-finetune/weight-form",
    reason: "for the schema 1.0 is an integer",
  },
  {
    reader: "together",
    refusal: /Messages with images cannot have non-zero weights/,
    warning: "openai-finetune/misplaced-weight",
    reason: "the schema ignores a weight that is not the assistant's",
  },
  {
    reader: "llmcomp",
    refusal: /Invalid JSON/,
    text: CARRIAGE_RETURN,
    reason: "Python ends a line at a carriage return between two tokens, where it is white space for JSON; what the service does is not known",
  },
  { reader: "together", refusal: /Unexpected format on line/, text: CARRIAGE_RETURN, reason: "the same" },
  {
    reader: "together",
    refusal: /Unexpected format on line/,
    warning: "dataset/blank-lines",
    reason: "llmcomp skips blank lines, and what the service does is not known",
  },
];

/** @type {Documented[]} */
const DOCUMENTED = [
  {
    code: TOO_FEW,
    reason: "OpenAI's guide demands 10 examples; llmcomp, which demands them too, knows supervised fine-tuning only",
  },
  { code: "dataset/no-records", reason: "no example is fewer than 10" },
  {
    code: "openai-finetune/mixed-kinds",
    reason: "a job has one method, which reads records of one kind; Together refuses such files unless it stops before",
  },
  {
    code: "openai-finetune/no-answer",
    method: "reinforcement",
    reason: "records without keys for a grader may as well be for supervised fine-tuning, and count as such beside answered ones",
  },
  {
    code: "openai-finetune/answered-input",
    reason: "the outputs answer the input; Together refuses such files unless it stops before",
  },
  {
    code: "openai-finetune/last-message",
    method: "reinforcement",
    reason: "Microsoft's page on reinforcement fine-tuning demands that the user is last",
  },
  {
    code: "openai-finetune/no-content",
    reason: "Microsoft's page on the format forbids empty contents; llmcomp and Together refuse those that are absent or null",
  },
  {
    code: "openai-finetune/special-token",
    reason: "the service fails such a job; llmcomp, which refuses the file, knows supervised fine-tuning only",
  },
  { code: "openai-finetune/empty-calls", reason: "llmcomp, which refuses them, knows supervised fine-tuning only" },
  {
    code: "shape/too-few-elements",
    path: /\.content$/,
    reason: "the published schema demands one part; Python's types cannot say this",
  },
  {
    code: "shape/invalid-enum-value",
    path: /\.image_url\.detail$/,
    reason: "the published schema of fine-tuning has auto, low and high; the package's types are those of the API, which has more",
  },
  {
    code: "shape/invalid-enum-value",
    path: /\.tool_calls\.\d+\.type$/,
    reason: "the published schema of fine-tuning has calls of functions only; the package's types are those of the API, which has others",
  },
  { code: "shape/missing-key", path: /\.tool_calls\.\d+\.function$/, reason: "the same" },
  {
    code: "openai-finetune/developer",
    method: "reinforcement",
    reason: "the record ends with an answer, which Microsoft's page does not allow; with it, the role is that of no method",
  },
  {
    code: "shape/wrong-type",
    path: /^messages$/,
    method: "preference",
    reason: "a record with messages is a conversation; Together refuses messages in a file of preferences",
  },
  ...["shape/wrong-type", "shape/missing-key", "shape/too-few-elements", "shape/too-many-elements"].map((code) => ({
    code,
    path: /^(functions|parallel_tool_calls)/,
    method: "reinforcement",
    reason: "only messages and tools are reserved there, but a grader hardly reads another value under these names",
  })),
  { code: "json/nan", reason: "Python reads it, and JSON does not have it" },
  { code: "json/number-out-of-range", reason: "Python reads infinity, which it could not write as JSON again" },
];

/** The readers, and their names in findings. */
const NAMES = { llmcomp: "llmcomp", sdk: "openai-python", together: "Together" };

const READERS = Object.keys(NAMES);

/** llmcomp knows supervised fine-tuning only. */
const reads = (reader, method) => reader !== "llmcomp" || method === "supervised";

const example = (name) => readFile(new URL(`../../crates/formats/src/openai_finetune/${name}.jsonl`, import.meta.url), "utf8");

/** Files, and what the readers and evalcheck say of them: of each reader why it refuses the file, or null. */
async function verdicts(files) {
  return withFiles(files, async (folder) => {
    const names = files.map(({ name }) => name);
    const refusals = await drive("openai-finetune", "load_openai_finetune.py", folder, names);
    const checked = await reports(folder, names, args);
    return files.map((file, index) => {
      const of = (severity) => checked[index].findings.filter((finding) => finding.severity === severity);
      return { ...file, refusals: refusals[index], errors: of("error"), warnings: of("warning") };
    });
  });
}

/** A refusal because of two records, of which evalcheck may report the other one. */
const OF_TWO_RECORDS = /All samples in the dataset must have the same dataset format/;

/** The line that a refusal is about; null if it does not say, or if Python may count other lines than evalcheck. */
function lineOf(refusal, text) {
  const line = /\bline (\d+)/i.exec(refusal);
  return line && !OF_TWO_RECORDS.test(refusal) && !CARRIAGE_RETURN.test(text) ? Number(line[1]) : null;
}

/** Whether a finding is about a line, perhaps as one of many. */
function isAt({ code, line: start }, line) {
  if (start === null) return code !== TOO_FEW;
  return OF_MANY_LINES.includes(code) ? start <= line : start === line;
}

/** The disagreements about a file, each as a text. Adds to `used` the entries of the lists that explain others. */
function disagreements({ method, content, refusals, errors, warnings }, used) {
  const text = content.toString();
  const applies = (entry) => (entry.method ?? method) === method && (entry.text?.test(text) ?? true);
  const found = [];
  const explained = (explanation, otherwise) => (explanation ? used.add(explanation) : found.push(otherwise));
  const demands = [];
  const isDocumented = ({ code, path }) =>
    DOCUMENTED.find((entry) => entry.code === code && (entry.path?.test(path ?? "") ?? true) && applies(entry));
  for (const error of errors.filter((error) => !isDocumented(error))) {
    const { code, path, line, refused_by: named = "" } = error;
    const wrong = READERS.filter((reader) => reads(reader, method) && named.includes(NAMES[reader]) && refusals[reader] === null);
    found.push(...wrong.map((reader) => `${reader} does not refuse, though it is named: ${code} at "${path ?? ""}", line ${line}`));
  }
  for (const reader of READERS.filter((reader) => reads(reader, method) && refusals[reader] !== null)) {
    for (const refusal of refusals[reader].split("\n")) {
      const line = lineOf(refusal, text);
      const isThere = (finding) => line === null || isAt(finding, line);
      const fits = (entry) => entry.reader === reader && entry.refusal.test(refusal) && applies(entry);
      const isWarned = ({ warning: code }) => !code || warnings.some((warning) => warning.code === code && isThere(warning));
      // A refusal that is stricter demands no error, whatever else is on its line.
      const stricter = STRICTER.filter(fits);
      if (stricter.length === 0) demands.push(isThere);
      if (errors.some(isThere)) continue;
      const explanation = stricter.find(isWarned);
      explained(explanation, `${reader} refuses: ${refusal}`);
    }
  }
  for (const error of errors.filter((error) => !demands.some((isThere) => isThere(error)))) {
    const { code, path, line, message } = error;
    explained(isDocumented(error), `no reader refuses: ${code} at "${path ?? ""}", line ${line}: ${message}`);
  }
  return found;
}

test("the readers take the clean examples, and refuse the broken one", async () => {
  const names = ["minimal", "full", "broken"];
  const files = await Promise.all(names.map(async (name) => ({ name: `${name}.jsonl`, content: await example(name) })));
  const found = await verdicts(files);
  const taken = found.map(({ refusals, errors }) => [refusals.llmcomp === null, refusals.sdk === null, errors.length === 0]);
  assert.deepEqual(taken, [[true, true, true], [true, true, true], [false, false, false]]);
});

test("evalcheck and the readers differ only for documented reasons", async (t) => {
  const random = new Random(71);
  const contents = random.shuffle(withEachMistake(random)).slice(0, LISTED);
  while (contents.length < FILES) contents.push(generated(random, METHODS[contents.length % METHODS.length]));
  const used = new Set();
  const files = await verdicts(contents.map((file, index) => ({ name: `${file.method}-${index}.jsonl`, ...file })));
  const found = files.flatMap((file) =>
    disagreements(file, used).map(
      (difference) => `${file.name}: ${difference}\n  ${JSON.stringify(file.content.toString()).slice(0, 600)}`,
    ),
  );
  for (const method of METHODS) {
    const of = files.filter((file) => file.method === method);
    const refusing = READERS.filter((reader) => reads(reader, method));
    const counts = refusing.map((reader) => `${reader} ${of.filter(({ refusals }) => refusals[reader] !== null).length}`);
    const invalid = of.filter(({ errors }) => errors.length > 0).length;
    t.diagnostic(`${method}: ${of.length} files, refused by ${counts.join(", ")}; with errors ${invalid}`);
    assert.ok(invalid > of.length / 3 && invalid < of.length * 0.9, `${invalid} of ${of.length} have errors`);
  }
  assert.equal(found.length, 0, listed(found));
  // Few files show only the usual differences.
  if (isFull) {
    const unused = [...STRICTER, ...DOCUMENTED].filter((entry) => !used.has(entry));
    assert.deepEqual(unused, [], "each difference occurs");
  }
});
