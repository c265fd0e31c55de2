// The GitHub Action, as a runner runs it. Its script installs the command from the release that is served.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";

import { parse } from "yaml";

import { FOLDER, RELEASE, ROOT, STEM, run } from "./release.js";
import { ACTION, BAD, GOOD, STEP, SYSTEM, act, workspace } from "./runner.js";

/** The lines that a runner follows: those of the command are between `::stop-commands::` and its token. */
function commands({ stdout, stderr }) {
  const found = [];
  let token;
  for (const line of (stdout + stderr).split(/\r\n|\r|\n/)) {
    if (token !== undefined) {
      if (line === `::${token}::`) token = undefined;
    } else if (line.startsWith("::stop-commands::")) {
      token = line.slice("::stop-commands::".length);
    } else if (line.startsWith("::") || line.startsWith("##[")) {
      found.push(line);
    }
  }
  return found;
}

test("the action is composite, and every input and output is used", () => {
  assert.equal(ACTION.runs.using, "composite");
  assert.doesNotMatch(STEP.run, /\$\{\{/);
  const used = Object.values(STEP.env).flatMap((text) => [...text.matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name));
  assert.deepEqual(used.sort(), Object.keys(ACTION.inputs).sort());
  assert.deepEqual(Object.keys(ACTION.outputs), ["valid", "errors", "report", "sarif"]);
});

test("a valid dataset passes, with a summary, SARIF and a report", async (t) => {
  const done = await act(workspace(t, { "data/good.jsonl": GOOD }));
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual([done.outputs.valid, done.outputs.errors], ["true", "0"]);
  assert.match(done.summary, /good\.jsonl: valid/);
  const report = readFileSync(done.outputs.report, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(report.map((line) => line.report?.valid), [true]);
  assert.equal(JSON.parse(readFileSync(done.outputs.sarif, "utf8")).version, "2.1.0");
});

test("the version is that of the action", async (t) => {
  const folder = workspace(t, { "good.jsonl": GOOD });
  await act(folder);
  assert.deepEqual(readdirSync(join(folder, "temp", `evalcheck-${RELEASE.version}`)).sort(), [STEM, `${STEM}.tar.gz`, "SHA256SUMS"].sort());
});

test("errors fail the step after the outputs are written", async (t) => {
  const folder = workspace(t, { "data/good.jsonl": GOOD, "data/in/bad.jsonl": BAD + GOOD + BAD, "data/in/worse.jsonl": BAD });
  const done = await act(folder, { "sarif-file": "out/report.sarif" });
  assert.equal(done.status, 1, done.stderr);
  assert.deepEqual([done.outputs.valid, done.outputs.errors, done.outputs.sarif], ["false", "3", "out/report.sarif"]);
  assert.equal(JSON.parse(readFileSync(join(folder, "work", "out/report.sarif"), "utf8")).runs[0].results.length, 3);
  assert.match(done.summary, /shape\/invalid-enum-value/);
  const found = commands(done);
  assert.ok(found.length > 0 && found.every((line) => /^::error file=data\/in\/(bad|worse)\.jsonl,line=\d+,/.test(line)), found.join("\n"));
});

test("findings do not fail the step where that is not wanted", async (t) => {
  const done = await act(workspace(t, { "bad.jsonl": BAD }), { fail: "false" });
  assert.deepEqual([done.status, done.outputs.valid, done.outputs.errors], [0, "false", "1"]);
});

test("a file that cannot be checked always fails the step", async (t) => {
  const done = await act(workspace(t, { "good.jsonl": GOOD }), { files: "good.jsonl\nmissing.jsonl", fail: "false" });
  assert.deepEqual([done.status, done.outputs.valid, done.outputs.errors], [3, "false", "0"]);
});

test("inputs are arguments, each as it is", async (t) => {
  const folder = workspace(t, { "a b.jsonl": BAD, "-c.jsonl": BAD, "$(touch x).jsonl": BAD, "other.jsonl": BAD });
  const files = "a b.jsonl\n\n-c.jsonl\n$(touch x).jsonl\n";
  const done = await act(folder, { files, format: "juryarena", select: "shape", args: "--max-findings\n5\n", strict: "true", "fail-on": "loss" });
  assert.deepEqual([done.status, done.outputs.errors], [1, "3"], done.stderr);
  assert.deepEqual(readdirSync(join(folder, "work")).sort(), ["$(touch x).jsonl", "-c.jsonl", "a b.jsonl", "other.jsonl"].sort());
  const none = await act(folder, { files, ignore: "shape" });
  assert.deepEqual([none.status, none.outputs.valid, none.outputs.errors], [0, "false", "3"], none.stderr);
  const wrong = await act(folder, { files, format: "nosuch" });
  assert.deepEqual([wrong.status, wrong.outputs.valid], [2, "false"]);
});

test("records are held against a schema", async (t) => {
  const schema = JSON.stringify({ required: ["answer"], properties: { answer: { $ref: "common.json#/text" } } });
  const common = JSON.stringify({ text: { type: "string" } });
  const files = { "good.jsonl": '{"answer": "a"}\n', "bad.jsonl": '{"answer": 1}\n', "in/faq.json": schema, "in/common.json": common };
  const folder = workspace(t, files);
  const statuses = [];
  for (const file of ["good.jsonl", "bad.jsonl"]) {
    const done = await act(folder, { files: file, schema: "in/faq.json\nin/common.json" });
    statuses.push([done.status, done.outputs.valid, done.outputs.errors]);
  }
  assert.deepEqual(statuses, [[0, "true", "0"], [1, "false", "1"]]);
});

test("configuration, baseline and patterns are those of the command", async (t) => {
  const folder = workspace(t, { "in/a/bad.jsonl": BAD, "in/b/bad.txt": "", "rules.toml": 'ignore = ["shape"]\n' });
  const files = "**/*.jsonl";
  const written = await run(RELEASE.command, ["in", "--baseline", "known.json", "--write-baseline"], { cwd: join(folder, "work") });
  assert.equal(written.status, 0, written.stderr);
  const place = { files, "working-directory": "in" };
  const statuses = [];
  for (const inputs of [{}, { config: "../rules.toml" }, { baseline: "../known.json" }]) {
    const done = await act(folder, { ...place, ...inputs });
    statuses.push([done.status, done.outputs.errors]);
  }
  assert.deepEqual(statuses, [[1, "1"], [0, "1"], [0, "1"]]);
});

test("paths are relative to the working directory, places to the workspace", async (t) => {
  const folder = workspace(t, { "packages/one/bad.jsonl": BAD });
  const all = await act(folder, { "working-directory": "packages" });
  assert.match(commands(all)[0], /^::error file=packages\/one\/bad\.jsonl,/);
  const done = await act(folder, { files: "bad.jsonl", "working-directory": "packages/one/", "sarif-file": "r.sarif" });
  assert.deepEqual([done.status, done.outputs.sarif], [1, "packages/one/r.sarif"]);
  assert.match(commands(done)[0], /^::error file=packages\/one\/bad\.jsonl,/);
  const sarif = JSON.parse(readFileSync(join(folder, "work/packages/one/r.sarif"), "utf8"));
  assert.equal(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri, "packages/one/bad.jsonl");
});

test("nothing that a dataset, a file name or an input says acts", async (t) => {
  const attack = "\n::error::owned\r::set-output name=x::y\n##[error]owned\nvalid<<E\ntrue\nE\n";
  const said = JSON.stringify({ input: { messages: [{ role: `::error::owned${attack}`, content: attack }] }, usage_output: null });
  const folder = workspace(t, { [`data/${attack.replaceAll("/", "")}.jsonl`]: `${said}\n::error::owned\n##[error]owned\n` });
  const done = await act(folder, { files: "data", "sarif-file": `out${attack}.sarif` });
  assert.equal(done.status, 1, done.stderr);
  assert.deepEqual([done.outputs.valid, done.outputs.sarif], ["false", `out${attack}.sarif`]);
  const found = commands(done);
  assert.ok(found.length > 0 && found.every((line) => /^::error file=data\//.test(line)), found.join("\n"));
  assert.doesNotMatch(done.summary, /^(::|##\[)/m);
  const wrong = await act(folder, { version: attack });
  assert.deepEqual([wrong.status, commands(wrong).length], [2, 1], wrong.stderr);
});

test("a second step uses what the first has installed", async (t) => {
  const folder = workspace(t, { "good.jsonl": GOOD });
  assert.equal((await act(folder)).status, 0);
  const done = await act(folder, { "base-url": `${RELEASE.url}/nowhere` });
  assert.deepEqual([done.status, done.outputs.valid], [0, "true"]);
});

/** A release that somebody has changed, beside the one that is served. */
function changed(name, change) {
  const folder = join(RELEASE.releases, name, `v${RELEASE.version}`);
  cpSync(FOLDER, folder, { recursive: true });
  change(folder);
  return { "base-url": `${RELEASE.url}/${name}/` };
}

test("an archive with another checksum is not unpacked", async (t) => {
  const folder = workspace(t, { "good.jsonl": GOOD });
  const inputs = changed("tampered", (release) => writeFileSync(join(release, `${STEM}.tar.gz`), "other"));
  const done = await act(folder, inputs);
  assert.deepEqual([done.status, done.outputs], [2, {}]);
  assert.match(commands(done).join("\n"), /^::error title=evalcheck::The checksum of .* Nothing was unpacked\.$/);
  assert.ok(!existsSync(join(folder, "temp", `evalcheck-${RELEASE.version}`, STEM)));
});

test("an archive without a checksum is not unpacked", async (t) => {
  const folder = workspace(t, { "good.jsonl": GOOD });
  const inputs = changed("unnamed", (release) => writeFileSync(join(release, "SHA256SUMS"), `${"0".repeat(64)}  other.tar.gz\n`));
  const done = await act(folder, inputs);
  assert.equal(done.status, 2);
  assert.match(commands(done).join("\n"), /SHA256SUMS of the release does not name evalcheck-/);
  assert.ok(!existsSync(join(folder, "temp", `evalcheck-${RELEASE.version}`, STEM)));
});

test("each runner gets an archive that the workflow of a release builds", async (t) => {
  const workflow = parse(readFileSync(join(ROOT, ".github", "workflows", "release.yml"), "utf8"));
  const built = workflow.jobs.build.strategy.matrix.include.map(({ target }) => target);
  assert.equal(built.length, 8);
  for (const RUNNER_OS of ["Linux", "macOS", "Windows"]) {
    for (const RUNNER_ARCH of ["X64", "ARM64"]) {
      // The release that is served has the archive of this machine only.
      if (RUNNER_OS === SYSTEM.RUNNER_OS && RUNNER_ARCH === SYSTEM.RUNNER_ARCH) continue;
      const done = await act(workspace(t, { "good.jsonl": GOOD }), {}, { RUNNER_OS, RUNNER_ARCH });
      const [, target, ending] = /Cannot download .*\/evalcheck-\d+\.\d+\.\d+-(\w+-.*?)(\.tar\.gz|\.zip)\.$/.exec(commands(done)[0]);
      assert.ok(built.includes(target), target);
      assert.equal(ending, RUNNER_OS === "Windows" ? ".zip" : ".tar.gz");
      assert.equal(target.split("-")[0], { X64: "x86_64", ARM64: "aarch64" }[RUNNER_ARCH]);
      assert.match(target, { Linux: /-linux-/, macOS: /-darwin$/, Windows: /-windows-/ }[RUNNER_OS]);
    }
  }
});

for (const [what, inputs, environment, message] of [
  ["an architecture without a release", {}, { RUNNER_ARCH: "X86" }, /There is no release for the architecture "X86"/],
  ["a system without a release", {}, { RUNNER_OS: "Plan 9" }, /There is no release for the system "Plan 9"/],
  ["a release that does not exist", { version: "999.0.0" }, {}, /Cannot download .*\/v999\.0\.0\/SHA256SUMS/],
  ["a version that is none", { version: "../latest" }, {}, /The version "\.\.\/latest" is not one such as 1\.2\.0/],
  ["a switch that is neither true nor false", { fail: "no" }, {}, /The input fail is "no"/],
]) {
  test(`${what} is an error`, async (t) => {
    const done = await act(workspace(t, { "good.jsonl": GOOD }), inputs, environment);
    assert.deepEqual([done.status, done.outputs], [2, {}], done.stderr);
    const found = commands(done);
    assert.equal(found.length, 1, done.stdout + done.stderr);
    assert.match(found[0], message);
  });
}

// There is no Windows here, so its two programs are stand-ins. The one for ZIPs unpacks a tar archive with the name of the ZIP.
test("on Windows the script takes the ZIP and the program that ends with .exe", async (t) => {
  const folder = workspace(t, { "bad.jsonl": BAD });
  const arch = { X64: "x86_64", ARM64: "aarch64" }[SYSTEM.RUNNER_ARCH];
  const stem = `evalcheck-${RELEASE.version}-${arch}-pc-windows-msvc`;
  const release = join(RELEASE.releases, "windows", `v${RELEASE.version}`);
  const script = (path, line) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  };
  script(join(folder, stem, "evalcheck.exe"), 'exec "$EVALCHECK_CLI" "$@"');
  mkdirSync(release, { recursive: true });
  await run("tar", ["-czf", join(release, `${stem}.zip`), stem], { cwd: folder });
  const sums = await run("sha256sum", [`${stem}.zip`], { cwd: release });
  writeFileSync(join(release, "SHA256SUMS"), sums.stdout);
  script(join(folder, "bin", "cygpath"), 'for path; do :; done; printf "%s" "$path"');
  script(join(folder, "Windows", "System32", "tar.exe"), 'exec tar -xzf "$2"');
  const environment = {
    RUNNER_OS: "Windows",
    PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
    SYSTEMROOT: join(folder, "Windows"),
  };
  const done = await act(folder, { "base-url": `${RELEASE.url}/windows` }, environment);
  assert.deepEqual([done.status, done.outputs.valid, done.outputs.errors], [1, "false", "1"], done.stderr);
  assert.ok(existsSync(done.outputs.sarif));
});

test("without jq the number of errors is not made up", async (t) => {
  const folder = workspace(t, { "bad.jsonl": BAD });
  const programs = join(folder, "bin");
  mkdirSync(programs);
  for (const name of ["bash", "curl", "cut", "dirname", "gzip", "mkdir", "mktemp", "od", "sed", "sha256sum", "shasum", "tar", "tr"]) {
    const found = process.env.PATH.split(delimiter).map((path) => join(path, name)).find((path) => existsSync(path));
    if (found) symlinkSync(found, join(programs, name));
  }
  const done = await act(folder, {}, { PATH: programs });
  assert.deepEqual([done.status, done.outputs.valid, done.outputs.errors], [1, "false", ""], done.stderr);
  assert.match(commands(done).join("\n"), /There is no jq/);
});
