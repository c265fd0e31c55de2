// A check takes time in proportion to its bytes, whatever they hold: instructions at n and 4n of each family of hostile files,
// counted by callgrind, so that no clock is involved. The quick suite has one family of each group, at half the size. The step `linear` of
// `cargo xtask test` sets EVALCHECK_CLI and EVALCHECK_MARKDOWN (the example `render` of the crate).

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { isFull, sized } from "../suite.mjs";
import { FAMILIES, MARKDOWN } from "./families.js";

const FEW = sized(200, 400);
const GROWTH = 4;

/** Four times as much may take so many times as long: a sort, a map and the growth of buffers are not exactly linear. */
const MOST = 5;

/** Less than this is the growth of a buffer, and nobody waits for it. */
const LEAST = 50_000;

const { EVALCHECK_CLI: command, EVALCHECK_MARKDOWN: render } = process.env;

/** Instructions of one check, or of one text that is rendered. */
async function instructions(folder, { format, extension }, content) {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.${extension}`);
  await writeFile(file, content);
  const program = format === MARKDOWN ? [render] : [command, "check", "--format", format, "--output", "json"];
  const output = await new Promise((resolve, reject) => {
    execFile("valgrind", ["--tool=callgrind", "--callgrind-out-file=/dev/null", ...program, file], { maxBuffer: 1 << 30 }, (error, _, stderr) => {
      // 1 is the exit status of a file with errors, 3 that of one that could not be checked to its end.
      if (error && error.code !== 1 && error.code !== 3) reject(new Error(stderr));
      else resolve(stderr);
    });
  });
  await rm(file);
  return Number(/Collected : (\d+)/.exec(output)[1]);
}

describe("instructions grow with the bytes", { concurrency: availableParallelism() }, () => {
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "evalcheck-linear-"));
  });
  after(() => rm(folder, { recursive: true }));
  for (const family of FAMILIES.filter(({ isQuick }) => isFull || isQuick)) {
    test(family.name, async () => {
      const [none, few, many] = await Promise.all([1, FEW, FEW * GROWTH].map((n) => instructions(folder, family, family.make(n))));
      const growth = (many - none) / Math.max(few - none, LEAST);
      assert.ok(growth <= MOST, `${GROWTH} times as much takes ${growth.toFixed(1)} times as many instructions: ${few - none}, ${many - none}`);
    });
  }
});
