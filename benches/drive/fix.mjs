// All safe fixes of a file, and the diff of them, against the check of the file in the same page: in each run the ratios, and the
// milliseconds that they are of.

import { readFileSync } from "node:fs";

import { verify } from "./bench.mjs";

export async function fix(bench, { file, runs }) {
  bench.warm(file.path);
  const samples = [];
  for (let run = 0; run < runs; run += 1) {
    const page = await bench.product();
    // The first check in a page is slower.
    verify(await page.check(file.path), file);
    const noted = await page.check(file.path);
    verify(noted, file);
    const check = noted.told - noted.asked;
    const fixed = await page.fix();
    if (fixed.fixes !== file.bad) throw new Error(`${fixed.fixes} fixes were applied, the file was made with ${file.bad} mistakes`);
    const diff = await page.diff();
    const hunks = readFileSync(diff.path, "utf8").match(/^@@ /gm)?.length;
    if (hunks !== file.bad) throw new Error(`the diff has ${hunks} hunks, the file was made with ${file.bad} mistakes`);
    samples.push({ fix: fixed.ms / check, diff: diff.ms / check, check, fix_ms: fixed.ms, diff_ms: diff.ms });
    await page.close();
  }
  return samples;
}
