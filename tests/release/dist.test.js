// The archive that `cargo xtask dist` packs is what a person expects who unpacks it.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { FOLDER, RELEASE, ROOT, STEM, run, temporary } from "./release.js";

const ARCHIVE = `${STEM}.tar.gz`;

test("the checksums are those of the files", async () => {
  const checked = await run("sha256sum", ["--strict", "-c", "SHA256SUMS"], { cwd: FOLDER });
  assert.deepEqual([checked.status, checked.stdout], [0, `${ARCHIVE}: OK\n`]);
});

test("the archive has one folder: the program, its completions and manual, documents", async (t) => {
  const folder = temporary(t);
  assert.equal((await run("tar", ["-xzf", join(FOLDER, ARCHIVE), "-C", folder])).status, 0);
  assert.deepEqual(readdirSync(folder), [STEM]);
  const unpacked = join(folder, STEM);
  const program = join(unpacked, "evalcheck");
  assert.equal((await run(program, ["--version"])).stdout, `evalcheck ${RELEASE.version}\n`);
  for (const document of ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
    assert.deepEqual(readFileSync(join(unpacked, document)), readFileSync(join(ROOT, document)), document);
  }
  const completions = readdirSync(join(unpacked, "completions")).sort();
  assert.deepEqual(completions, ["_evalcheck", "_evalcheck.ps1", "evalcheck.bash", "evalcheck.elv", "evalcheck.fish"]);
  const bash = await run("bash", ["-c", 'source "$1" && complete -p evalcheck', "-", join(unpacked, "completions", "evalcheck.bash")]);
  assert.match(bash.stdout, /_evalcheck/);
});

test("every command has its page in the manual", async (t) => {
  const folder = temporary(t);
  await run("tar", ["-xzf", join(FOLDER, ARCHIVE), "-C", folder]);
  const pages = readdirSync(join(folder, STEM, "man", "man1")).sort();
  // What the command itself lists: each line begins with the name of a command.
  const help = (await run(RELEASE.command, ["--help"])).stdout;
  const listed = help.slice(help.indexOf("Commands:")).split("\n\n")[0];
  const commands = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name).filter((name) => name !== "help");
  assert.ok(commands.length > 5, help);
  assert.deepEqual(pages, ["evalcheck.1", ...commands.map((name) => `evalcheck-${name}.1`)].sort());
  const page = readFileSync(join(folder, STEM, "man", "man1", "evalcheck-check.1"), "utf8");
  assert.match(page, /^\.TH evalcheck\\?-check 1/m);
});
