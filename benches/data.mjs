// Makes the data of the benchmarks: `node data.mjs FOLDER PURPOSE:MIB...` writes FOLDER/NAME-MIB.EXTENSION for each set of records
// that is of this purpose, unless it is there already, and prints for each PURPOSE what its files are, as JSON. Seeded: the same names give the same bytes everywhere.

import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { SETS } from "./records.mjs";
import { Choices } from "./text.mjs";
import { ZipOfOne } from "./zip.mjs";

const MIB = 2 ** 20;
/** Text is made into bytes so much at a time. */
const BLOCK = 4 * MIB;

/** What made the data: other sources, other data. */
const SOURCES = createHash("sha256")
  .update(["data", "mistakes", "records", "text", "zip"].map((name) => readFileSync(fileURLToPath(new URL(`${name}.mjs`, import.meta.url)))).join("\0"))
  .digest("hex");

function seedOf(name) {
  return createHash("sha256").update(name).digest().readInt32LE();
}

/** Gives `take` the bytes of a set, about `mib` of them, and says how many records there are. */
function make(name, mib, take) {
  const { record, bad, head = () => "", between = "\n", tail = "\n" } = SETS[name];
  const choices = new Choices(seedOf(name));
  const most = mib * MIB;
  let records = 0;
  let wrong = 0;
  let bytes = 0;
  let parts = [head(0)];
  let length = 0;
  const flush = () => {
    const block = Buffer.from(parts.join(""));
    bytes += block.length;
    take(block);
    parts = [];
    length = 0;
  };
  while (bytes + length < most) {
    const isBad = bad(records);
    const text = record(choices, records, isBad);
    if (records > 0) parts.push(between);
    parts.push(text);
    // Characters are fewer than bytes; the end is a few records late, which does no harm.
    length += text.length + 1;
    records += 1;
    wrong += isBad ? 1 : 0;
    if (length >= Math.min(BLOCK, most)) flush();
  }
  parts.push(tail);
  flush();
  return { bytes, records, bad: wrong };
}

function write(path, name, mib) {
  const { extension, head } = SETS[name];
  const partial = `${path}.partial`;
  const file = openSync(partial, "w+");
  let made;
  if (extension === "zip") {
    const zip = new ZipOfOne((bytes) => writeSync(file, bytes), "samples.jsonl");
    made = make(name, mib, (block) => zip.add(block));
    made = { ...made, ...zip.end(), unpacked: made.bytes };
  } else {
    made = make(name, mib, (block) => writeSync(file, block));
    // A head that says how many records follow.
    if (head) writeSync(file, head(made.records), 0);
  }
  closeSync(file);
  renameSync(partial, path);
  return { ...made, bytes: statSync(path).size };
}

function obtain(folder, name, mib) {
  const set = SETS[name];
  const path = join(folder, `${name}-${mib}.${set.extension}`);
  const about = `${path}.about.json`;
  if (existsSync(path) && existsSync(about)) {
    const known = JSON.parse(readFileSync(about, "utf8"));
    if (known.sources === SOURCES && known.bytes === statSync(path).size) return { ...known, path };
  }
  console.error(`making ${name}, ${mib} MiB ...`);
  const known = { sources: SOURCES, name, mib, format: set.format, version: set.version, ...write(path, name, mib) };
  writeFileSync(about, JSON.stringify(known));
  return { ...known, path };
}

const [folder, ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const made = wanted.map((one) => {
  const [purpose, mib] = one.split(":");
  const names = Object.keys(SETS).filter((name) => SETS[name].of.includes(purpose));
  if (names.length === 0) throw new Error(`no set is of the purpose ${purpose}`);
  return names.map((name) => obtain(folder, name, Number(mib)));
});
console.log(JSON.stringify(made));
