// How the module is loaded: `node --test` gives each file a process of its own, and the first test is the first use.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const PACKAGE = new URL("../", import.meta.url);
const WASM = new URL(import.meta.resolve("evalcheck/evalcheck.wasm"));
const BAD = '{"input":{"messages":[{"role":"tool","content":"Hello"}]},"usage_output":null}\n';

/** What a script of its own process writes: each begins with nothing loaded. */
async function script(text) {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", text], { cwd: PACKAGE, timeout: 60_000 });
  return stdout.trim();
}

test("each function loads the module itself", async () => {
  const calls = {
    'check("{}")': "evalcheck/1",
    'fix("{}").then(({ report }) => report)': "evalcheck/1",
    'checkText("{}")': "evalcheck/1",
    'checkInWorker("{}")': "evalcheck/1",
    'formats().then(([format]) => ({ report: typeof format.id }))': "string",
    'explain("json/comment").then(({ code }) => ({ report: code }))': "json/comment",
    'version().then((version) => ({ report: version }))': JSON.parse(await readFile(new URL("package.json", PACKAGE))).version,
  };
  for (const [call, expected] of Object.entries(calls)) {
    const name = call.match(/^\w+/)[0];
    assert.equal(await script(`import { ${name} } from "evalcheck"; console.log((await ${call}).report)`), expected, call);
  }
});

test("calls at the same time load one module", async () => {
  const counted = `
    let count = 0;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (source, imports) => {
      // Node has modules of its own.
      if ("./evalcheck_bg.js" in imports) count += 1;
      return instantiate(source, imports);
    };
    const { check, formats, init } = await import("evalcheck");
    await Promise.all([check("{}"), check("[]"), formats(), init()]);
    await check("{}");
    console.log(count);`;
  assert.equal(await script(counted), "1");
});

test("a load that fails is tried again by the next call", async () => {
  const failing = `
    const { instantiate } = WebAssembly;
    let fails = true;
    WebAssembly.instantiate = (...all) => fails ? Promise.reject(new Error("no memory")) : instantiate(...all);
    const { check } = await import("evalcheck");
    const first = await Promise.allSettled([check("{}"), check("{}")]);
    fails = false;
    const { report } = await check("{}");
    console.log(...first.map(({ reason }) => reason.message), report);`;
  assert.equal(await script(failing), "no memory no memory evalcheck/1");
});

test("init takes the wasm as an address, bytes, a module or a response, here and in the worker", async () => {
  const sources = [
    `new URL(${JSON.stringify(WASM)})`,
    JSON.stringify(WASM),
    `await readFile(new URL(${JSON.stringify(WASM)}))`,
    `new WebAssembly.Module(await readFile(new URL(${JSON.stringify(WASM)})))`,
    `readFile(new URL(${JSON.stringify(WASM)})).then((bytes) => new Response(bytes))`,
  ];
  for (const source of sources) {
    const text = `
      import { readFile } from "node:fs/promises";
      import { check, checkInWorker, init } from "evalcheck";
      await init({ wasm: ${source} });
      console.log((await check("{}")).report, (await checkInWorker("{}")).report);`;
    assert.equal(await script(text), "evalcheck/1 evalcheck/1", source);
  }
});

test("what init cannot use is an error, and the next init may say better", async () => {
  const text = `
    import { check, init } from "evalcheck";
    const wrong = [{ wasm: 5 }, { wasm: new Uint8Array(8) }, { wasm: "file:///no/such.wasm" }, { wasm: "/no/base.wasm" }, { module_or_path: 1 }];
    for (const options of wrong) {
      const [{ status, reason }] = await Promise.allSettled([init(options)]);
      console.log(status, reason.name);
    }
    await init({ wasm: ${JSON.stringify(WASM)} });
    await init({ wasm: "file:///no/such.wasm" });
    console.log((await check("{}")).report);`;
  const names = ["TypeError", "CompileError", "Error", "TypeError", "TypeError"];
  assert.equal(await script(text), [...names.map((name) => `rejected ${name}`), "evalcheck/1"].join("\n"));
});

test("the entry with the wasm inside needs no file", async () => {
  const { check, checkText, init } = await import("evalcheck/inline");
  const other = await import("evalcheck");
  const report = await check(BAD, { fileName: "a.jsonl" });
  assert.deepEqual(report, await other.check(BAD, { fileName: "a.jsonl" }));
  assert.deepEqual(await checkText(BAD, { fileName: "a.jsonl" }), report);
  assert.equal((await init()).version(), await other.version());
});

test("no module but those of Node imports anything of Node, and none imports a package", async () => {
  for (const entry of ["browser.js", "inline.js", "inline-schemas.js", "evalcheck-worker.js"]) {
    const seen = new Set();
    const visit = async (name) => {
      if (seen.has(name)) return;
      seen.add(name);
      const source = await readFile(new URL(`pkg/${name}`, PACKAGE), "utf8");
      for (const [, imported] of source.matchAll(/^(?:import|export)\b[^;"]*?"([^"]+)";$/gm)) {
        if (name.endsWith("-inline.js")) continue;
        assert.match(imported, /^\.\/[\w-]+\.js$/, `${name} imports ${imported}`);
        await visit(imported.slice(2));
      }
    };
    await visit(entry);
    assert.ok(seen.has("engine.js"), entry);
  }
});
