// Projects that use the packed package, as their tools want it. Each checks a file, and reports what the command reports. The quick
// suite tries one in Node and one page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
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

/** A page reports under these names what the command reports. Returns the lines that it logs. */
async function assertPage({ url, close }, ...names) {
  try {
    if (noBrowser) return undefined;
    const { reports, logged } = await reportsOf(browser, url, FILE);
    assert.deepEqual(reports, Object.fromEntries(names.map((name) => [name, expected])));
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
  const reports = JSON.parse(await node("node", "check.mjs", FILE));
  assert.deepEqual(reports, { here: expected, inWorker: expected, inline: expected });
});

full("Node: what the README shows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "evalcheck-samples-"));
  try {
    copyFileSync(FILE, join(folder, "samples.jsonl"));
    assert.equal(await node(folder, join(CONSUMERS, "node", "samples.mjs")), `false ${expected.counts.errors}\n`);
    assert.match(await node("node", "editor.mjs"), /^[1-9]\n$/);
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
    await assertPage(server, "here", "inWorker");
  }
});

full("Vite: a build and its preview", async () => {
  const vite = program("vite", "bin", "vite.js");
  await node("vite", vite, "build");
  await assertPage(await start("vite", vite, "preview", "--host", "127.0.0.1", "--port", "0"), "here", "inWorker");
});

full("webpack", async () => {
  clear("webpack/dist");
  await node("webpack", "build.mjs");
  assert.equal(built("webpack/dist").filter((name) => name.endsWith(".wasm")).length, 1);
  copyFileSync(`${CONSUMERS}/webpack/index.html`, `${CONSUMERS}/webpack/dist/index.html`);
  const logged = await assertPage(await folder("webpack/dist"), "here", "inWorker");
  if (noBrowser) return;
  const findings = expected.findings.map(({ line, path, message }) => `line ${line}: ${path}: ${message}`);
  for (const line of [`${expected.counts.errors} errors`, ...findings, "isValid: false"]) assert.ok(logged.includes(line), line);
});

test("esbuild: with wasm and worker beside the bundle", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build.mjs");
  copyFileSync(`${CONSUMERS}/esbuild/index.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist"), "here", "inWorker");
});

full("esbuild: with the places of wasm and worker given", async () => {
  clear("esbuild/dist");
  await node("esbuild", "build-given.mjs");
  copyFileSync(`${CONSUMERS}/esbuild/given.html`, `${CONSUMERS}/esbuild/dist/index.html`);
  await assertPage(await folder("esbuild/dist"), "here", "inWorker");
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
  await assertPage(await folder("script/dist", POLICY.replace("script-src", "script-src 'unsafe-inline'")), "here", "inWorker");
});

full("Next.js: a client component and a route", async () => {
  const next = program("next", "dist", "bin", "next");
  clear("next/.next");
  await node("next", next, "build");
  await assertPage(await start("next", next, "start", "--hostname", "127.0.0.1", "--port", "0"), "here", "inWorker", "onServer");
});
