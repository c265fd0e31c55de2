// All safe fixes of a file, the diff of them, and the check of the file in the same page, in milliseconds.

import { readFileSync } from "node:fs";

import { verify } from "./pages.mjs";

export async function fix(bench, { file }, way) {
  const page = await bench.product(way);
  // The first check in a page is slower.
  verify(await page.check(file.path), file);
  const noted = await page.check(file.path);
  verify(noted, file);
  const fixed = await page.fix();
  if (fixed.fixes !== file.bad) throw new Error(`${fixed.fixes} fixes were applied, the file was made with ${file.bad} mistakes`);
  const diff = await page.diff();
  const hunks = readFileSync(diff.path, "utf8").match(/^@@ /gm)?.length;
  if (hunks !== file.bad) throw new Error(`the diff has ${hunks} hunks, the file was made with ${file.bad} mistakes`);
  await page.close();
  return { check: noted.told - noted.asked, fix: fixed.ms, diff: diff.ms };
}
