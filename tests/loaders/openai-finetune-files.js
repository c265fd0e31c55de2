// Files for OpenAI's fine-tuning: of each method, with and without mistakes.

import { readFileSync } from "node:fs";

import { BLANK, encode, raw, spoil, spoilText, spoilValue, write } from "./mutate.js";

/** The methods of fine-tuning. */
export const METHODS = ["supervised", "preference", "reinforcement"];

const LEAST = 10;

const user = (content) => ({ role: "user", content });
const assistant = (content, others = {}) => ({ role: "assistant", content, ...others });
const SYSTEM = { role: "system", content: "Answer with one sentence." };
const DEVELOPER = { role: "developer", content: "Answer with one word." };
const text = (text) => ({ type: "text", text });
const image = (url, others = {}) => ({ type: "image_url", image_url: { url, ...others } });
const call = (id, others = {}) => ({ id, type: "function", function: { name: "lookup", arguments: '{"name": "bee"}' }, ...others });
const calls = (...ids) => ({ role: "assistant", tool_calls: ids.map((id) => call(id)) });
const result = (tool_call_id, content = "insect") => ({ role: "tool", tool_call_id, content });

const FUNCTION = {
  name: "lookup",
  description: "Looks up a living thing.",
  parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  strict: true,
};
const TOOLS = [{ type: "function", function: FUNCTION }];
const DATA_URL = "data:image/png;base64,iVBORw0KGgo=";

/** Conversations that end with the user and are plain: each message is a text, and no role occurs twice in a row. */
const PLAIN_QUESTIONS = [
  [user("What is a bee?")],
  [SYSTEM, user("What is a crow?")],
  [user("What is an oak?"), assistant("A tree."), user("And a rose?")],
];

/** Other conversations that end with the user or with a tool. */
const QUESTIONS = [
  [{ ...SYSTEM, name: "guide" }, { ...user("What is a frog?"), name: "Zoë" }],
  [user([text("What is on the picture?"), image("https://example.com/rose.jpg", { detail: "low" })])],
  [user([image(DATA_URL)]), user("What is it?")],
  [SYSTEM, user("What is a trout?"), assistant([text("A fish.")]), user([text("And a bee?")])],
  [user("Look up a bee."), calls("call_1"), result("call_1"), assistant("An insect."), user("And a crow?")],
];

/** Conversations that call tools and end with a tool. */
const CALLED = [
  [user("Look up a bee."), calls("call_1"), result("call_1")],
  [user("Look up a bee and a crow."), calls("call_1", "call_2"), result("call_1"), result("call_2", [text("bird")])],
];

const PLAIN_ANSWERS = [assistant("An insect."), assistant("A bird.", { weight: 1 })];

const ANSWERS = [
  assistant([text("An insect.")]),
  assistant("An insect.", { name: "helper" }),
  calls("call_3"),
  assistant(null, { tool_calls: [call("call_3")] }),
  assistant("A bird.", { tool_calls: [call("call_3")] }),
  assistant([{ type: "refusal", refusal: "I cannot say." }]),
];

const OLD_CALL = { role: "assistant", function_call: { name: "lookup", arguments: "{}" } };
const OLD_RESULT = { role: "function", name: "lookup", content: "insect" };

/** A record with the deprecated form of calls. */
const OLD_RECORD = {
  messages: [user("Look up a bee."), { ...OLD_CALL, content: null }, OLD_RESULT, assistant("An insect.")],
  functions: [FUNCTION],
};

const EXAMPLE = readFileSync(new URL("../../crates/formats/src/openai_finetune/full.jsonl", import.meta.url), "utf8");

/** The records of the format's example with tools, images and weights. */
const EXAMPLES = EXAMPLE.trim().split("\n").map((line) => JSON.parse(line));

const hasCalls = (messages) => messages.some((message) => message.tool_calls);

/** The tools of a conversation that calls one. */
const toolsOf = (random, messages) =>
  hasCalls(messages) ? { tools: TOOLS, ...(random.chance(0.3) && { parallel_tool_calls: random.chance(0.5) }) } : {};

const RECORDS = {
  supervised(random, isPlain) {
    if (!isPlain && random.chance(0.3)) return random.of([...EXAMPLES, OLD_RECORD]);
    const questions = isPlain ? PLAIN_QUESTIONS : random.of([PLAIN_QUESTIONS, QUESTIONS, CALLED]);
    const answers = isPlain ? PLAIN_ANSWERS : random.of([PLAIN_ANSWERS, ANSWERS]);
    const messages = [...random.of(questions), random.of(answers)];
    return { messages, ...toolsOf(random, messages) };
  },
  preference(random, isPlain) {
    const messages = random.of(isPlain ? PLAIN_QUESTIONS : random.of([PLAIN_QUESTIONS, QUESTIONS, CALLED]));
    const better = isPlain ? assistant("An insect.") : random.of(ANSWERS);
    const input = { messages, ...toolsOf(random, [...messages, better]) };
    return { input, preferred_output: [better], non_preferred_output: [assistant("No idea.")] };
  },
  reinforcement(random, isPlain) {
    // Without a key for the grader.
    if (isPlain) return { messages: random.of(PLAIN_QUESTIONS.slice(0, 2)) };
    const messages = random.of(random.of([PLAIN_QUESTIONS, QUESTIONS]));
    const all = random.chance(0.5) ? [DEVELOPER, ...messages] : messages;
    return { messages: all, ...(hasCalls(all) && { tools: TOOLS }), reference_answer: "insect" };
  },
};

const ROLES = ["developer", "function", "tool", "Assistant", "human", "system", "user", "assistant", null];

const WEIGHTS = [0, 1, 0.5, 2, -1, "1", null, true, false, raw("1.0"), raw("0.0"), raw("-0"), raw("1e0")];

const CONTENTS = [
  null, "", [], {}, 1, "x<|endoftext|>", "<|im_start|>user", "<|fim_suffix|>", [text("x<|endoftext|>")],
  [text("x")], [text("")], [text(1)], [{ type: "text" }], [{ text: "x" }], ["x"], [null],
  [image("https://example.com/a.png")], [image(DATA_URL)], [image("")], [image(1)], [image(DATA_URL, { detail: "medium" })],
  [image(DATA_URL, { detail: "original" })], [{ type: "image_url", image_url: DATA_URL }], [{ type: "image_url" }],
  [{ type: "refusal", refusal: "No." }], [{ type: "refusal" }], [{ type: "thinking", text: "x" }],
  [{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }], [{ type: "input_audio", input_audio: {} }],
  [{ type: "file", file: { file_id: "file-1" } }], [{ type: "file", file: { file_id: 1 } }], [{ type: "file" }],
];

const called = (others) => ({ function: { name: "lookup", arguments: "{}", ...others } });

const CUSTOM_CALL = { id: "1", type: "custom", custom: { name: "lookup", input: "bee" } };

const TOOL_CALLS = [
  null, [], {}, [{}], [call(1)], [call("1", { type: "custom" })], [call("1", { id: undefined })], [call("1", { type: undefined })],
  [call("1", called({ arguments: { name: "bee" } }))], [call("1", called({ arguments: undefined }))], [call("1", called({ name: 1 }))],
  [call("1", called({ arguments: "not JSON" }))], [{ id: "1", type: "function", name: "lookup", arguments: "{}" }],
  [CUSTOM_CALL], [call("1"), call("1")],
];

const tool = (others) => [{ type: "function", function: { ...FUNCTION, ...others } }];

const LISTS_OF_TOOLS = [
  null, [], {}, [{}], [{ type: "function", ...FUNCTION }], [FUNCTION], [{ type: "retrieval" }],
  [{ type: "custom", custom: { name: "lookup" } }], tool({ name: undefined }), tool({ name: "look up" }), tool({ name: "" }),
  tool({ parameters: [] }), tool({ parameters: null }), tool({ strict: null }), tool({ strict: 1 }), tool({ description: null }),
];

const LISTS_OF_FUNCTIONS = [null, [], {}, [FUNCTION], [{}], tool({}), [{ ...FUNCTION, name: 1 }], Array(129).fill(FUNCTION)];

/** Values of other keys of a message. */
const OTHERS = [
  ...["name", "refusal", "tool_call_id", "audio", "function_call"].flatMap((key) => [null, 1, "x"].map((value) => ({ [key]: value }))),
  { name: "" }, { audio: { id: "audio_1" } }, { function_call: { name: "lookup", arguments: "{}" } }, { function_call: { name: "lookup" } },
  { source: "wiki" }, { reasoning_content: "x" }, { refusal: "<|endoftext|>" },
];

const OUTPUTS = [
  null, [], {}, "x", assistant("A bird."), ["x"], [user("x")], [assistant("A bird."), assistant("It flies.")], [{ role: "assistant" }],
  [assistant(null)], [assistant("")], [assistant([])], [calls("call_4")],
  [assistant("A bird.", { weight: 0 })], [assistant("A bird.", { weight: 5 })],
  [assistant("A bird.", { weight: null })], [assistant([image(DATA_URL)])], [assistant("<|endoftext|>")], [assistant("No idea.")],
  [{ content: "A bird." }], [result("call_1")], [{ role: "assistant", tool_calls: [CUSTOM_CALL] }],
  [assistant("A bird.", { tool_calls: [] })],
];

/** Values that are no record, and records of other formats. */
const RECORDS_OF_OTHERS = [
  {}, [], null, "x", 1, { text: "A bee is an insect." }, { prompt: "What is a bee?", completion: "An insect." },
  { prompt: ["What is a bee?"], completion: "An insect." }, { prompt: "x" }, { instruction: "x", output: "y" },
  { conversations: [{ from: "human", value: "What is a bee?" }, { from: "gpt", value: "An insect." }] },
  { prompt: "What is a bee?", chosen: "An insect.", rejected: "A bird." }, { custom_id: "1", body: { messages: [user("x")] } },
];

const messagesOf = (record) => record.messages ?? record.input.messages;

/** What the messages are in: the record, or the input of a preference. */
const holderOf = (record) => record.input ?? record;

/** For each value a mistake: a function that puts it somewhere into one of the records, which are copies. */
const mistakes = (values, put) => values.map((value) => (random, records) => put(random, random.of(records), structuredClone(value)));

const message = (random, record) => random.of(messagesOf(record));
const last = (record) => messagesOf(record).at(-1) ?? {};

const COMMON = [
  ...mistakes(ROLES, (random, record, role) => { message(random, record).role = role; }),
  ...mistakes(ROLES, (random, record, role) => { messagesOf(record).push({ role, content: "x" }); }),
  ...mistakes(CONTENTS, (random, record, content) => { message(random, record).content = content; }),
  ...mistakes(CONTENTS, (random, record, content) => { last(record).content = content; }),
  ...mistakes(WEIGHTS, (random, record, weight) => { message(random, record).weight = weight; }),
  ...mistakes(WEIGHTS, (random, record, weight) => { last(record).weight = weight; }),
  ...mistakes(TOOL_CALLS, (random, record, calls) => { last(record).tool_calls = calls; }),
  ...mistakes(OTHERS, (random, record, others) => { Object.assign(message(random, record), others); }),
  ...mistakes(OTHERS, (random, record, others) => { Object.assign(last(record), others); }),
  ...mistakes(["role", "content"], (random, record, key) => { delete message(random, record)[key]; }),
  ...mistakes([OLD_RESULT, SYSTEM], (random, record, added) => { messagesOf(record).unshift(added); }),
  ...mistakes([OLD_CALL, { ...OLD_CALL, content: null }, OLD_RESULT, result("call_1"), calls("call_9")], (random, record, added) => {
    messagesOf(record).push(added);
  }),
  ...mistakes([[], {}, null, "x", [[]], ["x"], [null]], (random, record, messages) => { holderOf(record).messages = messages; }),
  ...mistakes(LISTS_OF_TOOLS, (random, record, tools) => { holderOf(record).tools = tools; }),
  ...mistakes(LISTS_OF_FUNCTIONS, (random, record, functions) => { holderOf(record).functions = functions; }),
  ...mistakes(["true", null, 1, 0, true], (random, record, value) => { holderOf(record).parallel_tool_calls = value; }),
  ...mistakes(["wiki", raw("NaN"), raw("1e400")], (random, record, value) => { record.source = value; }),
  (random, records) => { random.of(records).preferred_output = []; },
  ...mistakes([[{ ...user([image(DATA_URL)]), weight: 1 }]], (random, record, messages) => {
    holderOf(record).messages = record.reference_answer || record.input ? messages : [...messages, assistant([text("A bee.")])];
  }),
  (random, records) => { messagesOf(random.of(records)).pop(); },
  (random, records) => { messagesOf(random.of(records)).shift(); },
  ...mistakes(RECORDS_OF_OTHERS, (random, record, other) => other),
  ...METHODS.map((method) => (random) => structuredClone(RECORDS[method](random, true))),
  ...[1, 5].map((count) => (random, records) => { records.splice(random.below(records.length), count); }),
];

const OF_PREFERENCES = [
  ...mistakes(OUTPUTS, (random, record, output) => { record.preferred_output = output; }),
  ...mistakes(OUTPUTS, (random, record, output) => { record.non_preferred_output = output; }),
  ...mistakes(["preferred_output", "non_preferred_output"], (random, record, key) => {
    record[key.replace("output", "completion")] = record[key];
    delete record[key];
  }),
  ...mistakes([{}, { messages: {} }, { preferred_output: "A bird." }, { non_preferred_output: undefined }], (random, record, others) => {
    Object.assign(record, { messages: [user("What is a bee?"), assistant("An insect.")] }, others);
  }),
];

const OF_REINFORCEMENT = [
  (random, records) => { random.of(records).messages = [DEVELOPER, user("What is a bee?"), assistant("An insect.")]; },
];

/** The mistakes of people who get the format wrong, by method. A mistake may return a record that takes the place of one. */
const MISTAKES = { supervised: COMMON, preference: [...COMMON, ...OF_PREFERENCES], reinforcement: [...COMMON, ...OF_REINFORCEMENT] };

/** The mistakes of whole files: their encoding and their layout. */
const LAYOUTS = [
  (text) => `\ufeff${text}`,
  (text) => `[${text.trimEnd().replaceAll("\n", ",\n")}]`,
  (text) => text.trimEnd().split("\n").map((line) => `${JSON.stringify(JSON.parse(line), null, 2)}\n`).join(""),
  (text) => Buffer.from(text, "utf16le"),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll("\n", "\r"),
  (text) => text.replace("}", "\r}"),
  ...BLANK.map((blank) => (text) => text.replace("\n", `\n${blank}\n`)),
  ...["", "\n", " ", "\ufeff"].map((text) => () => text),
];

/** Values that mean something to the format. */
const OWN = [...ROLES, ...WEIGHTS, ...CONTENTS, ...TOOL_CALLS, "text", "image_url", "<|endoftext|>", "{}"];

const recordsOf = (random, method, isPlain) =>
  Array.from({ length: LEAST + random.below(2) }, () => structuredClone(RECORDS[method](random, isPlain)));

function withMistake(random, records, mistake) {
  const other = mistake(random, records);
  if (other !== undefined) records[random.below(records.length)] = other;
  return write(records);
}

/**
 * @typedef {{ method: string, mistakes: "none" | "one" | "several", content: string | Buffer }} Generated
 * Plain files have no tools, parts or keys for a grader. Together takes them too, unless they are for reinforcement fine-tuning.
 */

/**
 * Plain files with one mistake each: each mistake in a file of each method.
 * @param {import("./support.js").Random} random @returns {Generated[]}
 */
export function withEachMistake(random) {
  return METHODS.flatMap((method) => {
    const records = () => recordsOf(random, method, true);
    const contents = [
      ...MISTAKES[method].map((mistake) => withMistake(random, records(), mistake)),
      ...LAYOUTS.map((layout) => layout(write(records()))),
    ];
    return contents.map((content) => ({ method, mistakes: "one", content }));
  });
}

/**
 * A file with mistakes anywhere: of ten files, one has no mistake, six have one, and the others up to four.
 * @param {import("./support.js").Random} random @returns {Generated}
 */
export function generated(random, method, isPlain = random.chance(0.5)) {
  const records = recordsOf(random, method, isPlain);
  const kind = random.below(10);
  if (kind === 0) return { method, mistakes: "none", content: write(records) };
  if (kind > 6) return { method, mistakes: "several", content: spoil(random, records, OWN) };
  if (kind > 4) return { method, mistakes: "one", content: encode(random, spoilText(random, write(records))) };
  if (kind > 2) return { method, mistakes: "one", content: withMistake(random, records, random.of(MISTAKES[method])) };
  spoilValue(random, records, OWN);
  return { method, mistakes: "one", content: write(records) };
}
