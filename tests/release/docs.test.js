// Every example of docs/ci.md is run: its commands, as the build server would run them, on a valid and on an invalid dataset.
// The release is downloaded from the one that is served here.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";

import { parse } from "yaml";

import { RELEASE, ROOT, run } from "./release.js";
import { BAD, GOOD, act, workspace } from "./runner.js";

const TEXT = readFileSync(join(ROOT, "docs", "ci.md"), "utf8");

/** The release and the action as the examples name them. */
const RELEASES = "https://github.com/OWNER/evalcheck/releases/download";
const OURS = `OWNER/evalcheck@v${RELEASE.version}`;
const TARGET = "x86_64-unknown-linux-musl";

/** The command is built, under this name, before the suite: `cargo install` of the first example would do so once more. */
const INSTALL = "cargo install --locked --path evalcheck/crates/cli\n";

/** The examples: the language, and the content. */
const EXAMPLES = [...TEXT.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, content]) => ({ language, content }));

/** Runs a script, with the release of this machine in place of the one that is published. */
function shell(folder, [program, ...args], script, variables = {}) {
  const here = (text) => text.replaceAll(RELEASES, RELEASE.url).replaceAll(TARGET, RELEASE.target).replace(INSTALL, "");
  const env = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, here(value)]));
  const PATH = `${dirname(process.env.EVALCHECK_CLI)}${delimiter}${process.env.PATH}`;
  return run(program, [...args, "-c", here(script)], { cwd: join(folder, "work"), env: { ...process.env, PATH, ...env } });
}

/** Runs scripts one after the other, until one fails. */
async function shells(folder, program, scripts, variables) {
  let done;
  for (const script of scripts) {
    done = await shell(folder, program, script, variables);
    if (done.status !== 0) break;
  }
  return done;
}

/** What is written for other tools is what they read. */
const READ = {
  json: (text) => assert.ok(Array.isArray(JSON.parse(text))),
  sarif: (text) => assert.equal(JSON.parse(text).version, "2.1.0"),
  xml: (text) => assert.match(text, /^<\?xml [^>]*>\s*<testsuites /),
};

function assertWritten(folder, name) {
  const file = join(folder, "work", name);
  assert.ok(existsSync(file), `${name} is not written`);
  READ[name.split(".").pop()](readFileSync(file, "utf8"));
}

/** GitHub: the action is run with its inputs, and what is uploaded is there. */
async function github(folder, { jobs }) {
  let status = 0;
  const steps = {};
  for (const { id, uses, with: inputs = {} } of jobs.evalcheck.steps) {
    if (uses === OURS) {
      const words = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
      const done = await act(folder, words);
      steps[id] = done.outputs;
      status = done.status;
    } else if (uses.startsWith("github/codeql-action/upload-sarif@")) {
      const [, step, name] = /^\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}$/.exec(inputs.sarif_file);
      READ.sarif(readFileSync(steps[step][name], "utf8"));
      // The findings are shown there, and do not fail the job.
      assert.equal(status, 0);
      status = steps[step].valid === "true" ? 0 : 1;
    } else {
      assert.match(uses, /^actions\/checkout@/);
    }
  }
  return status;
}

/** GitLab: the lines of a job are one script. */
async function gitlab(folder, { evalcheck: job }) {
  const done = await shell(folder, ["bash", "-eo", "pipefail"], [...job.before_script, ...job.script].join("\n"), job.variables);
  assertWritten(folder, job.artifacts.reports.codequality);
  return done.status;
}

/** Azure: each script is one of its own. */
async function azure(folder, { variables, steps }) {
  const done = await shells(folder, ["bash"], steps.filter((step) => step.script).map((step) => step.script), variables);
  assertWritten(folder, steps.find((step) => step.task === "PublishTestResults@2").inputs.testResultsFiles);
  return done.status;
}

/** Jenkins: each `sh` is a script of its own, and `environment` has its variables. */
async function jenkins(folder, text) {
  const variables = Object.fromEntries([...text.matchAll(/^ +(\w+) = '(.*)'$/gm)].map(([, name, value]) => [name, value]));
  const scripts = [...text.matchAll(/^ +sh (?:'''(.*?)'''|'(.*?)')$/gms)].map(([, many, one]) => many ?? one);
  assert.equal(scripts.length, text.match(/\bsh '/g).length);
  const done = await shells(folder, ["sh", "-xe"], scripts, variables);
  for (const [, name] of text.matchAll(/(?:junit |pattern: )'(.*?)'/g)) assertWritten(folder, name);
  return done.status;
}

/** How an example is run; returns the exit status. */
function runner({ language, content }) {
  if (language === "sh") return async (folder) => (await shell(folder, ["sh"], content)).status;
  if (language === "groovy") return (folder) => jenkins(folder, content);
  assert.equal(language, "yaml", `an example in ${language} cannot be run`);
  const parsed = parse(content);
  const kind = [["jobs", github], ["evalcheck", gitlab], ["pool", azure]].find(([key]) => key in parsed);
  assert.ok(kind, "an example is for no known build server");
  return (folder) => kind[1](folder, parsed);
}

test("there is an example for each build server", () => {
  const kinds = EXAMPLES.map(({ content }) => content.split("\n")[0]);
  assert.deepEqual(kinds, [
    INSTALL.trim(),
    "# .github/workflows/datasets.yml",
    "# .github/workflows/datasets.yml",
    "# .gitlab-ci.yml",
    "# azure-pipelines.yml",
    "// Jenkinsfile",
    "set -e",
  ]);
});

test("the package that the first example installs is there", () => {
  const path = INSTALL.trim().split("--path evalcheck/")[1];
  assert.match(readFileSync(join(ROOT, path, "Cargo.toml"), "utf8"), /name = "evalcheck"/);
});

test("the examples name the release of this version", () => {
  const named = [...TEXT.matchAll(/(?:download\/v|evalcheck@v|ARCHIVE\W{1,4}evalcheck-)(\d+\.\d+\.\d+)/g)].map(([, version]) => version);
  assert.equal(named.length, 10);
  assert.deepEqual(new Set(named), new Set([RELEASE.version]));
});

for (const [number, example] of EXAMPLES.entries()) {
  const title = `example ${number + 1}, ${example.content.split("\n")[0].replace(/^\W+/, "")}`;
  test(`${title}: a valid dataset passes`, async (t) => {
    const folder = workspace(t, { "data/good.jsonl": GOOD });
    assert.equal(await runner(example)(folder), 0);
  });
  test(`${title}: an invalid dataset fails`, async (t) => {
    const folder = workspace(t, { "data/good.jsonl": GOOD, "data/bad.jsonl": BAD });
    assert.equal(await runner(example)(folder), 1);
  });
}
