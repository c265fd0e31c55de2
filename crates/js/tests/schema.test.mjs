// The option `schema` in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { check, checkInWorker, checkText, fix, init, version } from "evalcheck";

const PACKAGE = new URL("../", import.meta.url);
const CASES = new URL("../../../tests/cases/", import.meta.url);
const ENGINE = import.meta.resolve("evalcheck/evalcheck.wasm");
const WASM = import.meta.resolve("evalcheck/schema.wasm");

/** A schema whose first line has `level`, and the second line of a dataset, which violates it. */
const SCHEMA = {
  type: "object",
  required: ["question", "level"],
  properties: { question: { type: "string" }, level: { enum: ["easy", "hard"] } },
};
const GOOD = '{"question":"Why?","level":"easy"}\n';
const BAD = '{"question":"Why?","level":"Easy"}\n';
const OPTIONS = { format: "jsonl", schema: SCHEMA };

/** What a script of its own process writes: each begins with nothing loaded. */
async function script(text) {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", text], { cwd: PACKAGE, timeout: 60_000 });
  return stdout.trim();
}

test("records are held against a schema, and a finding says where in both", async () => {
  assert.equal((await check(GOOD, OPTIONS)).valid, true);
  const text = JSON.stringify(SCHEMA, null, 2);
  const report = await check(GOOD + BAD, { ...OPTIONS, schema: { name: "faq.schema.json", text } });
  assert.deepEqual([report.checked, report.valid, report.format.schema], [true, false, "faq.schema.json"]);
  const [{ code, line, column, path, message, related }] = report.findings;
  assert.deepEqual([code, line, column, path], ["schema/enum", 2, 28, "level"]);
  assert.match(message, /Expected 'easy' \| 'hard', received 'Easy'/);
  const [{ label, file, line: inSchema }] = related;
  assert.deepEqual([label, file], ["listed here", "faq.schema.json"]);
  assert.match(text.split("\n")[inSchema - 1], /"enum"/);
});

test("a schema is a text, a file, an object, or a list of these", async () => {
  const text = JSON.stringify(SCHEMA);
  const expected = await check(GOOD + BAD, OPTIONS);
  assert.deepEqual(expected.counts.by_code, { "schema/enum": 1 });
  assert.equal(expected.format.schema, "schema");
  const frozen = Object.freeze({ __proto__: null, ...SCHEMA });
  for (const schema of [text, { text }, { name: "schema", text }, SCHEMA, frozen, [SCHEMA], [text]]) {
    assert.deepEqual(await check(GOOD + BAD, { ...OPTIONS, schema }), expected);
  }
  assert.equal((await check(BAD, { ...OPTIONS, schema: undefined })).valid, true);
});

test("a schema names other files in $ref, by their names or those that they are given", async () => {
  const level = { enum: ["easy", "hard"] };
  const of = (reference) => ({ properties: { level: { $ref: reference } } });
  const lists = [
    [of("schema-2"), level],
    [of("level.json"), { name: "level.json", text: JSON.stringify(level) }],
    [{ name: "schemas/faq.json", text: JSON.stringify(of("level.json")) }, { name: "schemas/level.json", text: JSON.stringify(level) }],
    [of("urn:level"), { $id: "urn:level", ...level }],
  ];
  const files = ["schema-2", "level.json", "schemas/level.json", "schema-2"];
  for (const [index, schema] of lists.entries()) {
    const { findings } = await check(BAD, { ...OPTIONS, schema });
    assert.deepEqual(findings.map(({ code, related }) => [code, related[0].file]), [["schema/enum", files[index]]]);
  }
});

test("reports are those of the command, here and in a worker", async () => {
  const schemas = (await readdir(CASES, { recursive: true })).filter((name) => basename(name) === "schema.json");
  assert.ok(schemas.length > 5);
  for (const path of schemas) {
    const folder = dirname(path);
    const read = (name) => readFile(new URL(`${folder}/${name}`, CASES), "utf8");
    const names = await readdir(new URL(folder, CASES));
    const others = names.filter((name) => name.startsWith("schema-")).sort();
    const schema = await Promise.all(["schema.json", ...others].map(async (name) => ({ name, text: await read(name) })));
    const fileName = names.find((name) => name.startsWith("input."));
    const expected = JSON.parse(await read("expected.json"));
    expected.tool.version = await version();
    const { max_findings_per_code: _, ...report } = expected;
    const { format = dirname(folder), schema_formats: schemaFormats } = names.includes("options.json") ? JSON.parse(await read("options.json")) : {};
    const options = { format, schemaFormats, fileName, schema };
    const text = await read(fileName);
    for (const checked of [check, checkInWorker, checkText]) {
      assert.deepEqual(await checked(text, options), report, `${folder}: ${checked.name}`);
    }
  }
});

test("a schema that cannot be used is a finding, and nothing is checked", async () => {
  for (const schema of ["no JSON", '{"type": 5}', { $ref: "other.json" }, { pattern: "(" }]) {
    for (const checked of [check, checkInWorker, checkText]) {
      const report = await checked(GOOD, { ...OPTIONS, schema });
      assert.deepEqual([report.checked, report.valid], [false, false]);
      assert.deepEqual(report.findings.map(({ code }) => code), ["schema/unusable"]);
    }
  }
});

test("formats of strings are held against them when asked", async () => {
  const schema = { properties: { day: { format: "date" } } };
  const codes = async (options) => (await check('{"day":"30/11/2026"}\n', { format: "jsonl", schema, ...options })).counts.by_code;
  assert.deepEqual(await codes({}), {});
  assert.deepEqual(await codes({ schemaFormats: true }), { "schema/format": 1 });
});

test("safe fixes of a schema are applied", async () => {
  const { blob, fixes, report } = await fix(GOOD + BAD, OPTIONS);
  assert.deepEqual([await blob.text(), fixes, report.valid], [GOOD + GOOD, 1, true]);
  const beside = await fix(GOOD + BAD, { ...OPTIONS, ignore: ["schema"] });
  assert.deepEqual([await beside.blob.text(), beside.fixes], [GOOD + BAD, 0]);
});

test("another schema is another check", async () => {
  const level = (value) => ({ properties: { level: { const: value } } });
  const { checkText } = await init({ schemas: true });
  for (const value of ["easy", "hard", "easy"]) {
    assert.equal(checkText(GOOD, { ...OPTIONS, schema: level(value) }).valid, value === "easy", value);
  }
});

test("what is no schema is a TypeError that says what is", async () => {
  class Model {}
  const expected = "schema: expected the text of a JSON Schema, an object { name, text }, the schema as a plain object, or an array of these, not ";
  const wrong = [
    [5, "number"],
    [null, "null"],
    [true, "boolean"],
    [() => SCHEMA, "function"],
    [[], "an empty array"],
    [[SCHEMA, 5], "number"],
    [[[SCHEMA]], "an array in an array"],
    [new Blob(["{}"]), "Blob"],
    [new File(["{}"], "schema.json"), "File"],
    [Promise.resolve("{}"), "Promise"],
    [new Uint8Array(2), "Uint8Array"],
    [new Map([["type", "object"]]), "Map"],
    [new Model(), "Model"],
    [await import("node:path"), "Module"],
    [{ name: 5, text: "{}" }, "a name that is not a string"],
    ["faq.schema.json", '"faq.schema.json", the name of a file: read it first'],
  ];
  for (const [schema, found] of wrong) {
    for (const checked of [check, checkInWorker, checkText, fix]) {
      await assert.rejects(checked(GOOD, { ...OPTIONS, schema }), { name: "TypeError", message: expected + found });
    }
  }
  const circular = {};
  circular.not = circular;
  await assert.rejects(check(GOOD, { schema: circular }), { name: "TypeError", message: /^schema: .*circular/ });
  for (const [options, message] of [
    [{ ...OPTIONS, schemaFormats: 1 }, "schemaFormats: expected a boolean"],
    [{ ...OPTIONS, Schema: SCHEMA }, "unknown option `Schema`"],
    ["schema", "options: expected an object"],
  ]) {
    for (const checked of [check, checkInWorker]) await assert.rejects(checked(GOOD, options), { name: "TypeError", message });
  }
  await assert.rejects(init({ schemas: "all" }), { name: "TypeError", message: "schemas: expected a boolean" });
});

test("checkText without a promise needs the module before", async () => {
  const text = `
    import { check, init } from "evalcheck";
    const options = ${JSON.stringify(OPTIONS)};
    const { checkText } = await init();
    console.log(checkText(${JSON.stringify(GOOD)}).checked);
    const attempt = (options) => {
      try {
        return checkText(${JSON.stringify(BAD)}, options).counts.by_code["schema/enum"];
      } catch (error) {
        return error.name + ": " + error.message;
      }
    };
    console.log(attempt(options));
    console.log(attempt({ ...options, schema: 5 }).slice(0, 9));
    await init({ schemas: true });
    console.log(attempt(options));`;
  const needs = "Error: the option `schema` of this checkText needs a module that is not loaded: await init({ schemas: true }) before";
  assert.equal(await script(text), ["true", needs, "TypeError", "1"].join("\n"));
  // The first check with a schema loads it as well.
  const after = text.replace("await init({ schemas: true })", 'await check("{}", options)');
  assert.equal(await script(after), ["true", needs, "TypeError", "1"].join("\n"));
});

test("the module is loaded once, with the first check that has a schema", async () => {
  const text = `
    let count = 0;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (source, imports) => {
      if ("./evalcheck-schema_bg.js" in imports) count += 1;
      return instantiate(source, imports);
    };
    const { check, checkText, fix, init } = await import("evalcheck");
    await Promise.all([init(), check("{}"), fix("{}"), checkText("{}"), check("{}", { schemaFormats: true }), check("{}", { schema: undefined })]);
    console.log(count);
    await Promise.all([check("{}", { schema: {} }), fix("{}", { schema: {} }), checkText("{}", { schema: {} }), init({ schemas: true })]);
    await check("{}", { schema: "{}" });
    console.log(count);`;
  assert.equal(await script(text), "0\n1");
});

test("without the option the file of the module is not read, here and in the worker", async () => {
  // `init` is given an address where there is nothing.
  const text = `
    import { check, checkInWorker, checkText, fix, init } from "evalcheck";
    await init({ schemaWasm: "file:///no/schema.wasm" });
    const reports = [await check("{}"), await checkInWorker("{}"), await checkText("{}"), (await fix("{}")).report];
    console.log(...reports.map(({ report }) => report));
    for (const checked of [check, checkInWorker, checkText, fix]) {
      console.log(await checked("{}", { schema: {} }).catch(({ code, message }) => code ?? message));
    }
    await init({ schemaWasm: ${JSON.stringify(WASM)} });
    for (const checked of [check, checkInWorker, checkText]) console.log((await checked("{}", { schema: {} })).format.schema);`;
  const lines = (await script(text)).split("\n");
  assert.equal(lines[0], Array(4).fill("evalcheck/1").join(" "));
  for (const line of lines.slice(1, 5)) assert.match(line, /ENOENT/);
  assert.deepEqual(lines.slice(5), ["schema", "schema", "schema"]);
});

test("init takes the module as an address, bytes, a module or a response, here and in the worker", async () => {
  const bytes = `readFile(new URL(${JSON.stringify(WASM)}))`;
  const sources = [
    `new URL(${JSON.stringify(WASM)})`,
    JSON.stringify(WASM),
    `await ${bytes}`,
    `new WebAssembly.Module(await ${bytes})`,
    `${bytes}.then((bytes) => new Response(bytes))`,
  ];
  for (const source of sources) {
    const text = `
      import { readFile } from "node:fs/promises";
      import { check, checkInWorker, init } from "evalcheck";
      await init({ wasm: ${JSON.stringify(ENGINE)}, schemaWasm: ${source} });
      for (const checked of [check, checkInWorker]) console.log((await checked("{}", { schema: {} })).format.schema);`;
    assert.equal(await script(text), "schema\nschema", source);
  }
  const wrong = `
    import { check, init } from "evalcheck";
    console.log(await init({ schemaWasm: 5 }).catch(({ name }) => name));
    await init({ schemaWasm: ${JSON.stringify(WASM)} });
    console.log((await check("{}", { schema: {} })).format.schema);`;
  assert.equal(await script(wrong), "TypeError\nschema");
});

test("the entry with the wasm inside says what to do for a schema, the other one holds the module", async () => {
  const inline = await import("evalcheck/inline");
  const message = /^evalcheck\/inline holds no module for the option `schema`: import "evalcheck\/inline-schemas" instead, or .* init\(\{ schemaWasm \}\)/;
  assert.equal((await inline.check(BAD, { format: "jsonl" })).valid, true);
  await assert.rejects(inline.check(BAD, OPTIONS), { name: "Error", message });
  const expected = await check(BAD, OPTIONS);
  const { check: checkInline, checkText: checkTextInline } = await import("evalcheck/inline-schemas");
  assert.deepEqual(await checkInline(BAD, OPTIONS), expected);
  assert.deepEqual(await checkTextInline(BAD, OPTIONS), expected);
  const given = `
    import { readFile } from "node:fs/promises";
    import { check, init } from "evalcheck/inline";
    await init({ schemaWasm: await readFile(new URL(${JSON.stringify(WASM)})) });
    console.log((await check("{}", { schema: {} })).format.schema);`;
  assert.equal(await script(given), "schema");
});
