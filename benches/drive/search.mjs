// A search of a file in the product, or reading it alone: milliseconds of the first search in a page, and of the second.

import { isProduct, verify } from "./pages.mjs";
import { otherWay } from "./race.mjs";

export async function search(bench, { file, query }, way) {
  if (!isProduct(way)) return otherWay(bench, file, way);
  const page = await bench.product(way);
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

/** From Enter to the first match on the screen, in milliseconds. The first record matches. */
export async function firstHit(bench, { file, query }, way) {
  const page = await bench.product(way);
  verify(await page.check(file.path), file);
  const noted = await page.search(query);
  if (!(noted.found > 0)) throw new Error("no match was shown");
  if (noted.found >= noted.ended) throw new Error("the first match came with the last");
  await page.close();
  return { ms: noted.found - noted.entered };
}
