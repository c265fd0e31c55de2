// Files that are hostile in one way each: `make(n)` has n of something, and is about n times as long as `make(1)`. A rule
// that looks at more than one place has a family here. Families are in groups by what they are hostile to.

import { storedZip } from "./zip.js";

/** In place of a format: texts that are rendered. */
export const MARKDOWN = "markdown";

const message = (content) => ({ role: "user", content });
const sample = (more) => JSON.stringify({ input: { messages: [message("x")] }, ...more });
const inContent = (text) => `{"input":{"messages":[{"role":"user","content":"${text}"}]}}\n`;
const call = (id, name = "f", text = "{}") => ({ id, type: "function", function: { name, arguments: text } });
const toolResult = (id) => ({ role: "tool", tool_call_id: id, content: "x" });
const fineTuning = (...messages) => JSON.stringify({ messages: [message("x"), ...messages] });
const batch = (body, url = "/v1/chat/completions") => JSON.stringify({ custom_id: "a", method: "POST", url, body: { model: "m", ...body } });
const numbered = (n, text) => Array.from({ length: n }, (_, index) => text(index));

/** The family that stands for its group in the quick suite. */
const quick = (make) => Object.assign(make, { isQuick: true });

const juryarena = {
  text: {
    "bytes that are not UTF-8 in a string": (n) => Buffer.from(inContent("\u00ff".repeat(n)), "latin1"),
    "bytes that are not UTF-8 in strings": quick((n) => Buffer.from(JSON.stringify({ input: { messages: Array(n).fill(message("\u00ff")) } }), "latin1")),
    "bytes that are not UTF-8 alone": (n) => Buffer.alloc(n, 0xff),
    "lone surrogates": (n) => inContent("\\ud800".repeat(n)),
    "escaped NULs": (n) => inContent("\\u0000".repeat(n)),
    "NUL bytes": (n) => inContent("\u0000".repeat(n)),
    "NUL bytes between letters": (n) => inContent("\u0000a".repeat(n)),
    "commands of LaTeX": (n) => inContent("\\times \\\\frac ".repeat(n)),
    "raw control characters": (n) => inContent("\u0001".repeat(n)),
    "unknown escapes": (n) => inContent("\\q".repeat(n)),
    "no-break spaces": (n) => `${"\u00a0".repeat(n)}\n`,
  },
  syntax: {
    "lines that are no JSON": (n) => "x\n".repeat(n),
    "typographic quotes in a string": (n) => `{“input”: “${"a ".repeat(n)}”}\n`,
    "typographic quotes in a string that is not closed": (n) => `{“input”: “${"a ".repeat(n)}\n`,
    "members in typographic quotes": (n) => `{${numbered(n, (index) => `“k${index}”: “v”`).join()}}\n`,
    "a member in typographic quotes before others": (n) => `{“a”: “b”, ${numbered(n, (index) => `"k${index}":1`).join()}}\n`,
    "members in single quotes": quick((n) => `{${numbered(n, (index) => `'k${index}': 'v'`).join()}}\n`),
    "ellipses": (n) => `{"input":[${"...,".repeat(n)}]}\n`,
    "entities of HTML": (n) => `{${numbered(n, (index) => `&quot;k${index}&quot;:1`).join()}}\n`,
    "brackets before a record": (n) => `${"[1] ".repeat(n)}{"input":1}\n`,
    "records cut off on a line": (n) => `${'{"input":"'.repeat(n)}{"input":{"messages":[]}}\n`,
    "Python's words": (n) => `{"k":[${Array(n).fill("None")}]}\n`,
    "Python's words in members": (n) => `{${numbered(n, (index) => `"k${index}": ${["True", "False", "None"][index % 3]}`).join()}}\n`,
    "unescaped quotes": (n) => inContent('a "b" '.repeat(n)),
    "depth": (n) => `${"[".repeat(n)}\n`,
    "values on a line": (n) => `${"{} ".repeat(n)}\n`,
    "comments": (n) => `{${"/**/".repeat(n)}}\n`,
    "Python's dictionaries": (n) => "{'input': None}\n".repeat(n),
    "trailing commas": (n) => `{"input":{"messages":[${'{"role":"user","content":"x",},'.repeat(n)}]}}\n`,
  },
  shape: {
    "one key again and again": (n) => `{${numbered(n, () => '"k":1').join()}}\n`,
    "unknown keys": (n) => `{${numbered(n, (index) => `"k${index}":1`).join()}}\n`,
    "misspelt keys": quick((n) => `{"input":{${numbered(n, (index) => `"mesages${index}":1`).join()}}}\n`),
    "a long unknown key": (n) => sample({ ["k".repeat(n)]: 1 }),
    "a long role": (n) => JSON.stringify({ input: { messages: [{ role: "user".repeat(n), content: "x" }] } }),
    "wrong roles on a line": (n) => JSON.stringify({ input: { messages: Array(n).fill({ role: "usr", content: "x" }) } }),
    "numbers for messages": (n) => JSON.stringify({ input: { messages: Array(n).fill(1) } }),
    "unknown parts on a line": (n) => JSON.stringify({ input: { messages: [message(Array(n).fill({ type: "txt", text: "x" }))] } }),
    "messages in lists of their own": (n) => JSON.stringify({ input: { messages: Array(n).fill([message("x")]) } }),
    "messages under their numbers": (n) => JSON.stringify({ input: { messages: { ...Array(n).fill(message("x")) } } }),
    "inexact integers": (n) => `{"input":{"messages":[{"role":"user","content":"x"}]},"metadata":[${Array(n).fill("9007199254740993")}]}\n`,
    "references on a line": (n) => JSON.stringify({ input: { messages: [message(numbered(n, (index) => ({ type: "file_ref", path: `attachments/${index}` })))] } }),
  },
  lines: {
    "records without keys": (n) => "{}\n".repeat(n),
    "records after numbers": (n) => '1. {"input":{}}\n'.repeat(n),
    "blank lines": (n) => "\n".repeat(n),
    "lines that open an array": quick((n) => "[\n".repeat(n)),
    "lines that open an object": (n) => '{"a":\n'.repeat(n),
    "lines that open a string": (n) => '{"a":"b\n'.repeat(n),
    "records over lines": (n) => `${JSON.stringify(JSON.parse(sample()), null, 1)}\n`.repeat(n),
    "a record over lines": (n) => `{"input":{"messages":[\n${Array(n).fill(JSON.stringify(message("x"))).join(",\n")}\n]}}\n`,
    "an array of records over lines": (n) => `[\n${Array(n).fill(sample()).join(",\n")}\n]\n`,
    "an array of records on a line": (n) => `[${Array(n).fill(sample())}]\n`,
    "lone carriage returns": (n) => `${sample()}\r`.repeat(n),
  },
};

const quest = (samples) => `{"total_samples":1,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}\n${samples}`;

const result = (id, feedback, more = { type: "text", text: "x" }) =>
  `${JSON.stringify({ sample: { id, ...more }, feedback, timestamp: "2025-02-10T20:11:56.000Z" })}\n`;

const others = {
  "tencent-infer": {
    "late system messages": quick((n) => JSON.stringify({ messages: [message("x"), ...Array(n).fill({ role: "system", content: "x" })] })),
    "answers in a row": (n) => JSON.stringify({ messages: Array(n).fill({ role: "assistant", content: "x" }) }),
  },
  "openai-batch": {
    "tools and a choice": (n) =>
      batch({
        messages: [message("x")],
        tools: numbered(n, (index) => ({ type: "function", function: { name: `f${index}` } })),
        tool_choice: { type: "function", function: { name: "g" } },
      }),
    "inputs of two kinds": (n) => batch({ input: Array(n).fill(["x", 1]).flat() }, "/v1/embeddings"),
    "faults in a body": quick((n) => batch({ messages: Array(n).fill(0) })),
    "ids and models": quick((n) => numbered(n, (index) => `${batch({ model: `m${index}`, messages: [message("x")] })}\n`).join("")),
  },
  "openai-finetune": {
    "calls of one id": (n) => fineTuning({ role: "assistant", tool_calls: Array(n).fill(call("1")) }, ...Array(n).fill(toolResult("1"))),
    "calls that are not answered": quick((n) => fineTuning({ role: "assistant", tool_calls: numbered(n, (index) => call(`${index}`)) }, message("x"))),
    "answers to no call": (n) => fineTuning(...Array(n).fill(toolResult("1"))),
    "calls and tools": (n) =>
      JSON.stringify({
        messages: [message("x"), { role: "assistant", tool_calls: numbered(n, (index) => call("1", `f${index}`)) }],
        tools: numbered(n, (index) => ({ type: "function", function: { name: `g${index}` } })),
      }),
    "special tokens in a text": (n) => fineTuning(message("<|endoftext|>".repeat(n))),
    "special tokens in texts": (n) => fineTuning(...Array(n).fill(message("<|endoftext|>"))),
    "JSON in a string": (n) => fineTuning({ role: "assistant", tool_calls: [call("1", "f", `[${'"\\n",'.repeat(n)}1]`)] }),
    "brackets in a string": (n) => fineTuning({ role: "assistant", tool_calls: [call("1", "f", "[".repeat(n))] }),
    "a key for each line": (n) => numbered(n, (index) => `${JSON.stringify({ messages: [message("x")], [`k${index}`]: 1 })}\n`).join(""),
  },
  "tencent-eval": {
    "one model on a line": (n) => JSON.stringify({ messages: [message("x")], model_outputs: Array(n).fill({ model_name: "m", responses: [{ content: "x" }] }) }),
    "a model for each line": quick((n) => numbered(n, (index) => `${JSON.stringify({ messages: [message("x")], model_outputs: [{ model_name: `m${index}`, responses: [{ content: "x" }] }] })}\n`).join("")),
  },
  promptfoo: {
    "assertions of no type": quick((n) => JSON.stringify({ vars: {}, assert: Array(n).fill({ type: "contain" }) })),
    "assertions as texts": (n) => JSON.stringify({ vars: {}, assert: Array(n).fill("contains:a") }),
    "items of a list": (n) => JSON.stringify({ vars: {}, assert: [{ type: "contains-any", value: '"a",'.repeat(n) }] }),
    "keys that are nearly read": (n) => JSON.stringify({ vars: {}, ...Object.fromEntries(numbered(n, (index) => [`assert${"_".repeat(index % 50)}${"-".repeat(index / 50)}`, 1])) }),
    "flat records": (n) => '{"question":"a","expected":"b"}\n'.repeat(n),
  },
  quest: {
    "one id on a line": (n) => quest(`${JSON.stringify(Array(n).fill({ type: "text", id: "a", text: "x" }))}\n`),
    "one id on all lines": quick((n) => quest(`${JSON.stringify([{ type: "text", id: "a", text: "x" }])}\n`.repeat(n))),
    "keys of the metadata": (n) => `{${numbered(n, (index) => `"k${index}":1`).join()}}\n`,
  },
  "quest-results": {
    "keys of feedback on a line": (n) => result("a", Object.fromEntries(numbered(n, (index) => [`k${index}`, index]))),
    "a key of feedback for each line": quick((n) => numbered(n, (index) => result("a", { [`k${index}`]: index })).join("")),
    "one sample on all lines": (n) => result("a", {}).repeat(n),
    "a sample of another type on each line": (n) => result("a", {}) + result("a", {}, { type: "text_completion", prompt: "x", completion: "x" }).repeat(n),
    "a long timestamp": (n) => result("a", {}).replace(".000Z", `.${"0".repeat(n)}Z`),
  },
  "eee-instance": {
    "one sample on all lines": (n) => `${JSON.stringify({ evaluation_id: "e", model_id: "m", sample_id: "s" })}\n`.repeat(n),
    "turns": quick((n) => JSON.stringify({ interaction_type: "multi_turn", interactions: Array(n).fill({ turn_idx: 0, role: "user", content: "x" }) })),
  },
};

const evretRow = "query_id,query_text,relevant_doc_ids\n";
const evretCsv = {
  rows: {
    "one id in all rows": (n) => evretRow + "q,how high,d1\n".repeat(n),
    "line breaks in cells": (n) => evretRow + 'q,"how\nhigh",d1\n'.repeat(n),
    "a cell of many lines": (n) => `${evretRow}q,"${"how\n".repeat(n)}",d1\n`,
    "columns": (n) => `${numbered(n, (index) => `c${index}`)}\n${Array(n).fill("v")}\n`,
    "one column again and again": (n) => `${evretRow.trimEnd()},${Array(n).fill("c")}\nq,t,d\n`,
    "text behind quotes": quick((n) => `${evretRow}q,${'"a"b,'.repeat(n)}d1\n`),
    "quotes inside a cell": (n) => `${evretRow}q,"${'a "b" '.repeat(n)}",d1\n`,
    "quotes and spaces inside a cell": (n) => `${evretRow}q,"${'" '.repeat(n)}",d1\n`,
    "rows with too many cells": (n) => evretRow + "q1,how high,d1\nq2,how, high, and why,d1\n".repeat(n),
    "rows with too few cells": (n) => evretRow + "q1,how high,d1\nq2,how high\n".repeat(n),
    "a long cell in a row with too few": (n) => `${evretRow}${"q1,how high,d1\n".repeat(9)}q2,${"how d1 ".repeat(n)}\nq1,how high,d1\n`,
    "a long cell in a row with too many": (n) => `${evretRow}${"q1,how high,d1\n".repeat(9)}q2,${"how d1 ".repeat(n)}, why,d1\nq1,how high,d1\n`,
    "quotes with backslashes": (n) => `${evretRow}q,"${'a \\"b\\" '.repeat(n)}",d1\n`,
    "the header again and again": (n) => evretRow.repeat(n),
    "blank cells": (n) => `${evretRow}${",".repeat(n)}\n`,
    "carriage returns in quotes": (n) => `${evretRow}q,"${"a\r".repeat(n)}",d1\n`,
  },
  cells: {
    "entries of a list in typographic quotes": (n) => `${evretRow}q,t,"[${Array(n).fill("“d”")}]"\n`,
    "entries of a list in single quotes": (n) => `${evretRow}q,t,"[${Array(n).fill("'d'")}]"\n`,
    "Python's words in a list": (n) => `${evretRow}q,t,"[${Array(n).fill("None")}]"\n`,
    "numbers in a list": (n) => `${evretRow}q,t,"[${numbered(n, (index) => index)}]"\n`,
    "numbers in a list that only Python reads": (n) => `${evretRow}q,t,"[${Array(n).fill("NaN")}]"\n`,
    "entries of a cell": quick((n) => `${evretRow}q,t,"${numbered(n, (index) => `d${index >> 1}`)}"\n`),
    "one entry in a list": (n) => `${evretRow}q,t,"${JSON.stringify(Array(n).fill("d")).replaceAll('"', '""')}"\n`,
  },
};

const promptfooCsv = {
  "columns of assertions and their thresholds": quick((n) => {
    const columns = numbered(n, (index) => `__expected${index + 1},__config:__expected${index + 1}:threshold`);
    return `${columns}\n${Array(n).fill(",0.5")}\n`;
  }),
  "columns that are nearly read": (n) => `${numbered(n, (index) => `__Expected${index}`)}\n${Array(n).fill("a")}\n`,
  "items of a cell": (n) => `q,__expected\na,"contains-any:${'""a"",'.repeat(n)}"\n`,
  "a cell of colons": (n) => `q,__expected\na,${":(".repeat(n)}\n`,
  "literal cells": (n) => `q,__expected\n${"a,Contains: b\n".repeat(n)}`,
  "rows that end otherwise": (n) => `q,__expected\n${"a,b\r\n".repeat(n)}`,
  "blank lines": (n) => `q,__expected\n${"\n".repeat(n)}`,
};

const query = { query_id: "q", query_text: "t", relevant_doc_ids: ["d"] };
const evretJson = {
  "one id in all queries": (n) => JSON.stringify({ queries: Array(n).fill(query) }),
  "queries that are none": (n) => JSON.stringify({ queries: Array(n).fill(false) }),
  "one list again and again": (n) => `{${numbered(n, () => '"queries":[{"query_id":1}]').join()}}`,
  "missing commas": (n) => `{"queries":[${'{"query_id":"q"} '.repeat(n)}]}`,
  "entries that are no strings": (n) => JSON.stringify({ queries: [{ ...query, relevant_doc_ids: Array(n).fill(1) }] }),
  "unknown documents": quick((n) => JSON.stringify({ queries: [{ ...query, relevant_doc_ids: numbered(n, (index) => `d${index}`) }], documents: [{ doc_id: "x", text: "x" }] })),
};

const reference = (path) => JSON.stringify({ input: { messages: [message([{ type: "file_ref", path }])] } });
const archives = {
  "references to no file": (n) =>
    storedZip([["samples.jsonl", numbered(n, (index) => `${reference(`attachments/b${index}`)}\n`).join("")], ...numbered(n, (index) => [`attachments/a${index}`, "x"])]),
  "one name again and again": (n) => storedZip([["samples.jsonl", sample()], ...Array(n).fill(["attachments/a", "x"])]),
  "names that differ in case": (n) =>
    storedZip([["samples.jsonl", sample()], ...numbered(n, (index) => [`attachments/${[..."abcdefghijklmnop"].map((c, bit) => ((index >> bit) & 1 ? c.toUpperCase() : c)).join("")}`, "x"])]),
  "one name with other contents each time": (n) => storedZip([["samples.jsonl", sample()], ...numbered(n, (index) => ["attachments/a", `${index}`])]),
  "other spellings of one path": quick((n) => storedZip([["samples.jsonl", sample()], ...numbered(n, (index) => [`attachments/${"/.".repeat(index % 9)}/a`, `${index}`])])),
  "files that are folders": (n) => storedZip([["samples.jsonl", sample()], ...numbered(n, (index) => [`attachments/a${index >> 1}${index & 1 ? "/b" : ""}`, "x"])]),
  "entries in folders": (n) => storedZip([["samples.jsonl", sample()], ...numbered(n, (index) => [`attachments/part ${index % 100}/file number ${index}.txt`, "x"])]),
  "folders": (n) => storedZip([["samples.jsonl", sample()], ...numbered(n, (index) => [`attachments/${"a/".repeat(20)}${index}`, "x"])]),
};

/** Texts, most of them one part again and again. */
const again = (...parts) => Object.fromEntries(parts.map((part) => [JSON.stringify(part), (n) => part.repeat(n)]));
const markdown = {
  ...again(
    "[", "![", "[a](", "<", "<a ", "<!--", "`", "*", "**a", "_a", "~~a", "$", "$$a", "\\(", "\\[\n", "> ", ">\n", "- ", "1. ", "#", "# ",
    "|", "|a|\n", "&", "&amp;", "\\", "[^a]", "[^a]: ", "[a]: b\n", "```\n", "    a\n", "\t", "\r", "\0", "é", "\u202e", "a\n\n",
    "- a\n\n", "*a_ ", "a**b", "[a][b]", "<a@b>", "***", "](", "<?", "<![CDATA[", "{$", "``a`", "$a$", "- [ ] a\n", "|-", "==\n", "--\n",
  ),
  "lists in each other": (n) => numbered(Math.round(Math.sqrt(2 * n)), (index) => `${" ".repeat(index)}- a\n`).join(""),
  "runs of backticks": (n) => numbered(Math.round(Math.sqrt(2 * n)), (index) => `${"`".repeat(index + 1)} a `).join(""),
  "delimiters of mathematics": quick((n) => "\\([a](b\\) \\[".repeat(n)),
  "a table with more cells than bytes": (n) => `${"|a".repeat(n)}\n${"|-".repeat(n)}\n${"|a\n".repeat(30 * n)}`,
  "the same with mathematics": (n) => `${"|a".repeat(n)}\n${"|-".repeat(n)}\n${"|a\n".repeat(30 * n)}\n\\(x\\)`,
};

/** A group of families, with the one that stands for it. */
function group(format, extension, families) {
  const found = Object.entries(families).map(([name, make]) => ({ name: `${format}: ${name}`, format, extension, make, isQuick: make.isQuick === true }));
  if (!found.some(({ isQuick }) => isQuick)) throw new Error(`no family stands for ${Object.keys(families).join(", ")}`);
  return found;
}

/** @type {{ name: string, format: string, extension: string, make: (n: number) => string | Uint8Array, isQuick: boolean }[]} */
export const FAMILIES = [
  ...Object.values(juryarena).flatMap((families) => group("juryarena", "jsonl", families)),
  ...Object.entries(others).flatMap(([format, families]) => group(format, "jsonl", families)),
  ...Object.values(evretCsv).flatMap((families) => group("evret", "csv", families)),
  ...group("evret", "json", evretJson),
  ...group("promptfoo", "csv", promptfooCsv),
  ...group("juryarena", "zip", archives),
  ...group(MARKDOWN, "md", markdown),
];
