// evalcheck's messages, paths and their order, held against Zod 3 on records that are made here, the same in every run.

import assert from "node:assert/strict";
import { test } from "node:test";

import { explained } from "../loaders/support.js";
import { sized } from "../suite.mjs";
import { compare, difference, loaded, report } from "./compare.js";
import { Random } from "./random.js";
import { breakText, Obj, places, record, shuffle, spoil, write } from "./records.js";
import { held, judge } from "./schema.js";

const RECORDS = 4_000;

/** @param {string} text @param {string} about */
async function agree(text, about) {
  const outcome = await compare(text);
  if (outcome.differences.length > 0) assert.fail(`${about}\n\n${outcome.differences.join("\n\n")}\n`);
  return outcome;
}

/** Lines of records, each made by `make`. */
const file = (seed, make) => {
  const random = new Random(seed);
  return Array.from({ length: RECORDS }, () => make(random)).join("\n");
};

const plainRecord = () =>
  new Obj([["input", new Obj([["messages", [
    new Obj([["role", "user"], ["content", "Hi"]]),
    new Obj([["role", "assistant"], ["content", [
      new Obj([["type", "text"], ["text", "Hi"]]),
      new Obj([["type", "file_ref"], ["path", "attachments/a.pdf"]]),
      new Obj([["type", "image_url"], ["image_url", new Obj([["url", "https://images.example/a.png"]])]]),
    ]]]),
  ]]])], ["json_schema", new Obj([["type", "object"]])], ["usage_output", null]]);

test("good records are accepted, however they are written", async () => {
  const text = file(1, (random) => {
    const root = { value: record(random) };
    shuffle(random, root);
    return write(random, root.value, false);
  });
  const { verdicts } = await agree(text, "seed 1");
  assert.equal([...verdicts.values()].filter(({ issues }) => issues.length > 0).length, 0);
});

test("every type at every place", async () => {
  const random = new Random(2);
  const values = [null, true, 7, "text", "", [], ["x"], new Obj([]), new Obj([["type", "text"]]), new Obj([["url", 1]])];
  const lines = [];
  for (const index of places({ value: plainRecord() }).keys()) {
    for (const value of values) {
      const root = { value: plainRecord() };
      places(root)[index].set(value);
      lines.push(write(random, root.value));
    }
  }
  await agree(lines.join("\n"), "every type at every place");
});

test("every key missing, and every key twice", async () => {
  const random = new Random(3);
  const objects = (root) => places(root).map((place) => place.get()).filter((value) => value instanceof Obj);
  const lines = [];
  for (const [index, object] of objects({ value: plainRecord() }).entries()) {
    for (const [at, [key]] of object.members.entries()) {
      for (const change of [
        (members) => members.splice(at, 1),
        (members) => members.push([key, 7]),
        (members) => members.unshift([key, 7]),
      ]) {
        const root = { value: plainRecord() };
        change(objects(root)[index].members);
        lines.push(write(random, root.value));
      }
    }
  }
  await agree(lines.join("\n"), "every key missing and twice");
});

for (const seed of sized([11], [11, 12, 13, 14, 15])) {
  test(`records spoiled in one to five ways, seed ${seed}`, async () => {
    const text = file(seed, (random) => {
      const root = { value: record(random) };
      const ways = 1 + random.below(5);
      for (let i = 0; i < ways; i += 1) spoil(random, root);
      if (random.chance(0.5)) shuffle(random, root);
      return write(random, root.value, random.chance(0.5));
    });
    const { verdicts } = await agree(text, `seed ${seed}`);
    // What is compared must be worth it.
    const issues = [...verdicts.values()].map((verdict) => verdict.issues);
    const accepted = issues.filter((list) => list.length === 0).length;
    assert.ok(accepted > RECORDS / 20 && accepted < RECORDS * 0.8, `${accepted} of ${RECORDS} are accepted`);
    assert.ok(issues.some((list) => list.length >= 4), "no record has four errors");
    const messages = new Set(issues.flat().map(({ message }) => message.replace(/, received '[^]*'$/, "")));
    for (const message of [
      "Required",
      "Invalid enum value. Expected 'system' | 'user' | 'assistant'",
      "Invalid discriminator value. Expected 'text' | 'file_ref' | 'image_url'",
      "Invalid input",
      ...["null", "boolean", "number", "string", "array"].map((type) => `Expected object, received ${type}`),
      ...["null", "boolean", "number", "string", "object"].map((type) => `Expected array, received ${type}`),
      ...["null", "boolean", "number", "array", "object"].map((type) => `Expected string, received ${type}`),
      "Expected 'system' | 'user' | 'assistant', received number",
    ]) {
      assert.ok(messages.has(message), `no record makes Zod say «${message}»`);
    }
  });
}

for (const seed of sized([21], [21, 22])) {
  test(`text that is hardly JSON, among good records, seed ${seed}`, async () => {
    let cut = false;
    const text = file(seed, (random) => {
      // A line that ends where a record over several lines may break makes the next one its continuation, unless that
      // is a record by its looks; see the test below.
      const line = write(random, record(random), cut || random.chance(0.5));
      const written = cut || random.chance(0.5) ? line : breakText(random, line);
      cut = /[{[,:]\s*$/.test(written);
      return written;
    });
    const { verdicts } = await agree(text, `seed ${seed}`);
    const broken = [...verdicts.values()].filter(({ issues }) => issues[0]?.message === "invalid JSON").length;
    assert.ok(broken > RECORDS / 5, `only ${broken} records are not JSON`);
  });
}

test("a record that is cut off hides none of the mistakes after it", async () => {
  const good = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';
  const cut = [...good.matchAll(/[{[,:"]/g)].map(({ index }) => good.slice(0, index + 1));
  const wrong = [
    good.replace("user", "tool"), good.replace('"Hi"', "7"), `${good}{}`, `${good};`, `${good},`, `${good}]`,
    `${good} null`, good.replace("null", "nul"), good.replace('"Hi"', '"Hi'), good.replace("[", ""), good.slice(0, -1),
  ];
  await agree(cut.flatMap((line) => wrong.flatMap((next) => [line, next, good])).join("\n"), "after a cut record");
});

test("lines: byte order mark, CRLF, blank lines, white space, no newline at the end", async () => {
  const random = new Random(31);
  const lines = Array.from({ length: 500 }, () => {
    const root = { value: record(random) };
    if (random.chance(0.3)) spoil(random, root);
    const around = () => random.of(["", "", " ", "\t", "   "]);
    const line = random.chance(0.2) ? around() : around() + write(random, root.value) + around();
    return line + random.of(["\n", "\r\n"]);
  });
  for (const end of ["", "\n", "\r\n", "\n\n\r\n", write(random, record(random))]) {
    const { report } = await agree(`\uFEFF${lines.join("")}${end}`, `a file that ends with ${JSON.stringify(end)}`);
    const { counts } = report;
    assert.equal(counts.lines, counts.valid + counts.invalid + counts.blank, "every line is accounted for");
  }
});

test("the document's own example of an error", async () => {
  const good = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}\n';
  const bad = good.replace("user", "tool");
  const { report } = await agree(good.repeat(11) + bad, "line 12");
  const [{ line, path, message }] = report.findings;
  assert.equal(
    `line ${line}: ${path}: ${message}`,
    "line 12: input.messages.0.role: Invalid enum value. Expected 'system' | 'user' | 'assistant', received 'tool'",
  );
});

test("records are held as Zod returns them", async (t) => {
  const random = new Random(41);
  const lines = Array.from({ length: 2 * RECORDS }, () => {
    const root = { value: record(random) };
    const ways = random.below(4);
    for (let i = 0; i < ways; i += 1) spoil(random, root);
    return write(random, root.value, random.chance(0.5)).replaceAll(/\b123456789\b/g, "12345678901234567890123");
  });
  const accepted = judge(lines.join("\n"));
  let [compared, changed] = [0, 0];
  for (const { line, state, record: ours, changes } of await loaded(lines.join("\n"))) {
    const { record: text, issues } = accepted.get(line);
    if (state !== "held") continue;
    assert.deepEqual(issues, [], text);
    assert.deepEqual(ours, held(text), text);
    // Without a change it is what the file says.
    if (changes.length === 0) assert.deepEqual(ours, JSON.parse(text), text);
    else changed += 1;
    compared += 1;
  }
  t.diagnostic(`${compared} records, ${changed} of them changed`);
  assert.ok(compared > 2_000 && changed > 500, `${compared} records are compared, ${changed} of them changed`);
});

test("the comparison sees what differs", () => {
  const issuesOf = (value) => judge(JSON.stringify(value)).get(1).issues;
  const two = issuesOf({ input: { messages: [{ role: 1, content: "" }, {}] } });
  assert.equal(two.length, 3);
  assert.equal(difference(two, two), null);
  assert.match(difference(two, two.slice(0, 2)), /nothing of ours for «input.messages.1.content: Required»/);
  assert.match(difference(two, two.toReversed()), /is answered by/);
  assert.match(difference(two, [...two, two[0]]), /only ours/);
  assert.match(difference(two, [{ ...two[0], message: "Expected string" }, ...two.slice(1)]), /is answered by/);
  assert.match(difference([], two), /only ours/);

  const [loose, ...rest] = issuesOf({ input: { messages: [] }, usage_output: 7 });
  assert.deepEqual([loose.loose, rest], ["below", []]);
  assert.equal(difference([loose], [{ path: "usage_output", message: "in our words" }]), null);
  assert.match(difference([loose], [{ path: "input", message: "in our words" }]), /is answered by/);

  const parts = issuesOf({ input: { messages: [{ role: "user", content: [{ type: "x" }, { type: "text" }] }] } });
  assert.deepEqual(parts.map(({ path, loose: how }) => [path, how]), [
    ["input.messages.0.content.0.type", "at"],
    ["input.messages.0.content.1.text", undefined],
  ]);
});

test("Zod accepts what the rules call fixed", async () => {
  let accepted = 0;
  for (const { code, invalid, valid } of await explained("juryarena")) {
    const { counts } = await report(invalid);
    // A rule that finds nothing in its example is not about this format.
    if (!(code in counts.by_code)) continue;
    for (const { record, issues } of judge(valid).values()) assert.deepEqual(issues, [], `${code}: ${record}`);
    accepted++;
  }
  assert.ok(accepted > 20, `${accepted} examples`);
});
