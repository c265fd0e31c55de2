// Searches of a file in the product, and reading it alone, in turn. As `race`: of every way the milliseconds of each run, of the first
// search in a page and of the second.

import { verify } from "./bench.mjs";
import { inTurn, readAlone } from "./race.mjs";

export async function search(bench, { file, query, ways, runs }) {
  return inTurn(bench, { file, ways, runs }, (way) => (way === "product" ? product(bench, file, query) : readAlone(bench, file)));
}

async function product(bench, file, query) {
  const page = await bench.product();
  verify(await page.check(file.path), file);
  const once = async () => {
    const noted = await page.search(query);
    // The query finds the bad records.
    if (noted.count !== file.bad) throw new Error(`${query} finds ${noted.count} records, ${file.bad} were made to match`);
    return noted.ended - noted.asked;
  };
  const [first, second] = [await once(), await once()];
  await page.close();
  return { first, second };
}

/** From Enter to the first match on the screen, in milliseconds for each run. The first record matches. */
export async function firstHit(bench, { file, query, runs }) {
  bench.warm(file.path);
  const samples = [];
  for (let run = 0; run < runs; run += 1) {
    const page = await bench.product();
    verify(await page.check(file.path), file);
    const noted = await page.search(query);
    if (!(noted.found > 0)) throw new Error("no match was shown");
    if (noted.found >= noted.ended) throw new Error("the first match came with the last");
    samples.push({ ms: noted.found - noted.entered });
    await page.close();
  }
  return samples;
}
