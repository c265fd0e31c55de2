// Projects that use the packed package, as their tools want it. Each checks a file, and reports what the command reports.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { CONSUMERS, install, pack } from "./support/install.mjs";
import { reportsOf, startBrowser } from "./support/page.mjs";
import { node, program, start } from "./support/run.mjs";
import { serve } from "./support/serve.mjs";

const FILE = fileURLToPath(new URL("../../../../tests/cases/juryarena/document-failing-example/input.jsonl", import.meta.url));

/** Why pages are only built, where that is so. */
const noBrowser = process.env.EVALCHECK_CHROMIUM ? false : "there is no browser";

let expected;
let browser;

before(async () => {
  const { tarball, remove } = pack();
  install(tarball);
  remove();
  expected = commandReport(FILE);
  assert.equal(expected.valid, false);
  if (!noBrowser) browser = await startBrowser();
});

after(() => browser?.close());

/** What the command reports, which is limited to a number of findings by itself. */
function commandReport(path) {
  const options = { cwd: dirname(path), encoding: "utf8" };
  const { status, stdout } = spawnSync(process.env.EVALCHECK_CLI, ["check", "--output", "json", basename(path)], options);
  assert.equal(status, 1);
  const { max_findings_per_code: _, ...report } = JSON.parse(stdout);
  return report;
}

/** A page reports under these names what the command reports. */
async function assertPage({ url, close }, ...names) {
  try {
    if (noBrowser) return;
    const reports = await reportsOf(browser, url, FILE);
    assert.deepEqual(reports, Object.fromEntries(names.map((name) => [name, expected])));
  } finally {
    await close();
  }
}

/** Serves a folder of a consumer. */
const folder = (name) => serve(pathToFileURL(`${CONSUMERS}/${name}/`));

/** The files that a build wrote, which is made anew. */
const built = (name) => readdirSync(`${CONSUMERS}/${name}`, { recursive: true });

const clear = (name) => rmSync(`${CONSUMERS}/${name}`, { recursive: true, force: true });

test("Node: on the thread, in a worker and with the wasm inside", async () => {
  const reports = JSON.parse(await node("node", "check.mjs", FILE));
  assert.deepEqual(reports, { here: expected, inWorker: expected, inline: expected });
});

test("TypeScript: in Node without the types of browsers, and in a bundled page", async () => {
  for (const consumer of ["node", "vite"]) {
    await node(consumer, program("typescript", "bin", "tsc"), "--noEmit", "-p", ".");
  }
});

test("Vite: its development server", async () => {
  const vite = program("vite", "bin", "vite.js");
  await assertPage(await start("vite", vite, "--host", "127.0.0.1", "--port", "0", "--force"), "here", "inWorker");
});

test("Vite: a build and its preview", async () => {
  const vite = program("vite", "bin", "vite.js");
  await node("vite", vite, "build");
  await assertPage(await start("vite", vite, "preview", "--host", "127.0.0.1", "--port", "0"), "here", "inWorker");
});

test("webpack", async () => {
  clear("webpack/dist");
  await node("webpack", "build.mjs");
  assert.equal(built("webpack/dist").filter((name) => name.endsWith(".wasm")).length, 1);
  copyFileSync(`${CONSUMERS}/webpack/index.html`, `${CONSUMERS}/webpack/dist/index.html`);
  await assertPage(await folder("webpack/dist"), "here", "inWorker");
});

test("esbuild: with wasm and worker beside the bundle", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build.mjs");
  copyFileSync(`${CONSUMERS}/esbuild/index.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist"), "here", "inWorker");
});

test("esbuild: with the places of wasm and worker given", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build-given.mjs");
  copyFileSync(`${CONSUMERS}/esbuild/given.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist"), "here", "inWorker");
});

test("esbuild: with the wasm in the one file", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build-inline.mjs");
  assert.deepEqual(built("esbuild/dist"), ["inline.js"]);
  copyFileSync(`${CONSUMERS}/esbuild/inline.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist"), "inline");
});

test("a module script, without a bundler", async () => {
  clear("script/dist");
  cpSync(`${CONSUMERS}/node_modules/evalcheck/pkg`, `${CONSUMERS}/script/dist/evalcheck/pkg`, { recursive: true });
  copyFileSync(`${CONSUMERS}/script/index.html`, `${CONSUMERS}/script/dist/index.html`);
  await assertPage(await folder("script/dist"), "here", "inWorker");
});

test("Next.js: a client component and a route", async () => {
  const next = program("next", "dist", "bin", "next");
  clear("next/.next");
  await node("next", next, "build");
  await assertPage(await start("next", next, "start", "--hostname", "127.0.0.1", "--port", "0"), "here", "inWorker", "onServer");
});
