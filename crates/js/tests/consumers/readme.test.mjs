// What the README shows is in the projects here, which the other tests build and run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

/** The files that the README shows, in part or whole, in its order. */
const SHOWN = [
  "webpack/src/findings.js",
  "node/editor.mjs",
  "node/samples.mjs",
  "node/schema.mjs",
  "node/editor-schema.mjs",
  "webpack/src/valid.js",
  "vite/vite.config.exclude.js",
  "esbuild/build.mjs",
  "esbuild/src/given.js",
  "next/next.config.mjs",
  "next/app/check/route.js",
  "script/index.html",
  "esbuild/src/inline.js",
];

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

/** A text without what all of its lines are indented by. */
function dedented(text) {
  const lines = text.split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents))).join("\n");
}

/** Whether a text has the lines of a block, one after the other, whatever they are indented by. */
function holds(text, block) {
  const lines = text.split("\n");
  const { length } = block.split("\n");
  return lines.some((_, at) => dedented(lines.slice(at, at + length).join("\n")) === block);
}

/** How a clone builds the package, as the suite has done, and installs it. */
const BUILD = "npm --prefix crates/js run build";
const INSTALL = 'npm --prefix ../my-project install "$PWD/crates/js"';

test("a clone installs the package into a project", () => {
  const project = mkdtempSync(join(tmpdir(), "evalcheck-project-"));
  after(() => rmSync(project, { recursive: true }));
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  execFileSync("sh", ["-c", INSTALL.replace("../my-project", project)], { cwd: root, env: { ...process.env, PWD: root } });
  const script = 'import { version } from "evalcheck"; console.log(await version());';
  const shown = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: project, encoding: "utf8" });
  assert.equal(shown.trim(), JSON.parse(read("../../package.json")).version);
});

test("each block of the README is in a file that is run", () => {
  const found = read("../../README.md").matchAll(/^```(\w+)\n(.*?)\n```$/gms);
  const [clone, install, ...blocks] = Array.from(found, ([, language, text]) => ({ language, text }));
  assert.deepEqual(clone, { language: "sh", text: `${BUILD}\n${INSTALL}` });
  assert.deepEqual(install, { language: "sh", text: "npm install evalcheck" });
  assert.equal(blocks.length, SHOWN.length);
  for (const [index, path] of SHOWN.entries()) {
    assert.ok(holds(read(path), blocks[index].text), `${path} has not:\n${blocks[index].text}`);
  }
});

test("the README names every entry and every function", async () => {
  const readme = read("../../README.md");
  const { exports } = JSON.parse(read("../../package.json"));
  const entries = Object.keys(exports).map((entry) => `evalcheck${entry.slice(1)}`);
  for (const entry of entries.filter((entry) => entry !== "evalcheck/package.json")) assert.ok(readme.includes(entry), entry);
  for (const name of Object.keys(await import("../../pkg/node.js"))) assert.ok(readme.includes(`| \`${name}(`), name);
});
