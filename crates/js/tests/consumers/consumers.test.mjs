// Projects that use the packed package, as their tools want it. Each checks a file, and reports what the command reports. The quick
// suite tries one in Node and one page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { isFull } from "../../../../tests/suite.mjs";
import { CONSUMERS, install, pack } from "./support/install.mjs";
import { reportsOf, startBrowser } from "./support/page.mjs";
import { node, program, start } from "./support/run.mjs";
import { serve } from "./support/serve.mjs";

const FILE = fileURLToPath(new URL("../../../../tests/cases/juryarena/document-failing-example/input.jsonl", import.meta.url));

/** Why pages are only built, where that is so. */
const noBrowser = process.env.EVALCHECK_CHROMIUM ? false : "there is no browser";

/** A test of the full suite. */
const full = isFull ? test : () => {};

/** The schema that the projects have. */
const SCHEMA = '{"properties":{"input":{"required":["id"]}}}';

let expected;
let expectedWithSchema;
let browser;

before(async () => {
  const { tarball, remove } = pack();
  install(tarball);
  remove();
  expected = commandReport(dirname(FILE), basename(FILE));
  assert.equal(expected.valid, false);
  expectedWithSchema = reportWithSchema();
  assert.ok(expectedWithSchema.counts.by_code["schema/required"] > 0);
  if (!noBrowser) browser = await startBrowser();
});

after(() => browser?.close());

/** What the command reports, which is limited to a number of findings by itself. */
function commandReport(cwd, ...all) {
  const { status, stdout, stderr } = spawnSync(process.env.EVALCHECK_CLI, ["check", "--output", "json", ...all], { cwd, encoding: "utf8" });
  assert.equal(status, 1, stderr);
  const { max_findings_per_code: _, ...report } = JSON.parse(stdout);
  return report;
}

/** The same with the schema of the projects. */
function reportWithSchema() {
  const folder = mkdtempSync(join(tmpdir(), "evalcheck-schema-"));
  try {
    copyFileSync(FILE, join(folder, basename(FILE)));
    writeFileSync(join(folder, "schema.json"), SCHEMA);
    return commandReport(folder, "--schema", "schema.json", basename(FILE));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The reports that a project makes, by their names. */
const reports = (...names) => Object.fromEntries(names.map((name) => [name, name.startsWith("withSchema") ? expectedWithSchema : expected]));

/** What a project makes on the thread and in a worker. */
const IN_BOTH = ["here", "inWorker", "withSchema", "withSchemaInWorker"];

/** A page reports under these names what the command reports. Returns the lines that it logs. */
async function assertPage({ url, close }, ...names) {
  try {
    if (noBrowser) return undefined;
    const { reports: found, logged } = await reportsOf(browser, url, FILE);
    assert.deepEqual(found, reports(...names));
    return logged;
  } finally {
    await close();
  }
}

/** The policy that the README says is enough, and what the pages need themselves. */
const POLICY = "default-src 'none'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

/** Serves a folder of a consumer. */
const folder = (name, policy = POLICY) => serve(pathToFileURL(`${CONSUMERS}/${name}/`), policy);

/** The files that a build wrote, which is made anew. */
const built = (name) => readdirSync(`${CONSUMERS}/${name}`, { recursive: true });

const clear = (name) => rmSync(`${CONSUMERS}/${name}`, { recursive: true, force: true });

test("Node: on the thread, in a worker and with the wasm inside", async () => {
  const found = JSON.parse(await node("node", "check.mjs", FILE));
  assert.deepEqual(found, reports(...IN_BOTH, "inline", "withSchemaInline"));
});

full("Node: what the README shows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "evalcheck-samples-"));
  try {
    copyFileSync(FILE, join(folder, "samples.jsonl"));
    assert.equal(await node(folder, join(CONSUMERS, "node", "samples.mjs")), `false ${expected.counts.errors}\n`);
    assert.match(await node("node", "editor.mjs"), /^[1-9]\n$/);
    writeFileSync(join(folder, "faq.schema.json"), '{\n  "properties": {\n    "answer": { "type": "string" }\n  }\n}');
    writeFileSync(join(folder, "faq.jsonl"), '{"question":"How many?","answer":42}\n');
    const shown = "line 1: answer: Expected string, received number\n  wanted here: faq.schema.json, line 3\n";
    assert.equal(await node(folder, join(CONSUMERS, "node", "schema.mjs")), shown);
    assert.equal(await node("node", "editor-schema.mjs"), "1\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

full("TypeScript: in Node without the types of browsers, and in a bundled page", async () => {
  for (const consumer of ["node", "vite"]) {
    await node(consumer, program("typescript", "bin", "tsc"), "--noEmit", "-p", ".");
  }
});

full("Vite: its development server, without a configuration and with that for older ones", async () => {
  const vite = program("vite", "bin", "vite.js");
  for (const config of [[], ["--config", "vite.config.exclude.js"]]) {
    const server = await start("vite", vite, "--host", "127.0.0.1", "--port", "0", "--force", ...config);
    await assertPage(server, ...IN_BOTH);
  }
});

full("Vite: a build and its preview", async () => {
  const vite = program("vite", "bin", "vite.js");
  await node("vite", vite, "build");
  await assertPage(await start("vite", vite, "preview", "--host", "127.0.0.1", "--port", "0"), ...IN_BOTH);
});

full("webpack", async () => {
  clear("webpack/dist");
  await node("webpack", "build.mjs");
  assert.equal(built("webpack/dist").filter((name) => name.endsWith(".wasm")).length, 2);
  copyFileSync(`${CONSUMERS}/webpack/index.html`, `${CONSUMERS}/webpack/dist/index.html`);
  const logged = await assertPage(await folder("webpack/dist"), ...IN_BOTH);
  if (noBrowser) return;
  const findings = expected.findings.map(({ line, path, message }) => `line ${line}: ${path}: ${message}`);
  for (const line of [`${expected.counts.errors} errors`, ...findings, "isValid: false"]) assert.ok(logged.includes(line), line);
});

test("esbuild: with wasm and worker beside the bundle", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build.mjs");
  copyFileSync(`${CONSUMERS}/esbuild/index.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist"), ...IN_BOTH);
});

full("esbuild: with the places of wasm and worker given", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build-given.mjs");
  copyFileSync(`${CONSUMERS}/esbuild/given.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist"), ...IN_BOTH);
});

full("esbuild: with the wasm in the one file", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build-inline.mjs");
  assert.deepEqual(built("esbuild/dist"), ["inline.js"]);
  copyFileSync(`${CONSUMERS}/esbuild/inline.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist", POLICY.replace(" connect-src 'self';", "")), "inline");
});

full("a module script, without a bundler", async () => {
  clear("script/dist");
  cpSync(`${CONSUMERS}/node_modules/evalcheck/pkg`, `${CONSUMERS}/script/dist/evalcheck/pkg`, { recursive: true });
  copyFileSync(`${CONSUMERS}/script/index.html`, `${CONSUMERS}/script/dist/index.html`);
  // The import map is inline.
  await assertPage(await folder("script/dist", POLICY.replace("script-src", "script-src 'unsafe-inline'")), ...IN_BOTH);
});

full("Next.js: a client component and a route", async () => {
  const next = program("next", "dist", "bin", "next");
  clear("next/.next");
  await node("next", next, "build");
  await assertPage(await start("next", next, "start", "--hostname", "127.0.0.1", "--port", "0"), ...IN_BOTH, "onServer", "withSchemaOnServer");
});
