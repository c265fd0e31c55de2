// From measurements to the numbers of the keys. A measurement is an object with the runs of each way: `{ product: [{ second: 812 }] }`.
// One that failed is `{ error }`; so is a way of another revision.

/** Whether a measurement belongs to a key: it is named by it, or its name goes on after that with a `/`. */
export const belongs = (id, { of }) => id === of || id.startsWith(`${of}/`);

/** The middle one; of two in the middle, their mean. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/**
 * Each key with its number, or `value: null`: the median of its numbers in the runs, because what slows the machine down in a run slows
 * down all of its ways. The note has the figures from which it comes, or says why there is none.
 */
export function results(keys, measures) {
  return keys.map((key) => {
    const { bound } = key;
    try {
      const all = figures(key, measures, "product");
      all.sort((a, b) => median(b.runs) - median(a.runs));
      const { name, note, runs } = bound.least === undefined ? all[0] : all.at(-1);
      const value = median(runs);
      const kept = bound.least === undefined ? value <= bound.most : value >= bound.least;
      return { key, value, kept, note: `${name && `${name}: `}${note}; ${range(runs)}` };
    } catch (error) {
      return { key, value: null, kept: null, note: error.message };
    }
  });
}

/** Each measurement of each key against that of another revision: what is new by what is old, run by run. */
export function comparisons(keys, measures) {
  return keys.flatMap((key) => {
    const better = key.bound.least === undefined ? "less" : "more";
    const group = Object.entries(measures).filter(([id]) => belongs(id, key));
    // What is computed from several measurements is compared once.
    const each = key.growth ? [measures] : group.map(([id, measured]) => ({ [id]: measured }));
    return each.map((measures) => {
      let name = "";
      try {
        const [now] = figures(key, measures, "product");
        name = now.name;
        const [before] = figures(key, measures, "old");
        const runs = now.runs.map((number, at) => number / before.runs[at]);
        if (!runs.every(Number.isFinite)) throw new Error("it is 0");
        return { key, name, better, now: median(now.runs), old: median(before.runs), ratio: median(runs), spread: range(runs) };
      } catch (error) {
        return { key, name, better, ratio: null, why: error.message };
      }
    });
  });
}

/** The numbers of a key, one for each run, of each of its measurements. `product` is the way that stands for the product. */
function figures(key, measures, product) {
  const all = Object.entries(measures)
    .filter(([id]) => belongs(id, key))
    .map(([id, measured]) => {
      if (measured.error) throw new Error(measured.error);
      const terms = key.run.split(" / ").map((term) => {
        const [way, field] = term.replace("product", product).split(".");
        const runs = way === "best" ? best(measured, field) : measured[way];
        if (!Array.isArray(runs)) throw new Error(runs?.error ?? `${way} was not measured`);
        const numbers = runs.map((run) => run[field]);
        if (!numbers.every(Number.isFinite)) throw new Error(`there is no ${field} of ${way}`);
        return { numbers, note: `${way} ${toText(median(numbers))}` };
      });
      const [above, below] = terms.map(({ numbers }) => numbers);
      const runs = below ? above.map((number, at) => number / below[at]) : above;
      return { name: id.slice(key.of.length + 1), runs, note: terms.map(({ note }) => note).join(", ") };
    });
  if (all.length < (key.growth ? 2 : 1)) throw new Error("nothing was measured");
  if (!key.growth) return all;
  const differences = all[0].runs.map((_, run) => {
    const numbers = all.map(({ runs }) => runs[run]);
    return Math.max(...numbers) - Math.min(...numbers);
  });
  return [{ name: "", runs: differences, note: all.map(({ name, note }) => `${name}: ${note}`).join(", ") }];
}

/** The runs of the rival whose median is least. */
function best({ product, old, ...rivals }, field) {
  const medianOf = (runs) => median(runs.map((run) => run[field]));
  return Object.values(rivals).reduce((one, other) => (medianOf(other) < medianOf(one) ? other : one));
}

/** A number, or a bound. */
export function toText(value) {
  if (typeof value === "object") return "least" in value ? `>= ${value.least}` : `<= ${value.most}`;
  return value.toFixed(Math.abs(value) < 100 ? 2 : 0);
}

/** From the least to the most of the runs. */
const range = (runs) => `${toText(Math.min(...runs))} to ${toText(Math.max(...runs))}`;

/** Rows of texts as lines, of which each column is as wide as its widest text. What is a number stands at the right. */
export function toLines(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  const pad = (text, at) => (/^([<>]= )?-?[\d.]+$|^-$/.test(text) ? text.padStart(widths[at]) : text.padEnd(widths[at]));
  return rows.map((row) => `${row.map(pad).join("  ").trimEnd()}\n`).join("");
}
