// What a GitHub runner does with the action of this repository: action.yml says which variables its script gets, and outputs and the summary are
// read from files.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { parse } from "yaml";

import { RELEASE, ROOT, run, temporary } from "./release.js";

/** A record that is valid, and one with an error. */
export const GOOD = '{"input":{"messages":[{"role":"user","content":"Hello"}]},"usage_output":null}\n';
export const BAD = '{"input":{"messages":[{"role":"User","content":"Hello"}]},"usage_output":null}\n';

/** The action. */
export const ACTION = parse(readFileSync(join(ROOT, "action.yml"), "utf8"));

/** Its one step. */
export const [STEP] = ACTION.runs.steps;

/** What a runner sets on this machine. */
export const SYSTEM = {
  RUNNER_OS: { darwin: "macOS", linux: "Linux" }[process.platform],
  RUNNER_ARCH: { arm64: "ARM64", x64: "X64" }[process.arch],
};

/** The variables of the step, for inputs and the repository that uses the action. */
function variables(inputs) {
  const values = { "github.action_repository || github.repository": "owner/evalcheck" };
  for (const [name, { default: value }] of Object.entries(ACTION.inputs)) values[`inputs.${name}`] = inputs[name] ?? value;
  const value = (text) => text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression) => {
    assert.ok(expression in values, `action.yml uses ${expression}`);
    return values[expression];
  });
  return Object.fromEntries(Object.entries(STEP.env).map(([name, text]) => [name, value(text)]));
}

/** The outputs of a step, read as a runner does. */
function outputs(text) {
  const lines = text.split("\n");
  const found = {};
  while (lines.length > 1) {
    const [, name, end] = /^([a-z]+)<<(.+)$/.exec(lines.shift());
    const value = [];
    while (lines[0] !== end) value.push(lines.shift());
    lines.shift();
    assert.ok(!(name in found), `${name} is written twice`);
    found[name] = value.join("\n");
  }
  return found;
}

/** A workspace with datasets, by their names. */
export function workspace(t, files) {
  const folder = temporary(t);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "work", name)), { recursive: true });
    writeFileSync(join(folder, "work", name), content);
  }
  mkdirSync(join(folder, "temp"), { recursive: true });
  return folder;
}

/** Runs the step in a workspace. */
export async function act(folder, inputs = {}, environment = {}) {
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const env = {
    ...process.env,
    ...SYSTEM,
    ...files,
    GITHUB_ACTION_PATH: ROOT,
    RUNNER_TEMP: join(folder, "temp"),
    ...variables({ "base-url": RELEASE.url, ...inputs }),
    ...environment,
  };
  const done = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", STEP.run], { cwd: join(folder, "work"), env });
  const summary = readFileSync(files.GITHUB_STEP_SUMMARY, "utf8");
  return { ...done, summary, outputs: outputs(readFileSync(files.GITHUB_OUTPUT, "utf8")) };
}
