// From the drop of a file to its first finding on the screen, in milliseconds for each run.

import { verify } from "./bench.mjs";

export async function firstFinding(bench, { file, runs }) {
  bench.warm(file.path);
  const samples = [];
  for (let run = 0; run < runs; run += 1) {
    const page = await bench.product();
    await page.drop(file.path);
    const noted = await page.done();
    verify(noted, file);
    if (!(noted.found > 0)) throw new Error("no finding was shown");
    if (noted.found >= noted.told) throw new Error("the first finding came with the report");
    samples.push({ ms: noted.found - noted.dropped, asked: noted.asked - noted.dropped });
    await page.close();
  }
  return samples;
}
