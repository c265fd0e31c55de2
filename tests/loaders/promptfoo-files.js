// Makes files for promptfoo, CSV and JSON, most of them with something wrong or odd in them.

import { encode, raw, spoil, spoilText, spoilValue } from "./mutate.js";

const TYPES = [
  "contains", "not-contains", "contains-any", "icontains-all", "equals", "is-json", "contains-json", "llm-rubric", "similar", "similar:cosine",
  "latency", "cost", "perplexity", "regex", "starts-with", "javascript", "python", "trajectory:tool-used", "rouge-n", "levenshtein",
  "word-count", "not-not-contains", "Contains", "contain", "select-best", "human", "is json", "grade", "fn", "eval", "assert-set", "llm_rubric",
];

const NUMBERS = ["", "", "", "", "(0.8)", "(1)", "(0,8)", "(.5)", "(1.)", "()", " (0.8)", "(007.50)", "(0.8", "(1e3)"];

const VALUES = [
  "", "a", " a ", "a, b", "a,,b", '"a"', '"a, b", c', '"a" b', '"a', '"a ""b"""', '"a \\"b\\""', "a\nb", "cosine:x", "1000", "[a, b]", ",", '""',
  "a\\,b", "output > 1", "\u00a0a\u3000", "\ufeff", "\u0085a\u0085", '{"type": "object"}', ":", "(1):x", "file://a.js", "\\",
];

const WHOLE = [
  "Oslo", "Note: a", "file://check.js", "file://check.TS", "file://check.py", "file://a.py:f", "file://a.txt", "python", "equals:", "a:b", "javascript:",
  "llm-rubric: a ", "grade:  b", " contains: a ", "\u00a0equals:a\u00a0", "is-json", "not-is-json", "contains-any", "contains-any:", "-contains:a", "42",
];

const assertion = (random) =>
  random.chance(0.35) ? random.of(WHOLE) : random.of(TYPES) + random.of(NUMBERS) + (random.chance(0.85) ? `:${random.of(VALUES)}` : "");

const NUMERIC = ["0.5", "1", " .5 ", "5.", "+1e-1", "-3", "", " ", "80%", "0,5", "NaN", "1e400", "0x1", "Infinity", "1_0", "00.50"];

const COLUMNS = [
  "question", "answer", "expected", "_expected", "__Expected", "__foo", "__expected", "__expected", "__expected1", "__expected2", "__expectedX",
  " __expected3 ", "__description", "__prefix", "__suffix", "__providerOutput", "__metric", "__threshold", "__metadata:topic", "__metadata:tags[]",
  "__metadata:", "__metadata", "__config:__expected:threshold", "__config:__expected2:threshold", "__config:x", "__config:__expected0:threshold",
  "__config:__expected:weight", "__config:__expectedX:threshold", "__metadata:threshold", "question ", "__proto__",
];

const RARE = ["__config:__expected0:threshold", "__config:__expected:weight", "__config:__expectedX:threshold", "__config:x"];

function cell(random, column) {
  const name = column.trim();
  if (random.chance(0.12)) return random.of(["", "", " ", "\t"]);
  if (name.startsWith("__expected")) return assertion(random);
  if (name.startsWith("__config")) return random.chance(0.9) ? random.of(NUMERIC.slice(0, 6)) : random.of(NUMERIC);
  if (name === "__threshold") return random.of(NUMERIC);
  return random.of(VALUES);
}

/** A cell as it is written: rarely without the quotes that it needs, or with those that it does not. */
function quoted(random, text) {
  const needs = /[",\r\n]/.test(text);
  const quotes = random.chance(0.98) ? needs || random.chance(0.1) : !needs;
  return quotes ? `"${text.replaceAll('"', '""')}"` : text;
}

const SLIPS = [",", '"', "\n", "\r", "\0", ";", " ", "\ufeff", "\r\n"];

/** A table. @param {import("./support.js").Random} random */
export function csv(random) {
  const all = random.shuffle([...new Set(COLUMNS)]).filter((name) => !RARE.includes(name) || random.chance(0.1));
  const columns = random.shuffle(["question", ...all.slice(0, random.below(5))]);
  if (random.chance(0.97)) columns.splice(0, columns.length, ...new Set(columns));
  if (random.chance(0.03)) columns.splice(0, columns.length, random.of(COLUMNS));
  const rows = Array.from({ length: random.chance(0.03) ? 0 : 1 + random.below(3) }, () => {
    const cells = columns.map((column) => quoted(random, cell(random, column)));
    if (random.chance(0.01)) cells.pop();
    if (random.chance(0.01)) cells.push("more");
    return cells.join(",");
  });
  const lines = [columns.map((column) => quoted(random, column)).join(","), ...rows];
  if (random.chance(0.06)) lines.splice(random.below(lines.length + 1), 0, random.of(["", " ", "\u00a0"]));
  const end = random.of(["\n", "\n", "\r\n"]);
  let text = lines.join(end) + random.of(["", end, end, random.chance(0.1) ? end + end : end]);
  if (random.chance(0.02)) text = text.replace(random.of(["\n", "\r\n"]), random.of(["\n", "\r\n"]));
  if (random.chance(0.05)) {
    const at = random.below(text.length);
    text = text.slice(0, at) + (random.chance(0.7) ? random.of(SLIPS) : "") + text.slice(at + random.below(2));
  }
  if (random.chance(0.03)) text = `\ufeff${text}`;
  return encode(random, text);
}

const OWN = [
  "contains", "contains:a", "assert-set", [{ type: "equals", value: "a" }], { type: "contains", value: "a" }, { type: "assert-set", assert: [] },
  { type: "assert-set", assert: [{ type: "equals", value: 1 }, { type: "assert-set", assert: [] }] }, ["a", "b"], { question: "a" }, raw("9007199254740993"),
];

const KEYS = ["asserts", "expected", "id", "path", "tests", "providers", "prompts", "description", "providerOutput", "threshold", "assert", "vars", "__proto__"];

function test(random) {
  const one = () => ({
    type: random.of(TYPES),
    ...(random.chance(0.8) && { value: random.of(["a", "", "a, b", ["a", ""], 1, null, true, { a: 1 }, '"a" b']) }),
    ...(random.chance(0.2) && { threshold: random.of([0.5, 1]) }),
    ...(random.chance(0.1) && { weight: 2, metric: "m", config: { most: 1 }, transform: "output.trim()" }),
  });
  return {
    ...(random.chance(0.4) && { description: random.of(["a", ""]) }),
    ...(random.chance(0.9) && { vars: { question: random.of(["a", ["a", "b"], 1, null, { a: [1] }, "\u2028"]) } }),
    ...(random.chance(0.8) && { assert: Array.from({ length: random.below(3) }, one) }),
    ...(random.chance(0.1) && { assert: [{ type: "assert-set", threshold: 0.5, assert: [one(), one()] }] }),
    ...(random.chance(0.1) && { threshold: random.of([0, 0.5]) }),
    ...(random.chance(0.1) && { metadata: { topic: "a" }, options: { prefix: "a" } }),
    ...(random.chance(0.1) && { [random.of(KEYS)]: random.of([null, "a", "", 0, ["a"], [], { a: 1 }, false]) }),
  };
}

/** Tests, one a line. @param {import("./support.js").Random} random */
export const jsonl = (random) => spoil(random, Array.from({ length: 1 + random.below(3) }, () => test(random)), OWN);

/** A document. @param {import("./support.js").Random} random */
export function json(random) {
  const tests = Array.from({ length: 1 + random.below(3) }, () => test(random));
  for (let spoils = random.below(3); spoils > 0; spoils -= 1) spoilValue(random, tests, OWN);
  const document = random.chance(0.1) ? tests[0] : tests;
  const text = `${JSON.stringify(document, null, random.of(["", " ", "\t"])) ?? "null"}\n`.replaceAll(/"@raw:([^@]*)@"/g, "$1");
  return encode(random, random.chance(0.3) ? spoilText(random, text) : text);
}
