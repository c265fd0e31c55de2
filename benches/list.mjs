// Says of keys what xtask needs to know: `node list.mjs KEY...` prints JSON; without a key it is about all of them.

import { toText } from "./figures.mjs";
import { choose, measurementsOf } from "./keys.mjs";

try {
  const keys = choose(process.argv.slice(2));
  const about = ({ name, about, bound }) => ({ name, about, bound: toText(bound) });
  const needs = new Set(measurementsOf(keys).flatMap(([, { needs }]) => needs));
  console.log(JSON.stringify({ keys: keys.map(about), needs: [...needs] }));
} catch (error) {
  console.error(`evalcheck: ${error.message}`);
  process.exitCode = 1;
}
