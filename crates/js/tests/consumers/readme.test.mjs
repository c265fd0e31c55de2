// What the README shows is in the projects here, which the other tests build and run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** The files that the README shows, in part or whole, in its order. */
const SHOWN = [
  "webpack/src/findings.js",
  "node/editor.mjs",
  "node/samples.mjs",
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

test("each block of the README is in a file that is run", () => {
  const found = read("../../README.md").matchAll(/^```(\w+)\n(.*?)\n```$/gms);
  const [install, ...blocks] = Array.from(found, ([, language, text]) => ({ language, text }));
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
