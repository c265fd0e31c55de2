// The built package as Node sees it: `npm test` in crates/js builds it and runs this.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { check, fix, init } from "evalcheck";

const { checkText, explain, formats, version } = await init();

const GOOD = '{"input":{"messages":[{"role":"user","content":"Grüße 🎉"}]},"usage_output":null}\n';
const BAD = '{"input":{"messages":[{"role":"tool","content":"Hello"}]},"usage_output":null}\n';

test("the name of a file is no dataset", async () => {
  const name = /^TypeError: "data\/samples\.jsonl" is the name of a file, .* openAsBlob\("data\/samples\.jsonl"\)/;
  await assert.rejects(check("data/samples.jsonl"), (error) => name.test(String(error)));
  await assert.rejects(fix("samples.ZIP"), TypeError);
  for (const text of ["prompt\nanswer in a.csv", '{"file":"a.json"}', "prompt,a.csv", "Hello."]) await check(text);
});

test("a string, bytes, a blob and a file give the same report", async () => {
  const text = GOOD + BAD;
  const bytes = new TextEncoder().encode(text);
  const expected = checkText(text, { fileName: "a.jsonl" });
  assert.equal(expected.report, "evalcheck/1");
  assert.equal(expected.valid, false);
  assert.equal(expected.checked, true);
  assert.deepEqual([expected.counts.valid, expected.counts.invalid], [1, 1]);
  assert.equal(expected.findings[0].line, 2);
  assert.equal(expected.findings[0].path, "input.messages.0.role");
  assert.match(expected.findings[0].message, /^Invalid enum value\. Expected 'system' \| 'user' \| 'assistant', received 'tool'/);

  // A view into the middle of a buffer is only that part of it.
  const padded = new Uint8Array(bytes.length + 2);
  padded.set(bytes, 1);
  const datasets = [text, bytes, bytes.buffer, padded.subarray(1, -1), new Blob([bytes])];
  for (const dataset of datasets) {
    assert.deepEqual(await check(dataset, { fileName: "a.jsonl" }), expected);
  }
  assert.deepEqual(await check(new File([bytes], "a.jsonl")), expected);
});

test("a dataset of many chunks is checked like one of few", async () => {
  const text = (GOOD.repeat(999) + BAD).repeat(60);
  assert.ok(text.length > 4 << 20);
  const calls = [];
  const report = await check(new Blob([text]), { onProgress: (progress) => calls.push(progress) });
  assert.deepEqual(report, checkText(text));
  assert.equal(report.counts.by_code["shape/invalid-enum-value"], 60);
  assert.equal(report.findings.filter(({ line }) => line !== null && line % 1000 === 0).length, 60);
  const last = calls.at(-1);
  assert.deepEqual([last.bytes, last.total_bytes, last.records], [report.file.size, report.file.size, 60_000]);
  assert.ok(calls.every((call, index) => index === 0 || call.bytes >= calls[index - 1].bytes));
});

test("the built-in examples are what they say, an archive among them", async () => {
  for (const { id: format, is_detected: isDetected, examples } of formats()) {
    for (const { id, file_name: fileName, content } of examples) {
      const dataset = content.text ?? new Uint8Array(content.bytes);
      const report = await check(dataset, { fileName, ...(!isDetected && { format }) });
      assert.equal(report.valid, !id.startsWith("broken"), fileName);
      assert.equal(report.checked, true, fileName);
    }
  }
});

test("findings are capped when asked, and counts stay exact", () => {
  const report = checkText(BAD.repeat(10), { format: "juryarena", maxFindingsPerCode: 2 });
  assert.equal(report.findings.length, 2);
  assert.equal(report.counts.errors, 10);
  assert.equal(report.truncated, true);
  assert.equal(report.max_findings_per_code, 2);
});

test("options of a format change its rules", () => {
  const text = `\ufeff${JSON.stringify({ messages: [{ role: "user", content: "Hi" }, { role: "assistant", content: "Hello" }] })}\n`;
  const severity = (options) => {
    const { findings, format } = checkText(text, { format: "openai-finetune", ...options });
    return [format.options, findings.find(({ code }) => code.includes("byte-order-mark")).severity];
  };
  assert.deepEqual(severity({}), [undefined, "error"]);
  assert.deepEqual(severity({ formatOptions: ["azure"] }), [["azure"], "warning"]);
});

test("statistics are counted when asked", async () => {
  const text = GOOD + BAD + GOOD;
  const { overview, ...report } = checkText(text, { overview: true });
  assert.deepEqual(report, checkText(text));
  assert.deepEqual([overview.records, overview.valid, overview.invalid, overview.duplicates], [3, 2, 1, 1]);
  const roles = overview.facts.find(({ name }) => name === "role");
  assert.deepEqual(roles.distribution.categories, {
    values: [{ value: "user", count: 2 }, { value: "tool", count: 1 }],
    others: 0,
  });
  assert.deepEqual((await check(text, { overview: true })).overview, overview);
});

test("of findings that follow from one mistake of the header the first is listed, or all", () => {
  const header = '{"total_samples":2,"sample_type":"text","samples_per_line":2,"hidden_metadata":[]}\n';
  const lines = ["a", "b"].map((id) => `[{"type":"text","id":"${id}","text":"One."}]\n`);
  const text = header + lines.join("");
  const report = checkText(text, { format: "quest", fileName: "two.jsonl" });
  assert.equal(report.findings.length, 1);
  assert.equal(report.counts.errors, 2);
  assert.equal(report.truncated, true);
  const all = checkText(text, { format: "quest", fileName: "two.jsonl", all: true });
  assert.deepEqual(all.findings.map(({ line }) => line), [2, 3]);
  assert.equal(all.truncated, false);
});

test("a signal ends the check with its reason", async () => {
  const reason = new Error("enough");
  await assert.rejects(check(GOOD, { signal: AbortSignal.abort(reason) }), reason);

  const controller = new AbortController();
  const blob = new Blob([GOOD.repeat(60_000)]);
  let calls = 0;
  const running = check(blob, {
    signal: controller.signal,
    onProgress: () => {
      calls += 1;
      controller.abort(reason);
    },
  });
  await assert.rejects(running, reason);
  assert.equal(calls, 1);
});

test("what onProgress throws ends the check", async () => {
  const reason = new Error("no");
  await assert.rejects(check(GOOD, { onProgress: () => { throw reason; } }), reason);
});

test("a blob that cannot be read is not checked, and never valid", async () => {
  class Broken extends Blob {
    slice() {
      return { stream: () => new ReadableStream({ pull: (controller) => controller.error(new DOMException("gone", "NotReadableError")) }) };
    }
  }
  const report = await check(new Broken([GOOD]));
  assert.equal(report.checked, false);
  assert.equal(report.valid, false);
  assert.match(report.findings.map((finding) => finding.message).join("\n"), /changed, moved or deleted/);
});

test("a blob that is shorter than it says is not checked, and never valid", async () => {
  class Shrunk extends Blob {
    slice() {
      return new Blob([GOOD.slice(0, 10)]);
    }
  }
  const report = await check(new Shrunk([GOOD.repeat(3)]), { format: "juryarena" });
  assert.equal(report.checked, false);
  assert.equal(report.valid, false);
});

test("a file that is another one at the end is not checked, and never valid", async () => {
  let reads = 0;
  class Changed extends Blob {
    slice(from, to) {
      reads += 1;
      const part = super.slice(from, to);
      if (to - from > 1) return part;
      return { arrayBuffer: () => Promise.reject(new DOMException("changed", "NotReadableError")) };
    }
  }
  const report = await check(new Changed([GOOD.repeat(3)]));
  assert.ok(reads > 1);
  assert.equal(report.checked, false);
  assert.equal(report.valid, false);
});

test("browsers without byte streams are served too", async () => {
  class Plain extends Blob {
    slice(...range) {
      const part = super.slice(...range);
      return {
        arrayBuffer: () => part.arrayBuffer(),
        stream: () => new ReadableStream({
          async start(controller) {
            const bytes = new Uint8Array(await part.arrayBuffer());
            for (let at = 0; at < bytes.length; at += 1000) controller.enqueue(bytes.slice(at, at + 1000));
            controller.close();
          },
        }),
      };
    }
  }
  const text = GOOD.repeat(100) + BAD;
  assert.deepEqual(await check(new Plain([text])), checkText(text));
});

test("a wrong argument is a TypeError that names it", async () => {
  for (const dataset of [null, undefined, 5, {}, [GOOD]]) {
    await assert.rejects(check(dataset), TypeError, String(dataset));
  }
  const wrong = [
    [{ format: "nonsense" }, /format: expected one of .*juryarena/],
    [{ maxFindingsPerCode: -1 }, /maxFindingsPerCode/],
    [{ maxFindingsPerCode: "5" }, /maxFindingsPerCode/],
    [{ all: 1 }, /all: expected a boolean/],
    [{ all: true, maxFindingsPerCode: 5 }, /all: cannot be used with maxFindingsPerCode/],
    [{ overview: 1 }, /overview: expected a boolean/],
    [{ maxFindings: 5 }, /unknown option `maxFindings`/],
    [{ onProgress: 1 }, /onProgress/],
    [{ signal: {} }, /signal/],
    ["juryarena", /options/],
  ];
  for (const [options, message] of wrong) {
    await assert.rejects(check(GOOD, options), { name: "TypeError", message });
  }
  // What is undefined is not there.
  assert.equal((await check(GOOD, { format: undefined, signal: undefined })).valid, true);
});

test("formats, rules and the version are told", async () => {
  const juryarena = formats().find((format) => format.id === "juryarena");
  assert.equal(juryarena.system, "JuryArena");
  assert.ok(juryarena.examples.length > 0);
  assert.equal(explain("shape/missing-key").severity, "error");
  assert.equal(explain("no/such-rule"), undefined);
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url)));
  assert.equal(version(), manifest.version);
});

test("fixes are applied until there are none", async () => {
  const good = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';
  const broken = [good.replaceAll('"', "'").replace("null", "None"), `${good},`, good.replace("user", "human"), good].join("\n");
  const { blob, fixes, report } = await fix(broken, { format: "juryarena" });
  assert.equal(fixes, 2);
  assert.equal(await blob.text(), [good, good, good.replace("user", "human"), good].join("\n"));
  assert.equal(report.counts.errors, 1);

  const all = await fix(new Blob([broken]), { format: "juryarena", unsafe: true });
  assert.equal(await all.blob.text(), Array(4).fill(good).join("\n"));
  assert.equal(all.report.valid, true);

  const none = await fix(broken, { format: "juryarena", ignore: ["json"] });
  assert.equal(none.fixes, 0);
  await assert.rejects(fix(broken, { select: "json" }), /select: expected an array of strings/);
});

test("a ZIP is fixed: entries are moved, and a dataset is changed and packed again", async () => {
  const zip = (name) => readFile(new URL(`../../../tests/cases/${name}/input.zip`, import.meta.url));
  const options = { format: "juryarena", fileName: "input.zip" };
  const moved = await fix(await zip("juryarena/attachments-at-the-root"), options);
  assert.deepEqual([moved.fixes, moved.report.valid], [3, true]);
  const again = await check(moved.blob, options);
  assert.deepEqual(again, moved.report);

  const data = await zip("auto/inspect-ai-in-a-zip");
  const { blob, report } = await fix(data, { ...options, unsafe: true });
  assert.deepEqual([report.valid, report.file.entry, report.counts.errors], [true, "samples.jsonl", 0]);
  assert.deepEqual(await check(blob, options), report);
  assert.equal((await fix(blob, { ...options, unsafe: true })).fixes, 0);
});
