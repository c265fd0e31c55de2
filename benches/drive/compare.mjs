// A comparison of a file with another version of it in the product, or reading both alone: milliseconds of the first comparison in a page,
// and of the second.

import { createReadStream, createWriteStream, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { isProduct, verify } from "./pages.mjs";
import { otherWay } from "./race.mjs";

/** Of so many lines one is left out, one has another text, and one is there twice. */
const EVERY = 1000;

export async function compare(bench, { file }, way) {
  const newer = await versionOf(file);
  bench.warm(newer.path);
  if (!isProduct(way)) {
    const [one, other] = [await otherWay(bench, file, way), await otherWay(bench, newer, way)];
    return { first: one.first + other.first, second: one.second + other.second };
  }
  const page = await bench.product(way);
  verify(await page.check(file.path), file);
  const compared = async () => {
    const noted = await page.compare(newer.path);
    // Records without ids: one with another text is a new one, and the old one is gone.
    const sums = [newer.changed + newer.doubled, newer.changed + newer.dropped, 0];
    if (String(noted.sums) !== String(sums)) throw new Error(`the page says ${noted.sums}, the version was made with ${sums}`);
    return noted.ended - noted.asked;
  };
  const [first, second] = [await compared(), await compared()];
  await page.close();
  return { first, second };
}

/** Another version of a file beside it, which is made once, and what is different in it. */
async function versionOf(file) {
  const path = file.path.replace(/(\.\w+)$/, "-newer$1");
  const about = `${path}.about.json`;
  if (existsSync(about) && statSync(about).mtimeMs > statSync(file.path).mtimeMs) return JSON.parse(readFileSync(about, "utf8"));
  const out = createWriteStream(path);
  const made = { path, dropped: 0, changed: 0, doubled: 0 };
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file.path), crlfDelay: Infinity })) {
    number += 1;
    let written = `${line}\n`;
    if (number % EVERY === 0) {
      written = "";
      made.dropped += 1;
    } else if (number % EVERY === 300) {
      written = written.replace('"content":"', '"content":"Now ');
      made.changed += 1;
    } else if (number % EVERY === 600) {
      written += written;
      made.doubled += 1;
    }
    if (!out.write(written)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  made.bytes = statSync(path).size;
  writeFileSync(about, JSON.stringify(made));
  return made;
}
