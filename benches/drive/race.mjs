// The product and other ways on one file, in turn. Returns for every way the milliseconds of each run: in a page that has just
// been opened (`first`), and once more in the same page (`second`). For what is measured several times in a run, the mean,
// and each time (`each`).

import { readFileSync } from "node:fs";

import { inTime, verify } from "./bench.mjs";

/**
 * Measured three times in each run: on a virtual machine reading alone takes up to three times as long in one page as in the next,
 * because it hands each 64 KiB through four threads that mostly wait. The ways that check vary by a tenth.
 */
const THRICE = new Set(["read"]);

export async function race(bench, { file, ways, runs }) {
  return inTurn(bench, { file, ways, runs }, (way) => {
    // `product-2` is the product with two workers.
    const [name, workers] = way.split("-");
    return name === "product" ? product(bench, file, workers) : other(bench, file, way);
  });
}

/** Measures the ways in turn: `measure` returns the milliseconds of one. */
export async function inTurn(bench, { file, ways, runs }, measure) {
  bench.warm(file.path);
  const samples = Object.fromEntries(ways.map((way) => [way, []]));
  for (let run = 0; run < runs; run += 1) {
    const taken = Object.fromEntries(ways.map((way) => [way, []]));
    for (const way of order(ways, run)) {
      taken[way].push(await measure(way));
    }
    for (const way of ways) samples[way].push(ofOneRun(taken[way]));
  }
  return samples;
}

/** The ways of one run, in turn; those that are measured three times also before and after the others. */
function order(ways, run) {
  // Each is first as often as the others.
  const turned = ways.map((_, at) => ways[(at + run) % ways.length]);
  const around = turned.filter((way) => THRICE.has(way));
  return [...around, ...turned, ...around];
}

function ofOneRun(taken) {
  if (taken.length === 1) return taken[0];
  const mean = (key) => taken.reduce((sum, each) => sum + each[key], 0) / taken.length;
  return { first: mean("first"), second: mean("second"), each: taken };
}

async function product(bench, file, workers) {
  const page = await bench.product(workers);
  const once = async () => {
    const noted = await page.check(file.path);
    verify(noted, file);
    return noted;
  };
  const [first, second] = [await once(), await once()];
  await page.close();
  return {
    first: first.told - first.asked,
    second: second.told - second.asked,
    // From the choice of the file to the verdict on the screen.
    page: first.shown - first.dropped,
    errors: first.said.errors,
  };
}

/** Reading a file alone. */
export const readAlone = (bench, file) => other(bench, file, "read");

async function other(bench, file, way) {
  const page = await bench.ways();
  await page.locator("input[type=file]").setInputFiles(file.path);
  const schema = file.schema && JSON.parse(readFileSync(file.schema, "utf8"));
  const options = { packedAt: file.packedAt, packed: file.packed, format: file.format, schema };
  const go = async () => {
    const going = page.evaluate(([name, given]) => globalThis.go(name, given), [way, options]);
    const said = await inTime(going, `${way} did not come to its end`);
    if (said.bytes !== (way === "inflate" ? file.unpacked : file.bytes)) throw new Error(`${way} read ${said.bytes} bytes`);
    if (said.records !== undefined && (said.records !== file.records || said.bad !== file.bad)) {
      throw new Error(`${way} found ${said.bad} of ${said.records} records bad, ${file.bad} of ${file.records} are`);
    }
    return said.ms;
  };
  const [first, second] = [await go(), await go()];
  await page.context().close();
  return { first, second };
}
