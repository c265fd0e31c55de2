// From the drop of a file to its first finding on the screen, in milliseconds.

import { verify } from "./pages.mjs";

export async function firstFinding(bench, { file }, way) {
  const page = await bench.product(way);
  await page.drop(file.path);
  const noted = await page.done();
  verify(noted, file);
  if (!(noted.found > 0)) throw new Error("no finding was shown");
  if (noted.found >= noted.told) throw new Error("the first finding came with the report");
  await page.close();
  return { ms: noted.found - noted.dropped, asked: noted.asked - noted.dropped };
}
