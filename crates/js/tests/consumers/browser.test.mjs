// The built modules in Chromium: what pages of the projects do not show, because it fails or is ended.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { startBrowser } from "./support/page.mjs";
import { serve } from "./support/serve.mjs";

const skip = process.env.EVALCHECK_CHROMIUM ? false : "there is no browser";
const GOOD = '{"input":{"messages":[{"role":"user","content":"Hello"}]},"usage_output":null}\n';

let browser;
let site;

before(async () => {
  if (skip) return;
  browser = await startBrowser();
  site = await serve(new URL("../../pkg/", import.meta.url));
});

after(async () => {
  await browser?.close();
  await site?.close();
});

/** A page without anything on it, whose requests for some files fail at first. */
async function emptyPage(...failing) {
  const page = await browser.newPage();
  await page.route("**/empty.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Empty</title>" }));
  for (const name of failing) {
    await page.route(`**/${name}`, (route) => route.fulfill({ status: 404 }), { times: 1 });
  }
  await page.goto(`${site.url}empty.html`);
  return page;
}

test("a worker tells progress, and ends a check by a signal and by what onProgress throws", { skip }, async () => {
  const page = await emptyPage();
  const told = await page.evaluate(async (good) => {
    const { checkInWorker } = await import("./browser.js");
    const outcome = (promise) => promise.then((report) => report.valid, (error) => `${error.name}: ${error.message}`);
    const file = new File([good.repeat(20_000)], "a.jsonl");
    const calls = [];
    const report = await checkInWorker(file, { onProgress: (progress) => calls.push(progress) });
    const controller = new AbortController();
    const aborted = { signal: controller.signal, onProgress: () => controller.abort(new RangeError("enough")) };
    const throwing = { onProgress: () => { throw new EvalError("no"); } };
    return {
      name: report.file.name,
      size: report.file.size,
      last: calls.at(-1).bytes,
      ends: await Promise.all([
        outcome(checkInWorker(file, aborted)),
        outcome(checkInWorker(file, throwing)),
        outcome(checkInWorker(file, { signal: AbortSignal.abort(new RangeError("before")) })),
        outcome(checkInWorker(file)),
      ]),
    };
  }, GOOD);
  const size = GOOD.length * 20_000;
  const ends = ["RangeError: enough", "EvalError: no", "RangeError: before", true];
  assert.deepEqual(told, { name: "a.jsonl", size, last: size, ends });
  await page.close();
});

test("errors of a worker keep their type and message", { skip }, async () => {
  const page = await emptyPage();
  const [here, inWorker] = await page.evaluate(async () => {
    const { check, checkInWorker } = await import("./browser.js");
    const wrong = [[5], ["{}", { format: "none" }], ["{}", { onprogress() {} }], ["{}", { signal: {} }], ["{}", 5]];
    const errors = (check) =>
      Promise.all(wrong.map((all) => check(...all).then(() => "none", (error) => `${error instanceof TypeError} ${error.message}`)));
    return [await errors(check), await errors(checkInWorker)];
  });
  assert.deepEqual(inWorker, here);
  assert.ok(here.every((error) => error.startsWith("true ")), here.join("\n"));
  await page.close();
});

test("a load that fails is tried again: of the wasm, of the worker, and of the wasm in the worker", { skip }, async () => {
  const calls = async (page, name, options) =>
    page.evaluate(async ([name, options]) => {
      const functions = await import("./browser.js");
      const call = () => functions[name]("{}", options).then(({ report }) => report, (error) => error.message);
      return [await call(), await call()];
    }, [name, options]);
  const cases = [
    ["evalcheck.wasm", "check", /cannot load its wasm from .*evalcheck\.wasm: status 404/],
    ["evalcheck.wasm", "checkInWorker", /cannot load its wasm from .*evalcheck\.wasm: status 404/],
    ["schema.wasm", "check", /cannot load its wasm from .*schema\.wasm: status 404/, { schema: {} }],
    ["schema.wasm", "checkInWorker", /cannot load its wasm from .*schema\.wasm: status 404/, { schema: {} }],
    ["evalcheck-worker.js", "checkInWorker", /worker of evalcheck failed: its script cannot be loaded/],
  ];
  for (const [failing, name, message, options] of cases) {
    const page = await emptyPage(failing);
    const [first, second] = await calls(page, name, options);
    assert.match(first, message);
    assert.equal(second, "evalcheck/1", `${failing}, ${name}`);
    await page.close();
  }
});

test("the module of schemas is requested by the first check that has one, here and in a worker", { skip }, async () => {
  const page = await emptyPage();
  const requested = [];
  page.context().on("request", (request) => requested.push(new URL(request.url()).pathname.split("/").at(-1)));
  const told = async (entry, options) =>
    page.evaluate(async ([entry, good, options]) => {
      const { check, checkInWorker = check, checkText, fix } = await import(entry);
      const found = [await check(good, options), await checkInWorker(good, options), await checkText(good, options), (await fix(good, options)).report];
      return found.map(({ counts }) => counts.errors);
    }, [entry, GOOD, options]);
  const schema = { properties: { input: { required: ["id"] } } };
  assert.deepEqual(await told("./browser.js"), [0, 0, 0, 0]);
  assert.ok(requested.includes("evalcheck.wasm"));
  assert.ok(!requested.includes("schema.wasm"));
  assert.deepEqual(await told("./browser.js", { schema }), [1, 1, 1, 1]);
  assert.equal(requested.filter((name) => name === "schema.wasm").length, 2);
  requested.length = 0;
  assert.deepEqual(await told("./inline-schemas.js", { schema }), [1, 1, 1, 1]);
  assert.ok(requested.includes("schema-inline.js") && !requested.some((name) => name.endsWith(".wasm")), requested.join(" "));
  await page.close();
});

test("a worker is ended, and the next check starts another one", { skip }, async () => {
  const page = await emptyPage();
  const workers = [];
  page.on("worker", (worker) => workers.push(worker));
  const told = await page.evaluate(async (good) => {
    const { checkInWorker, terminateWorker } = await import("./browser.js");
    const running = checkInWorker(new Blob([good.repeat(100_000)]), { onProgress: terminateWorker });
    const ended = await running.catch((error) => error.name);
    return [ended, (await checkInWorker(good)).valid];
  }, GOOD);
  assert.deepEqual(told, ["AbortError", true]);
  assert.equal(workers.length, 2);
  assert.equal(page.workers().length, 1);
  await page.close();
});
