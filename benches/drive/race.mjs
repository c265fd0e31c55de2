// The product and other ways on one file, in turn. Gives for every way the milliseconds of each run: in a page that has just
// been opened, as people meet it (`first`), and once more in the same page (`again`).

import { verify } from "./bench.mjs";

export async function race(bench, { file, ways, runs }) {
  bench.warm(file.path);
  const samples = Object.fromEntries(ways.map((way) => [way, []]));
  for (let run = 0; run < runs; run += 1) {
    // Each begins as often as the others.
    const order = ways.map((_, at) => ways[(at + run) % ways.length]);
    for (const way of order) samples[way].push(way === "product" ? await product(bench, file) : await other(bench, file, way));
  }
  return samples;
}

async function product(bench, file) {
  const page = await bench.product();
  const once = async () => {
    const noted = await page.check(file.path);
    verify(noted, file);
    return noted;
  };
  const [first, again] = [await once(), await once()];
  await page.close();
  return {
    first: first.told - first.asked,
    again: again.told - again.asked,
    worker: first.elapsed_ms,
    // From the choice of the file to the verdict on the screen.
    page: first.shown - first.dropped,
    errors: first.report.errors,
  };
}

async function other(bench, file, way) {
  const page = await bench.ways();
  await page.locator("input[type=file]").setInputFiles(file.path);
  const options = { schema: bench.plan.schema, packedAt: file.packedAt, packed: file.packed };
  const go = async () => {
    const said = await page.evaluate(([name, given]) => globalThis.go(name, given), [way, options]);
    if (said.bytes !== (way === "inflate" ? file.unpacked : file.bytes)) throw new Error(`${way} read ${said.bytes} bytes`);
    if (said.records !== undefined && (said.records !== file.records || said.bad !== file.bad)) {
      throw new Error(`${way} found ${said.bad} of ${said.records} records bad, ${file.bad} of ${file.records} are`);
    }
    return said.ms;
  };
  const [first, again] = [await go(), await go()];
  await page.context().close();
  return { first, again };
}
