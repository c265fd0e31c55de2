// Files of DeepEval's goldens: as JSON, JSONL and CSV, with and without mistakes.

import { encode, raw, spoilText, spoilValue, write } from "./mutate.js";

const TOOLS = [{ name: "search", input_parameters: { query: "x" } }, { name: "book", type: "FUNCTION", output: ["ok"] }];
const TURNS = [
  { role: "user", content: "I typed the wrong street." },
  { role: "assistant", content: "Which order is it?", tools_called: [{ name: "find" }], retrieval_context: ["2 hours."], latency_ms: 850 },
];
const PERSONA = { characteristics: "In a hurry.", name: "Ada", hold_timeout: 30, muted: false, background_noise: { audio: "a.wav", volume: 0.2 } };

const single = (random, number) => ({
  input: `Question ${number}?`,
  ...(random.chance(0.7) && { expected_output: "Two years." }),
  ...(random.chance(0.3) && { actual_output: "One year." }),
  ...(random.chance(0.5) && { context: ["The warranty is two years.", "It starts at delivery."] }),
  ...(random.chance(0.5) && { retrieval_context: ["Text.", ...(random.chance(0.5) ? [{ context: "Terms.", source: "a.md" }] : [])] }),
  ...(random.chance(0.4) && { expected_tools: TOOLS, tools_called: [TOOLS[0]] }),
  ...(random.chance(0.4) && { token_cost: 0.5, input_token_count: 120, output_token_count: 4 }),
  ...(random.chance(0.3) && { additional_metadata: { page: 4, tags: ["a"] }, custom_column_key_values: { team: "qa" } }),
  ...(random.chance(0.3) && { expectations: { must: ["say until when"], must_not: ["ask twice"], model: "m", eval_mode: "llm" } }),
  ...(random.chance(0.3) && { name: "case", comments: "from a ticket", source_file: "a.md" }),
});

const conversation = (random, number) => ({
  scenario: `Case ${number}.`,
  ...(random.chance(0.7) && { turns: TURNS }),
  ...(random.chance(0.7) && { expected_outcome: "The address is changed." }),
  ...(random.chance(0.4) && { persona: PERSONA }),
  ...(random.chance(0.2) && { user_description: "In a hurry." }),
  ...(random.chance(0.4) && { context: ["Free until 18:00"] }),
  ...(random.chance(0.3) && { expectations: { must: ["confirm"] }, name: "case", additional_metadata: { a: 1 } }),
});

const MARKED = "deepeval_source=a.md,deepeval_context=Terms.";

/** Values that mean something to the format. */
const OWN = [
  "a|b", "a|", "|", MARKED, `${MARKED}\n`, `${MARKED}|b`, ["a|b", ""], [MARKED, "b"], "['a', 'b']", "None", "N/A", "true", "1.5", " 3 ",
  "1_000", "3.0", "1e3", "3.", "nan", 2.0, 2.5, raw("2.0"), raw("1e300"), raw("1e3"), 12345678901234567890n.toString(), TOOLS, [TOOLS[0]], ["search"], "search;book",
  '[{"name": "x"},]', '[{"name": "x", "arguments": {}}]', "[]", "{}", '{"name": "x"}', '["x"]', "null", TURNS, JSON.stringify(TURNS),
  '[{"role": "system", "content": "x"}]', "user", "assistant", "system", "FUNCTION", "MCP", "llm", "hybrid", "rare", PERSONA, { characteristics: 1 },
  { must: ["x"] }, { must_not: ["x"], mustNot: ["y"] }, { must: [" "] }, { must: [" x "] }, { name: "x", inputParameters: {}, input_parameters: { a: 1 } },
  { role: "user", content: "x", userId: "u", user_id: 5 }, { role: "user", content: "x", toolsCalled: TOOLS, metadata: null, additional_metadata: { a: 1 } },
  { role: "user", content: "x", additionalMetadata: null, additional_metadata: "a" },
  { role: "user", content: "x", retrieval_context: "Roma" }, { role: "user", content: "x", retrievalContext: ["a", MARKED], interrupted: true },
  { role: "user", content: "x", latency_ms: "12", interrupted: "Yes" }, { role: "user", content: "x", latencyMs: true, interrupted: 0 },
  { role: "user", content: "x", latency_ms: "soon" }, { role: "user", content: "x", interrupted: 2 },
  { context: "a", source: "b", page: 1 }, { context: "a" }, { a: "b" },
];

/** Keys that are given other names, or values of the other kind. */
const OTHERS = [
  { expectedOutput: "x" }, { scenario: "" }, { scenario: null }, { scenario: "A case." }, { input: "x" }, { turns: TURNS }, { turns: [] }, { turns: "" },
  { turns: JSON.stringify(TURNS) }, { persona: "Polite." }, { persona: PERSONA, user_description: "Polite." }, { user_description: "Polite." },
  { tools_called: JSON.stringify(TOOLS) }, { tools_called: [] }, { tools_called: "" }, { expected_tools: '[{"name": "x"},]' }, { context: "a|b" },
  { context: "" }, { retrieval_context: `a|${MARKED}` }, { retrieval_context: "Roma" }, { retrieval_context: "" }, { retrieval_context: null },
  { retrieval_context: {} }, { token_cost: true }, { token_cost: "0.5" }, { input_token_count: "1_000" }, { input_token_count: raw("2.0") },
  { persona: null }, { persona: {} }, { persona: { characteristics: "x", hold_timeout: 0 } }, { persona: { characteristics: "x", interruption_behavior: {} } },
  { persona: { characteristics: "x", hold_timeout: "30", muted: 1, speaks_first: "off" } }, { persona: { characteristics: "x", hold_timeout: false } },
  { persona: { characteristics: "x", background_noise: { audio: "a", volume: "0.5" } } }, { persona: { characteristics: "x", background_noise: { audio: "a", volume: "2" } } },
  { turns: '[{"role": "user", "content": "x", "latency_ms": NaN, "interrupted": "no"}]' }, { turns: '[{"role": "user", "content": "x", "latency_ms": "soon"}]' },
  { tools_called: '[{"name": "x", "output": [NaN, -Infinity, 1e999]}]' }, { tools_called: '[{"name": "x", "description": NaN}]' },
  { expectations: {} }, { expectations: null }, { context: null }, { turns: null }, { expected_outcome: "x" }, { expected_labels: { a: "b" } },
];

const records = (random) => {
  const make = random.chance(0.6) ? single : conversation;
  return Array.from({ length: 1 + random.below(4) }, (_, number) => structuredClone(make(random, number)));
};

function spoiled(random, lines) {
  if (random.chance(0.4)) Object.assign(random.of(lines), structuredClone(random.of(OTHERS)));
  for (let i = random.below(3); i > 0; i -= 1) spoilValue(random, lines, OWN);
}

/** A file of JSONL. @param {import("./support.js").Random} random */
export function jsonl(random) {
  const lines = records(random);
  if (random.chance(0.9)) spoiled(random, lines);
  const text = write(lines);
  return encode(random, random.chance(0.3) ? spoilText(random, text) : text);
}

/** A JSON file. @param {import("./support.js").Random} random */
export function json(random) {
  const lines = records(random);
  if (random.chance(0.9)) spoiled(random, lines);
  const wrapped = random.chance(0.03) ? { goldens: lines } : lines;
  const text = random.chance(0.5) ? write([wrapped]) : write([wrapped]).replaceAll("},{", "},\n{");
  return encode(random, random.chance(0.3) ? spoilText(random, text) : text);
}

const SINGLE = [
  "input", "actual_output", "expected_output", "context", "retrieval_context", "tools_called", "expected_tools", "token_cost", "input_token_count",
  "output_token_count", "source_file", "name", "comments", "additional_metadata", "custom_column_key_values", "expectations",
];
const CONVERSATION = ["scenario", "turns", "expected_outcome", "user_description", "context", "name", "comments", "additional_metadata", "expectations"];

const WORDS = ["None", "N/A", "NULL", "nan", "none", " NA", "true", "False", "7", "007", "1.5", "1e3", "inf", " ", "x", "a|b", "a|", "|", "é", "1_000", "3.0", "yes"];

/** The cell that a value is written as. */
function cell(random, key, value) {
  if (value === undefined || value === null) return "";
  if (key.endsWith("context") && Array.isArray(value)) {
    return value.map((item) => (typeof item === "string" ? item : `deepeval_source=${item.source},deepeval_context=${item.context}`)).join("|");
  }
  if (typeof value !== "object") return String(value);
  const text = JSON.stringify(value);
  // A Python literal, at times.
  if (/metadata|custom/.test(key) && random.chance(0.2)) return text.replaceAll('"', "'");
  return random.chance(0.1) ? text.replace(/[\]}]$/, (bracket) => `,${bracket}`) : text;
}

const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const OWN_CELLS = [
  ...WORDS, "search;book", '["a"]', '[{"name": "a"}]', '{"name": "a"}', '[{"name": "a", "arguments": {}}]', '[{"nam": "a"}]', "{'a': True}", "{'a': true}", "{'a': 1, 'b': [None]}",
  '{"a": 1}', '{"a": "b"}', "plain words", "[]", "{}", "null", "['a', 'b']", JSON.stringify(TURNS), '[{"role": "system", "content": "x"}]', "Hello", '{"must": ["a"]}',
  '{"a": [NaN, -Infinity, 1e999]}', '[{"name": "a", "output": Infinity}]', '[{"name": "a", "reasoning": NaN}]', '[{"role": "user", "content": "x", "latency_ms": "12"}]',
  '[{"role": "user", "content": "x", "interrupted": "maybe"}]', '{"a": "b", "a": "c"}', '{"must": [" "]}', '{"should": ["a"]}', "2.5", "12 tokens", MARKED, `${MARKED}|b`, "1,5", '{"must": [" a "]}', '{"must_not": ["a"], "mustNot": ["b"]}',
];

/** A CSV. @param {import("./support.js").Random} random */
export function csv(random) {
  const isSingle = random.chance(0.6);
  const count = 1 + random.below(5);
  const lines = Array.from({ length: count }, (_, number) => (isSingle ? single : conversation)(random, number));
  let columns = (isSingle ? SINGLE : CONVERSATION).filter((name, index) => index === 0 || random.chance(0.6));
  if (random.chance(0.15)) columns = random.shuffle([...columns, ...(isSingle ? CONVERSATION : SINGLE).filter(() => random.chance(0.3))]);
  columns = [...new Set(columns)];
  const rows = lines.map((line) => columns.map((key) => cell(random, key, line[key])));
  for (let i = random.below(3); i > 0; i -= 1) random.of(rows)[random.below(columns.length)] = random.of(OWN_CELLS);
  if (random.chance(0.15)) {
    // A column of one type.
    const column = random.below(columns.length);
    const words = random.of([["7", "8"], ["1.5", "2"], ["true", "False"], ["7", ""], ["true", "None"], ["7", "x"], ["0", "0"]]);
    for (const row of rows) row[column] = random.of(words);
  }
  const header = random.chance(0.05) ? columns.map((name) => random.of([name, name, name.toUpperCase(), ` ${name}`])) : columns;
  let text = [header, ...rows].map((row) => `${row.map((value) => (random.chance(0.05) ? `"${value.replaceAll('"', '""')}"` : quoted(value))).join(",")}\n`).join("");
  if (random.chance(0.04)) text = `\ufeff${text}`;
  return encode(random, random.chance(0.15) ? spoilText(random, text) : text);
}
