// Files for OpenAI's Batch API: of each endpoint, with and without mistakes.

import { readFileSync } from "node:fs";

import { raw, spoil, write } from "./mutate.js";

const user = (content) => ({ role: "user", content });
const call = (others = {}) => ({ id: "c1", type: "function", function: { name: "lookup", arguments: '{"lake": "Volta"}' }, ...others });
const TOOL = { type: "function", function: { name: "lookup", description: "Facts.", parameters: { type: "object" }, strict: null } };
const IMAGE = { type: "image_url", image_url: { url: "https://example.com/lake.png", detail: "low" } };
const FORMAT = { type: "json_schema", json_schema: { name: "lake", schema: { type: "object" }, strict: true } };

const EXAMPLE = readFileSync(new URL("../../crates/formats/src/openai_batch/full.jsonl", import.meta.url), "utf8");

/** The bodies of the format's example. */
const EXAMPLES = EXAMPLE.trim().split("\n").map((line) => JSON.parse(line).body);

/** Bodies by their endpoint. */
const BODIES = {
  "/v1/chat/completions": [
    ...EXAMPLES,
    { model: "m", messages: [user("Name a lake.")] },
    { model: "m", messages: [{ role: "system", content: "Be brief." }, user("Name a lake.")], max_tokens: 5, temperature: 0.5 },
    { model: "m", messages: [user([{ type: "text", text: "What is it?" }, IMAGE])], n: null, stop: "x" },
    {
      model: "m",
      messages: [user("Look it up."), { role: "assistant", tool_calls: [call()] }, { role: "tool", tool_call_id: "c1", content: "75 m" }],
      tools: [TOOL],
      tool_choice: "auto",
    },
    { model: "m", messages: [user("Describe it.")], response_format: FORMAT, logprobs: true, top_logprobs: 1 },
  ],
  "/v1/embeddings": [
    { model: "m", input: "a quiet harbour" },
    { model: "m", input: ["one", "two"], dimensions: 256, encoding_format: "float" },
    { model: "m", input: [1, 2, 3] },
    { model: "m", input: [[1, 2], [3]], user: "u" },
  ],
  "/v1/responses": [
    { model: "m", input: "Name a lake." },
    { model: "m", instructions: "Be brief.", input: [{ role: "user", content: "Name a lake." }], max_output_tokens: 10, temperature: 0 },
    {
      model: "m",
      input: [{ role: "developer", content: "Be brief." }, { role: "user", content: [{ type: "input_text", text: "Name a lake." }] }],
      tools: [{ type: "function", name: "lookup", parameters: { type: "object" }, strict: null }],
      text: { format: { type: "json_schema", name: "lake", schema: { type: "object" } } },
    },
  ],
  "/v1/completions": [
    { model: "m", prompt: "A lake in Ghana is" },
    { model: "m", prompt: ["A lake", "A sea"], max_tokens: 3, echo: false, stop: null },
  ],
  "/v1/moderations": [{ model: "m", input: "a quiet harbour" }, { input: ["one", "two"] }],
};

export const ENDPOINTS = Object.keys(BODIES);

/** Values that mean something to the format. */
const OWN = [
  ...ENDPOINTS, "/chat/completions", "https://api.openai.com/v1/chat/completions", "/v1/chat/completions/", "/v1/images/generations",
  "POST", "post", "GET", "m", "n", "0.5", "10", "hot", "true", 10, 2, "none", "auto", "required", "any", "human", "developer", "assistant",
  "tool", "function", "text", "image_url", "input_text", user("x"), [user("x")], [user(null)], { role: "assistant" }, call(),
  [call({ function: { name: "lookup", arguments: {} } })], [call({ id: undefined })], [call({ type: "custom" })], [TOOL],
  [{ type: "function", name: "lookup" }], { type: "json_object" }, { type: "json_schema" }, { type: "function", function: { name: "f" } },
  { include_usage: true }, ["x", 1], [1, [2]], [[1], ["x"]], [{ type: "text", text: "x" }], [IMAGE],
  [{ type: "image_url", image_url: "https://example.com/lake.png" }], raw("10.0"), raw("1.0"),
];

/** Values by the key of a body. A mistake sets one of these. */
const VALUES = {
  stream: [true, false, null, "x"],
  stream_options: [{ include_usage: true }, {}, null],
  tool_choice: ["auto", "none", "any", null, { type: "function", function: { name: "lookup" } }, { type: "function", function: { name: "f" } }],
  tools: [[], null, [TOOL], [{ type: "function", name: "lookup" }], [{ function: { name: "lookup" } }]],
  top_logprobs: [2, 0, -1, -2, "2", 1.5],
  logprobs: [true, false, "true", 2],
  temperature: ["0.5", "hot", 3, -1, null, true],
  max_tokens: ["10", 1.5, raw("10.0"), null],
  response_format: [{ type: "text" }, { type: "x" }, { type: "json_schema" }, "json", { ...FORMAT, json_schema: {} }],
  metadata: [{ a: 1 }, { a: "b" }, null, "x"],
  user: [1, null, "u"],
  messages: [[], "x", null, [user("x")]],
  input: [[], ["x", 1], [1, "x"], [[1], 2], [1.5], null, 1, "", [user("x")], [user([{ type: "text", text: "x" }])], [{ role: "human", content: "x" }]],
  text: [{ format: FORMAT }, { format: { type: "text" } }, {}, null],
  prompt: [[], null, 1, "x"],
  model: [1, null, "", "n"],
  stop: [1, [1], []],
  logit_bias: [{ 1: 1.5 }, { 1: "x" }, [], null],
};

/** The lines of a file. */
function lines(random, url) {
  const line = (_, index) => ({ custom_id: `${index + 1}`, method: "POST", url, body: structuredClone(random.of(BODIES[url])) });
  const all = Array.from({ length: 1 + random.below(3) }, line);
  // One model for all that have one.
  for (const { body } of all) if (body.model) body.model = "m";
  return all;
}

/**
 * A file for an endpoint: some without mistakes, some with a wrong value of a body, most with any mistakes.
 * @param {import("./support.js").Random} random @param {string} url
 */
export function generated(random, url) {
  const all = lines(random, url);
  if (random.chance(0.25)) {
    const key = random.of(Object.keys(VALUES));
    random.of(all).body[key] = structuredClone(random.of(VALUES[key]));
    return Buffer.from(write(all));
  }
  return spoil(random, all, OWN);
}
