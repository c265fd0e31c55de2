// What is measured, and the keys of the summary, each of which is computed from one measurement. Their bounds are in bounds.json.

import { readFileSync } from "node:fs";

import { belongs } from "./figures.mjs";
import { RIVALS } from "./rivals.mjs";

/** `product` is what is built from this checkout; `product-2` is its page with two workers. */
const PRODUCT = ["product"];
const READ = ["product", "read"];

const PAGE = ["page", "browser"];
const COMMAND = ["command"];

/** The usual size of the data, in MiB, and that of large files. */
const USUAL = 256;
const LARGE = 1024;

/** Measured in the browser: by which driver, with the sets of which purpose, how large, which ways in turn, which search. */
const page = (measure, purpose, mib, ways, query) => ({ measure, purpose, mib, ways, query, needs: PAGE });

/** Measured with the command. */
const command = (measure, purpose, mib) => ({ measure, purpose, mib, ways: PRODUCT, needs: COMMAND });

/** All measurements. A purpose has one set of data or several; of several the name is followed by `/` and the name of the set. */
export const MEASUREMENTS = {
  mixed: page("race", "mixed", LARGE, READ),
  workers: page("race", "mixed", LARGE, ["product-2", "product-1", "read"]),
  short: page("race", "short", USUAL, ["product", "zod3"]),
  other: page("race", "other", USUAL, READ),
  csv: page("race", "csv", USUAL, READ),
  plain: page("race", "plain", USUAL, READ),
  json: page("race", "json", USUAL, READ),
  zip: page("race", "zip", USUAL, ["product", "inflate"]),
  "first-finding": page("firstFinding", "line-3", LARGE, PRODUCT),
  "longest-task": page("longestTask", "findings", LARGE, PRODUCT),
  // Both find the bad records, which have a role that JuryArena does not know.
  search: page("search", "mixed", LARGE, READ, "role:=tool"),
  "search-regex": page("search", "mixed", LARGE, READ, "/^tool$/"),
  "first-hit": page("firstHit", "mixed", LARGE, PRODUCT, "role:user"),
  jump: page("jump", "mixed", LARGE, PRODUCT),
  compare: page("compare", "mixed", LARGE, READ),
  fix: page("fix", "fixes", LARGE, PRODUCT),
  "memory/usual": page("memory", "mixed", USUAL, PRODUCT),
  "memory/large": page("memory", "mixed", LARGE, PRODUCT),
  sizes: { measure: "sizes", ways: PRODUCT, needs: ["page"], runs: 1 },
  cli: command("perCore", "mixed", LARGE),
  overview: command("statistics", "mixed", LARGE),
  jobs: command("threads", "mixed", LARGE),
  // The schema, which some of the ways take, is printed by the command.
  "rivals-page": { ...page("race", "rivals", USUAL, ["product", "zod4", "ajv"]), needs: [...PAGE, ...COMMAND] },
  rivals: { ...command("rival", "rivals", USUAL), ways: ["product", ...Object.keys(RIVALS)], needs: [...COMMAND, "rivals"] },
};

/** The bounds of the keys: `{ most }` or `{ least }` by name. */
export const BOUNDS = (() => {
  const { at_most, at_least, brotli_kb } = JSON.parse(readFileSync(new URL("bounds.json", import.meta.url), "utf8"));
  const sizes = Object.entries(brotli_kb).map(([name, most]) => [`${name}_brotli_kb`, { most }]);
  const all = (side, bounds) => Object.entries(bounds).map(([name, bound]) => [name, { [side]: bound }]);
  return Object.fromEntries([...all("most", at_most), ...all("least", at_least), ...sizes]);
})();

/**
 * A key: the measurement `of` which it is, its number in each `run` (a field of a way, or the quotient of two), what it is `about`. Of
 * several sets of data the one whose number is worst counts; with `growth` it is the difference of the largest and the least.
 */
const key = (name, of, run, about, growth = false) => ({ name, of, run, about, growth, bound: BOUNDS[name] });

/** Two keys: the second check in a page, and the first one in a page that has just been opened. */
const both = (name, of, [above, below], about) => [
  key(name, of, `${above}.second / ${below}.second`, about),
  key(`${name}_first`, of, `${above}.first / ${below}.first`, "the same, first check in a page"),
];

/** All keys, in the order of the table. */
export const KEYS = [
  ...both("jsonl_1gib_vs_read", "mixed", ["product", "read"], "JSONL, 1 GiB: time / reading alone"),
  key("page_workers_2_vs_1", "workers", "product-1.second / product-2.second", "the page, JSONL, 1 GiB: speed with two workers / with one"),
  key("page_workers_vs_reading", "workers", "product-2.second / read.second", "the page, JSONL, 1 GiB, two workers: time / reading alone"),
  ...both("jsonl_short_vs_zod3", "short", ["zod3", "product"], "JSONL, lines of 600 B: speed / JSON.parse and Zod 3"),
  ...both("jsonl_other_vs_read", "other", ["product", "read"], "the slowest other JSONL format: time / reading alone"),
  ...both("csv_vs_read", "csv", ["product", "read"], "CSV, the slowest format: time / reading alone"),
  ...both("plain_vs_read", "plain", ["product", "read"], "JSONL of no system, with its statistics: time / reading alone"),
  ...both("json_document_vs_read", "json", ["product", "read"], "one JSON document: time / reading alone"),
  ...both("zip_vs_decompressionstream", "zip", ["inflate", "product"], "ZIP, checksum compared: speed / DecompressionStream alone"),
  key("search_vs_read", "search", "product.second / read.second", "JSONL, 1 GiB, searched for a text: time / reading alone"),
  key("search_regex_vs_read", "search-regex", "product.second / read.second", "the same, searched for a regular expression"),
  key("first_hit_ms", "first-hit", "product.ms", "1 GiB file: from Enter to the first match on the screen, ms"),
  key("jump_ms", "jump", "product.ms", "1 GiB file: from a jump in the list of records to the records on the screen, ms"),
  key("compare_vs_read", "compare", "product.second / read.second", "1 GiB, compared with another version of it: time / reading both"),
  key("fix_vs_check", "fix", "product.fix / product.check", "1 GiB with 25,000 safe fixes: time to apply and check / time of a check"),
  key("diff_vs_check", "fix", "product.diff / product.check", "the diff of those fixes: time / time of a check"),
  key("memory_1gib_mib", "memory/large", "product.growth", "1 GiB file: growth of the page's process over the idle page, MiB"),
  key("wasm_memory_growth_mib", "memory", "product.wasm", "WebAssembly memory for 1 GiB beyond that for 256 MiB, MiB", true),
  key("first_finding_ms", "first-finding", "product.ms", "1 GiB file whose line 3 is bad: from the drop to the finding on the screen, ms"),
  key("longest_task_ms", "longest-task", "product.ms", "1 GiB with 1,000,000 findings, scrolled: longest task of the main thread, ms"),
  key("page_brotli_kb", "sizes", "product.page", "the page before a drop (HTML, CSS, JavaScript, WebAssembly), Brotli 11, kB"),
  key("engine_brotli_kb", "sizes", "product.engine", "the engine until a verdict, without the rest that is loaded after it, Brotli 11, kB"),
  key("regex_brotli_kb", "sizes", "product.regex", "regular expressions, which are loaded when a query first has one, Brotli 11, kB"),
  key("markdown_brotli_kb", "sizes", "product.markdown", "Markdown, which is loaded when a record is first rendered, Brotli 11, kB"),
  key("schema_brotli_kb", "sizes", "product.schema", "schemas of the user's own, which are loaded when a check first has one, Brotli 11, kB"),
  key("embed_brotli_kb", "sizes", "product.embed", "the script that other sites load for the embed, Brotli 11, kB"),
  key("cli_gbps_per_core", "cli", "product.gb_per_cpu_second", "the command, 1 GiB file: GB per second of processor time"),
  key("overview_vs_check", "overview", "product.stats / product.check", "the command, 1 GiB file: processor time with statistics / without"),
  key("cli_jobs_2_vs_1", "jobs", "product.one / product.two", "the command, 1 GiB file: speed with two threads / with one"),
  key("rivals_command", "rivals", "best.seconds / product.seconds", "the command, two formats: processor time of the best of seven rivals / its own"),
  key("rivals_page_ajv", "rivals-page", "ajv.second / product.second", "two formats: speed of the page / JSON.parse and ajv"),
  key("rivals_page_zod4", "rivals-page", "zod4.second / product.second", "two formats: speed of the page / JSON.parse and Zod 4"),
];

/** The keys of these names, in the order of the table; all when there is no name. `rivals_*` are those that begin so. */
export function choose(names) {
  const isMeant = (name, key) => (name.endsWith("*") ? key.name.startsWith(name.slice(0, -1)) : key.name === name);
  const unknown = names.find((name) => !KEYS.some((key) => isMeant(name, key)));
  if (unknown !== undefined) throw new Error(`there is no key "${unknown}"; \`cargo xtask bench --list\` lists them`);
  return KEYS.filter((key) => names.length === 0 || names.some((name) => isMeant(name, key)));
}

/** The measurements that keys come from, by their names. */
export function measurementsOf(keys) {
  return Object.entries(MEASUREMENTS).filter(([id]) => keys.some((key) => belongs(id, key)));
}
