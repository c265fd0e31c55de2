// A check of a file in the product, or another way through it: milliseconds in a page that has just been opened (`first`), and once more
// in the same page (`second`).

import { readFileSync } from "node:fs";

import { inTime, isProduct, verify } from "./pages.mjs";

export async function race(bench, { file }, way) {
  if (!isProduct(way)) return otherWay(bench, file, way);
  const page = await bench.product(way);
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
  };
}

export async function otherWay(bench, file, way) {
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
