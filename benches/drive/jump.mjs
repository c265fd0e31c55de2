// From a jump in the list of records to the records on the screen: the slowest of several places, in milliseconds.

import { inTime, verify } from "./pages.mjs";

/** Places in the list, as parts of its height. No two are near each other. */
const PLACES = [1, 0.5, 0.013, 0.87, 0.31];

export async function jump(bench, { file }, way) {
  const page = await bench.product(way);
  verify(await page.check(file.path), file);
  await page.page.getByTestId("tab-records").click();
  await page.page.locator("[data-testid=record]").first().waitFor();
  const each = [];
  for (const place of PLACES) {
    const jumping = page.page.evaluate((place) => globalThis.bench.jump(place), place);
    const { ms, record } = await inTime(jumping, "the records were not shown");
    // The scroll bar of a long list is scaled, but near its ends; only the end and the middle are where they are in the file.
    const isKnown = place === 1 || place === 0.5;
    if (isKnown && Math.abs(record / file.records - place) > 0.01) throw new Error(`record ${record} is not at ${place} of the file`);
    each.push(ms);
  }
  await page.close();
  return { ms: Math.max(...each), each };
}
