// What the benchmarks check: records of every format as they are meant to be, and one in so many with a mistake that
// people make.

import { instanceOfRivals, juryarenaOfRivals, scattered } from "./mistakes.mjs";
import { text } from "./text.mjs";

const json = JSON.stringify;

/** About 600 bytes: a question and an answer. */
const shortSample = (choices, _, bad) => juryarena(choices, bad, [60, 180, 200]);

/** About 8 KB: a long conversation. */
const longSample = (choices, _, bad) => juryarena(choices, bad, [300, 900, 1700, 600, 2000, 500, 1600]);

function juryarena(choices, bad, lengths) {
  const messages = lengths.map((length, at) => ({
    role: at === 0 ? "system" : at % 2 === 1 ? "user" : "assistant",
    content: text(choices, length),
  }));
  if (bad) messages[1].role = "tool";
  return json({ input: { messages }, usage_output: null });
}

function instance(choices, index, bad) {
  const number = String(index).padStart(7, "0");
  const record = {
    schema_version: "0.3.0",
    evaluation_id: "gsm8k/org_model-7b/1731000000",
    model_id: "org/model-7b",
    evaluation_name: "GSM8K",
    sample_id: `gsm8k_${number}`,
    sample_hash: null,
    interaction_type: "single_turn",
    input: { raw: text(choices, 300), formatted: null, reference: ["12"], choices: null },
    output: { raw: [text(choices, 240)] },
    messages: null,
    answer_attribution: [
      { turn_idx: 0, source: "output.raw", extracted_value: "12", extraction_method: "regex", is_terminal: true },
    ],
    evaluation: { score: 1, is_correct: true, num_turns: 1, tool_calls_count: 0 },
    token_usage: { input_tokens: 31, output_tokens: 12, total_tokens: 43 },
    performance: { latency_ms: 812.5, time_to_first_token_ms: 95 },
    metadata: { subject: "arithmetic" },
  };
  if (bad) record.evaluation.score = "1";
  return json(record);
}

function conversation(choices, bad) {
  return [
    { role: "system", content: "Answer in one sentence." },
    { role: bad ? "tool" : "user", content: text(choices, 200) },
    { role: "assistant", content: text(choices, 120) },
    { role: "user", content: text(choices, 100) },
  ];
}

const infer = (choices, index, bad) =>
  json({ messages: conversation(choices, bad), ref_answer: text(choices, 80), topic: "travel" });

/** An example for fine-tuning, whose last key tells it from a record of Tencent TI. */
const example = (choices, index, bad) =>
  json({
    messages: [...conversation(choices, bad), { role: "assistant", content: text(choices, 120) }],
    parallel_tool_calls: false,
  });

/** Data of no system. A bad record has a comma behind it. */
const plain = (choices, index, bad) =>
  json({
    id: `q${index + 1}`,
    question: text(choices, 200),
    answer: text(choices, 100),
    category: ["law", "mathematics", "travel"][choices.below(3)],
    score: choices.below(100) / 100,
    meta: { pages: choices.below(40), tags: ["a", "b"] },
  }) + (bad ? "," : "");

function evaluation(choices, index, bad) {
  const answers = (name) => ({
    model_name: name,
    responses: [{ content: text(choices, 150), reasoning_content: text(choices, 80) }],
  });
  return json({
    messages: conversation(choices, bad),
    ref_answer: text(choices, 60),
    model_outputs: [answers("llama3-8b"), answers("qwen3-8b")],
  });
}

const manual = (choices, index, bad) =>
  json({
    system: "Answer in one sentence.",
    conversation: [
      { prompt: text(choices, 200), response: text(choices, 150) },
      { prompt: bad ? 7 : text(choices, 100), response: text(choices, 100) },
    ],
  });

const quest = (choices, index, bad) =>
  json(
    ["a", "b"].map((letter) => ({
      type: "chat_completion",
      id: `sample-${index}-${letter}`,
      prompt: [{ role: "user", content: text(choices, 200) }],
      completion: [{ role: bad ? "user" : "assistant", content: text(choices, 200) }],
      metadata: { model: "llama3-8b", topic: "travel" },
    })),
  );

/** A cell of CSV, in quotes where it has to be. */
const cell = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

const manualRow = (choices, index, bad) =>
  ["Answer in one sentence.", bad ? "" : cell(text(choices, 250)), cell(text(choices, 250))].join(",");

const evretRow = (choices, index, bad) =>
  [`q${index + 1}`, bad ? "" : cell(text(choices, 160)), cell(json([`doc_${index}`, `doc_${index + 1}`]))].join(",");

const request = (choices, index, bad) =>
  json({
    custom_id: `request-${index + 1}`,
    method: bad ? "GET" : "POST",
    url: "/v1/chat/completions",
    body: { model: "gpt-4o-mini", messages: conversation(choices, false), max_completion_tokens: 200 },
  });

const testOfPrompt = (choices, index, bad) =>
  json({
    description: `question ${index + 1}`,
    vars: { question: text(choices, 200), context: text(choices, 200) },
    assert: [bad ? "icontains:12" : { type: "icontains", value: "12" }, { type: "llm-rubric", value: text(choices, 80) }],
  });

const rowOfPrompt = (choices, index, bad) =>
  [cell(text(choices, 200)), cell(text(choices, 200)), bad ? cell(`contains-any:"12" 13`) : "icontains:12", "0.5"].join(",");

const golden = (choices, index, bad) =>
  json({
    input: bad ? 7 : text(choices, 160),
    expected_output: text(choices, 160),
    retrieval_context: `${text(choices, 100)}|${text(choices, 100)}`,
    additional_metadata: { topic: "travel" },
  });

const rowOfGoldens = (choices, index, bad) =>
  [
    cell(text(choices, 160)),
    cell(text(choices, 160)),
    cell(`${text(choices, 100)}|${text(choices, 100)}`),
    cell(bad ? "{" : json({ topic: "travel" })),
  ].join(",");

const query = (choices, index, bad) =>
  `    ${json({ query_id: `q${index + 1}`, query_text: bad ? "" : text(choices, 160), expected_answers: [text(choices, 300)] })}`;

/** One way to mix them: as many bytes of long records as of short ones. */
const mixed = (choices, index, bad) => (choices.below(14) === 0 ? longSample : shortSample)(choices, index, bad);

/** Records of 1,073 bytes, of which a GiB has a million. */
function exact(choices, index, bad) {
  const role = bad ? "tool" : "user";
  const frame = Buffer.byteLength(json({ input: { messages: [{ role, content: "" }] }, usage_output: null }));
  const ascii = text(choices, 1100).replace(/[^ -~]|["\\]/g, "-");
  const content = ascii.padEnd(1200, ".").slice(0, 1072 - frame);
  return json({ input: { messages: [{ role, content }] }, usage_output: null });
}

/** A bad record has one mistake, which has a safe fix: a comma behind it. */
const withComma = (choices, index, bad) => `${mixed(choices, index, false)}${bad ? "," : ""}`;

const rarely = (index) => index % 1000 === 500;
const juryarenaLines = { format: "juryarena", extension: "jsonl", bad: rarely };

/** Every set of data by its name. `of` are the purposes for which xtask asks for it. */
export const SETS = {
  "juryarena-short": { of: ["guard", "short"], ...juryarenaLines, record: shortSample },
  "juryarena-long": { of: ["guard"], ...juryarenaLines, record: longSample },
  "juryarena-mixed": { of: ["mixed"], ...juryarenaLines, record: mixed },
  // Of a GiB some 25,000.
  "juryarena-commas": { of: ["fixes"], ...juryarenaLines, record: withComma, bad: (index) => index % 38 === 5 },
  "juryarena-line-3": { of: ["line-3"], ...juryarenaLines, record: mixed, bad: (index) => index === 2 },
  "juryarena-1000000-findings": { of: ["guard", "findings"], ...juryarenaLines, record: exact, bad: () => true },
  "juryarena-zip": { of: ["guard", "zip"], ...juryarenaLines, record: shortSample, extension: "zip" },
  "eee-instance": { of: ["guard", "other"], format: "eee-instance", extension: "jsonl", bad: rarely, record: instance },
  "rivals-juryarena": { of: ["rivals"], ...juryarenaLines, bad: scattered, record: juryarenaOfRivals(mixed) },
  "rivals-eee-instance": {
    of: ["rivals"],
    format: "eee-instance",
    version: "0.3.0",
    extension: "jsonl",
    bad: scattered,
    record: instanceOfRivals(instance),
  },
  "openai-finetune": { of: ["guard", "other"], format: "openai-finetune", extension: "jsonl", bad: rarely, record: example },
  "plain-jsonl": { of: ["guard", "plain"], format: "jsonl", extension: "jsonl", bad: rarely, record: plain },
  "tencent-infer": { of: ["guard", "other"], format: "tencent-infer", extension: "jsonl", bad: rarely, record: infer },
  "tencent-eval": { of: ["guard", "other"], format: "tencent-eval", extension: "jsonl", bad: rarely, record: evaluation },
  "tencent-manual": { of: ["guard", "other"], format: "tencent-manual", extension: "jsonl", bad: rarely, record: manual },
  quest: {
    of: ["guard", "other"],
    format: "quest",
    extension: "jsonl",
    bad: rarely,
    record: quest,
    // How many there are is known when they are made; the number takes as many digits in any case.
    head: (lines) =>
      `${json({ total_samples: 0, sample_type: "chat_completion", samples_per_line: 2, hidden_metadata: ["model"] })}\n`.replace(
        '"total_samples":0',
        `"total_samples":${String(lines * 2).padStart(12)}`,
      ),
  },
  "openai-batch": { of: ["guard", "other"], format: "openai-batch", extension: "jsonl", bad: rarely, record: request },
  promptfoo: { of: ["guard", "other"], format: "promptfoo", extension: "jsonl", bad: rarely, record: testOfPrompt },
  deepeval: { of: ["guard", "other"], format: "deepeval", extension: "jsonl", bad: rarely, record: golden },
  "promptfoo-csv": {
    of: ["guard", "csv"],
    format: "promptfoo",
    extension: "csv",
    bad: rarely,
    record: rowOfPrompt,
    head: () => "question,context,__expected,__threshold\n",
  },
  "deepeval-csv": {
    of: ["guard", "csv"],
    format: "deepeval",
    extension: "csv",
    bad: rarely,
    record: rowOfGoldens,
    head: () => "input,expected_output,retrieval_context,additional_metadata\n",
  },
  "tencent-manual-csv": {
    of: ["guard", "csv"],
    format: "tencent-manual",
    extension: "csv",
    bad: rarely,
    record: manualRow,
    head: () => "system,prompt,response\n",
  },
  "evret-csv": {
    of: ["guard", "csv"],
    format: "evret",
    extension: "csv",
    bad: rarely,
    record: evretRow,
    head: () => "query_id,query_text,relevant_doc_ids\n",
  },
  "evret-json": {
    of: ["guard", "json"],
    format: "evret",
    extension: "json",
    bad: rarely,
    record: query,
    head: () => '{\n  "queries": [\n',
    between: ",\n",
    tail: "\n  ]\n}\n",
  },
};
