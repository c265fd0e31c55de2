// How much the tests try. `cargo xtask test` sets EVALCHECK_SUITE: `full` tries everything, `quick`, the default, a piece of each guard.

const { EVALCHECK_SUITE: suite = "quick" } = process.env;
if (!["quick", "full"].includes(suite)) throw new Error(`EVALCHECK_SUITE is "${suite}", and has to be quick or full`);

/** Whether everything is tried. */
export const isFull = suite === "full";

/**
 * A size of a test in this suite.
 * @template T
 * @param {T} quick @param {T} full
 */
export const sized = (quick, full) => (isFull ? full : quick);
