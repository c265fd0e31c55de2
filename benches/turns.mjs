// The ways of a measurement, in turn, in each run.

/**
 * Measured three times in each run: on a virtual machine reading alone takes up to three times as long in one page as in the next,
 * because it hands each 64 KiB through four threads that mostly wait. The ways that check vary by a tenth.
 */
const THRICE = new Set(["read"]);

/** Whether a way is what is built from another revision. What that lacks does not end the measurement. */
export const isOld = (way) => /^old\b/.test(way);

/**
 * Measures the ways in turn: `measure` returns an object of numbers for one, and `clean` puts away what an old revision left when it
 * failed. Returns for every way such an object for each run, or `{ error }`. For what is measured several times in a run it has the
 * means, and each of them (`each`).
 */
export async function inTurn({ ways, runs }, measure, clean) {
  const samples = Object.fromEntries(ways.map((way) => [way, []]));
  for (let run = 0; run < runs; run += 1) {
    const taken = Object.fromEntries(ways.map((way) => [way, []]));
    for (const way of order(ways, run)) {
      if (samples[way].error) continue;
      try {
        taken[way].push(await measure(way));
      } catch (error) {
        if (!isOld(way)) throw error;
        samples[way] = { error: String(error.message ?? error) };
        await clean();
      }
    }
    for (const way of ways) if (!samples[way].error) samples[way].push(ofOneRun(taken[way]));
  }
  return samples;
}

/** The ways of one run, in turn; those that are measured three times also before and after the others. */
function order(ways, run) {
  // Of two ways each goes before the other in every second run, and each is first as often as the others.
  const turned = ways.map((_, at) => ways[(at + (run >> 1)) % ways.length]);
  if (run % 2 === 1) turned.reverse();
  const around = turned.filter((way) => THRICE.has(way));
  return [...around, ...turned, ...around];
}

function ofOneRun(taken) {
  if (taken.length === 1) return taken[0];
  const mean = (key) => taken.reduce((sum, each) => sum + each[key], 0) / taken.length;
  return { ...Object.fromEntries(Object.keys(taken[0]).map((key) => [key, mean(key)])), each: taken };
}
