// `checkInWorker` in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { openAsBlob } from "node:fs";
import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";

import { check, checkInWorker, init, terminateWorker } from "evalcheck";

const GOOD = '{"input":{"messages":[{"role":"user","content":"Grüße 🎉"}]},"usage_output":null}\n';
const BAD = '{"input":{"messages":[{"role":"tool","content":"Hello"}]},"usage_output":null}\n';
const CASES = new URL("../../../tests/cases/", import.meta.url);

const folder = await mkdtemp(join(tmpdir(), "evalcheck-worker-"));
after(() => rm(folder, { recursive: true }));

test("a worker reports what a check here reports, of every kind of dataset", async () => {
  const bytes = new TextEncoder().encode(GOOD + BAD);
  const path = join(folder, "a.jsonl");
  await writeFile(path, bytes);
  const datasets = [GOOD + BAD, bytes, bytes.buffer, new DataView(bytes.buffer), new Blob([bytes]), new File([bytes], "a.jsonl"), await openAsBlob(path)];
  for (const dataset of datasets) {
    for (const options of [undefined, { fileName: "b.jsonl", overview: true }]) {
      assert.deepEqual(await checkInWorker(dataset, options), await check(dataset, options));
    }
  }
});

test("files are read in the thread that has them: ZIPs, and many chunks", async () => {
  const zips = (await readdir(CASES, { recursive: true })).filter((name) => name.endsWith("input.zip"));
  assert.ok(zips.length > 5);
  for (const name of zips) {
    const blob = await openAsBlob(new URL(name, CASES));
    assert.deepEqual(await checkInWorker(blob), await check(blob), name);
  }
  const path = join(folder, "long.jsonl");
  await writeFile(path, (GOOD.repeat(999) + BAD).repeat(40));
  const blob = await openAsBlob(path);
  assert.deepEqual(await checkInWorker(blob), await check(blob));
});

test("progress is told, in order and to the end", async () => {
  const text = GOOD.repeat(40_000);
  const calls = [];
  const report = await checkInWorker(text, { onProgress: (progress) => calls.push(progress) });
  assert.ok(calls.length > 1);
  assert.ok(calls.every((call, index) => index === 0 || call.bytes >= calls[index - 1].bytes));
  assert.equal(calls.at(-1).bytes, report.file.size);
});

test("checks at the same time get their own answers", async () => {
  const texts = [GOOD, BAD, GOOD + BAD, GOOD.repeat(5000), BAD.repeat(50)];
  assert.deepEqual(await Promise.all(texts.map((text) => checkInWorker(text))), await Promise.all(texts.map((text) => check(text))));
});

test("a signal ends a check with its reason, and the worker checks on", async () => {
  const reason = new Error("enough");
  await assert.rejects(checkInWorker(GOOD, { signal: AbortSignal.abort(reason) }), reason);
  const controller = new AbortController();
  let calls = 0;
  const running = checkInWorker(GOOD.repeat(200_000), {
    signal: controller.signal,
    onProgress: () => {
      calls += 1;
      controller.abort(reason);
    },
  });
  await assert.rejects(running, reason);
  assert.equal((await checkInWorker(GOOD)).valid, true);
  assert.equal(calls, 1);
});

test("what onProgress throws ends the check", async () => {
  const reason = new RangeError("no");
  await assert.rejects(checkInWorker(GOOD, { onProgress: () => { throw reason; } }), reason);
});

test("errors are of the type and the message that check gives", async () => {
  const wrong = [
    [null],
    [5],
    [[GOOD]],
    [new (class Dataset {})()],
    [GOOD, "juryarena"],
    [GOOD, 5],
    [GOOD, { format: "nonsense" }],
    [GOOD, { onProgress: 1 }],
    [GOOD, { onprogress: () => {} }],
    [GOOD, { signal: {} }],
    [GOOD, { all: true, maxFindingsPerCode: 5 }],
  ];
  for (const all of wrong) {
    const expected = await check(...all).then(() => assert.fail("not wrong"), (error) => error);
    await assert.rejects(checkInWorker(...all), { name: "TypeError", message: expected.message });
  }
  for (const options of [null, {}, { format: undefined, signal: undefined, onProgress: undefined }]) {
    assert.equal((await checkInWorker(GOOD, options)).valid, true);
  }
});

test("a file that becomes shorter or vanishes is not checked, and never valid", async () => {
  const path = join(folder, "shrinking.jsonl");
  for (const spoil of [() => truncate(path, 10), () => rm(path)]) {
    await writeFile(path, GOOD.repeat(3));
    const blob = await openAsBlob(path);
    await spoil();
    const report = await checkInWorker(blob);
    assert.deepEqual([report.checked, report.valid], [false, false]);
    assert.deepEqual(report, await check(blob));
  }
});

test("the worker is ended, and the next check starts another one", async () => {
  const running = checkInWorker(GOOD.repeat(100_000));
  // What it needs before it is posted.
  await new Promise(setImmediate);
  terminateWorker();
  await assert.rejects(running, { name: "AbortError" });
  terminateWorker();
  assert.equal((await checkInWorker(GOOD)).valid, true);
});

test("a worker that fails rejects its checks; a trap keeps its type, and ends the worker", async () => {
  const started = [];
  const scripts = [
    "throw new Error('no start')",
    "process.exit(3)",
    "parentPort.on('message', ({ id }) => parentPort.postMessage({ id, error: new Error('unreachable'), kind: 'RuntimeError' }))",
  ];
  terminateWorker();
  await init({
    worker: () => {
      const script = scripts[started.length];
      const worker = script
        ? new Worker(`const { parentPort } = require("node:worker_threads"); ${script}`, { eval: true })
        : new Worker(new URL(import.meta.resolve("evalcheck/worker")));
      started.push(worker);
      return worker;
    },
  });
  await assert.rejects(checkInWorker(GOOD), { name: "Error", message: /worker of evalcheck failed: no start/ });
  await assert.rejects(checkInWorker(GOOD), { name: "Error", message: /worker of evalcheck failed: it ended with 3/ });
  await assert.rejects(checkInWorker(GOOD), { name: "RuntimeError", message: "unreachable" });
  assert.equal((await checkInWorker(GOOD)).valid, true);
  assert.equal(started.length, 4);
});

test("an idle worker does not keep the process alive, one that checks does", async () => {
  const text = `
    import { checkInWorker } from "evalcheck";
    await checkInWorker("{}");
    checkInWorker("{}").then(({ report }) => console.log(report));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", text], {
    cwd: new URL("../", import.meta.url),
    timeout: 60_000,
  });
  assert.equal(stdout, "evalcheck/1\n");
});
