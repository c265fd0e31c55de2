// The packed package: what is in it, and what `publint` and Are The Types Wrong say of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { CONSUMERS, pack } from "./support/install.mjs";

const { tarball, files, remove } = pack();
after(remove);

/** Runs a program of the installed packages. Its output is the failure. */
function run(script, ...all) {
  try {
    return execFileSync(process.execPath, [join(CONSUMERS, "node_modules", script), ...all], { cwd: CONSUMERS, encoding: "utf8" });
  } catch ({ stdout, stderr }) {
    return assert.fail(`${stdout}${stderr}`);
  }
}

test("the package holds its entries, their types, the wasm, the licences, and nothing else", () => {
  const built = readdirSync(new URL("../../lib/", import.meta.url));
  const made = ["engine.js", "evalcheck.wasm", "schema-inline.js", "schema.js", "schema.wasm", "types.d.ts", "wasm-inline.js"];
  const expected = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json", ...[...built, ...made].map((name) => `pkg/${name}`)];
  assert.deepEqual(files.toSorted(), expected.sort());
});

test("publint finds nothing", () => {
  assert.match(run("publint/src/cli.js", tarball, "--strict"), /All good!/);
});

test("Are The Types Wrong finds nothing", () => {
  // The package is ESM only, which the profile says: without it, `require` and TypeScript's resolution of before `exports` are
  // reported. The wasm is no module.
  const output = run("@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only", "--exclude-entrypoints", "./evalcheck.wasm", "./schema.wasm");
  for (const entry of ["evalcheck", "evalcheck/inline", "evalcheck/inline-schemas", "evalcheck/worker"]) assert.ok(output.includes(`"${entry}"`), output);
});
