// Makes files for Evret, JSON and CSV, most of them with something wrong or odd in them.

import { breakText, Obj, places } from "../oracle/records.js";

/** A token that `JSON.stringify` would not write. */
class Raw {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

const TEXTS = ["a", "how high is the limit", "d1", "d2", " d1 ", "Größe, 日本語", 'a "quote"', "0", "None"];

/** White space to JSON, to Rust, to Python alone, and to nobody. */
const BLANKS = ["", " ", "\t", "\n", "\u00a0", "\u3000", "\u001c", "\u001f", " \u001d ", "\u200b", "\ufeff"];

const ODD = [
  null, true, false, 0, 1, 42, 1.5, -7, new Raw("-0"), new Raw("0.0"), new Raw("1e400"), new Raw("1e-400"), new Raw("NaN"),
  new Raw("-Infinity"), new Raw("01"), new Raw('"\\ud800"'), "", " ", "\u001c", "\u00a0", "text", [], {}, [[]], [{}], [null], [""],
  [" "], ["\u001f"], ["a", "a "], ["a", 1, true, null], { a: 1 }, { doc_id: "d1" },
];

const KEYS = [
  "query_id", "id", "query_text", "query", "relevant_doc_ids", "expected_answers", "relevant_docs", "expected_doc_ids",
  "doc_id", "text", "metadata", "queries", "documents", "answer", "Query_Text", "",
];

const LISTS = ["relevant_doc_ids", "expected_answers", "relevant_docs", "expected_doc_ids"];

/** As trees of the oracle are: objects as lists of members. */
function tree(value) {
  if (value instanceof Raw || value instanceof Obj) return value;
  if (Array.isArray(value)) return value.map(tree);
  if (value !== null && typeof value === "object") {
    return new Obj(Object.entries(value).map(([key, inner]) => [key, tree(inner)]));
  }
  return value;
}

function write(random, value) {
  const space = () => (random.chance(0.95) ? "" : random.of([" ", "\n", "\t", "\r\n"]));
  if (value instanceof Raw) return value.text;
  if (value instanceof Obj) {
    return `{${value.members.map(([key, inner]) => `${space()}${JSON.stringify(key)}:${space()}${write(random, inner)}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map((inner) => space() + write(random, inner)).join(",")}]`;
  return JSON.stringify(value);
}

const odd = (random) => tree(random.chance(0.3) ? random.of(BLANKS) : random.of(ODD));

const texts = (random) => Array.from({ length: random.below(3) }, () => random.of(TEXTS));

function query(random) {
  const fields = {
    [random.of(["query_id", "query_id", "id"])]: `q${random.below(50)}`,
    [random.of(["query_text", "query_text", "query"])]: random.of(TEXTS),
  };
  for (const list of random.chance(0.3) ? LISTS : [random.of(LISTS)]) {
    if (random.chance(0.8)) fields[list] = texts(random);
  }
  return tree(fields);
}

const document = (random) =>
  tree({ doc_id: `d${random.below(3)}`, text: random.of(TEXTS), ...(random.chance(0.3) && { metadata: { source: "a" } }) });

/** Changes one thing of a document. */
function spoilTree(random, root) {
  const all = places(root);
  const objects = all.map((place) => place.get()).filter((value) => value instanceof Obj);
  const members = objects.flatMap((object) => object.members);
  const object = random.of(objects.length > 0 ? objects : [new Obj([])]);
  switch (random.below(7)) {
    case 0:
      random.of(all).set(odd(random));
      break;
    case 1:
    case 2:
      if (members.length > 0) random.of(members)[1] = odd(random);
      break;
    case 3:
      object.members.splice(random.below(object.members.length + 1), random.below(2));
      break;
    case 4:
      object.members.push([random.of(KEYS), random.chance(0.5) ? odd(random) : texts(random)]);
      break;
    case 5:
      if (members.length > 0) random.of(members)[0] = random.of(KEYS);
      break;
    default:
      random.shuffle(object.members);
  }
}

export const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** The bytes of a text, rarely with a byte that is not UTF-8, and rarely behind a byte order mark. */
function encoded(random, text) {
  let bytes = Buffer.from(text);
  if (random.chance(0.02)) {
    const at = random.below(bytes.length + 1);
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([random.of([0xe9, 0xff, 0x80, 0xc3])]), bytes.subarray(at)]);
  }
  return random.chance(0.02) ? Buffer.concat([BYTE_ORDER_MARK, bytes]) : bytes;
}

/** @param {import("../oracle/random.js").Random} random */
export function json(random) {
  const members = [["queries", Array.from({ length: 1 + random.below(3) }, () => query(random))]];
  if (random.chance(0.5)) members.push(["documents", Array.from({ length: random.below(3) }, () => document(random))]);
  const root = { value: new Obj(members) };
  for (let spoils = random.below(3); spoils > 0; spoils -= 1) spoilTree(random, root);
  const text = write(random, root.value);
  return encoded(random, random.chance(0.06) ? breakText(random, text) : text);
}

const COLUMNS = ["query_text", "query", "query_id", "id", ...LISTS, "remarks"];

/** Cells of lists: JSON of every type, what is JSON to Python alone, what is nearly JSON, and plain values. */
const CELLS = [
  "d1", "d1,d2", "d1, d1", ",", "d1,", "[]", "[ ]", '["d1"]', '["d1", "d2"]', '["a","a "]', '[""]', '["\\u001c"]', "[1]", "[null, true]",
  '[["a"], {"b": 1}]', "[NaN]", "[-Infinity, 1]", "42", "-5", "+5", ".5", "01", "1_000", "0x1", "1e400", "1E5", "true", "false", "null",
  "None", "nan", "NaN", "Infinity", "-Infinity", '{"a": 1}', '{"a": NaN}', "{}", "{'a': 1}", "{", '"d1"', '"NaN', "['d1']", "[d1]", "[1,]",
  "[", '["a"', "=1+1", '["\\ud800"]', '["a\u001cb"]', '["a\tb"]', "\\", '"\\"', "42 43", "[1] [2]", '["a"],',
  "[".repeat(1_100), `${"[".repeat(1_100)}${"]".repeat(1_100)}`, `[${"1".repeat(4_300)}]`, `["a", -${"1".repeat(4_301)}]`, `${"1".repeat(4_301)} a`,
];

function cell(random, column) {
  const text = () => {
    if (random.chance(0.04)) return random.of(BLANKS);
    if (LISTS.includes(column)) return random.chance(0.4) ? "" : random.of(CELLS);
    return column.includes("id") ? `q${random.below(30)}` : random.of(TEXTS);
  };
  const around = () => (random.chance(0.96) ? "" : random.of(BLANKS));
  return random.chance(0.005) ? "é".repeat(131_071 + random.below(3)) : around() + text() + around();
}

/** A cell as it is written: rarely without the quotes that it needs, or with those that it does not. */
function quoted(random, text) {
  const needs = /[",\r\n]/.test(text);
  const quotes = random.chance(0.99) ? needs || random.chance(0.1) : !needs;
  return quotes ? `"${text.replaceAll('"', '""')}"` : text;
}

const WHITE_LINES = ["", "", " ", "\t", "  ", "\u00a0", "\u001c"];

/** Characters that a slip of the hand inserts or leaves out. */
const SLIPS = [",", '"', "\n", "\r", "\0", ";", " ", "[", "\ufeff"];

/** @param {import("../oracle/random.js").Random} random */
export function csv(random) {
  const others = random.shuffle(COLUMNS.slice(1)).slice(0, 1 + random.below(4));
  const columns = random.shuffle(random.chance(0.9) ? ["query_text", ...others] : others);
  if (random.chance(0.02)) columns.push(random.of(columns));
  const rows = Array.from({ length: random.chance(0.03) ? 0 : 1 + random.below(3) }, () => {
    const cells = columns.map((column) => quoted(random, cell(random, column)));
    if (random.chance(0.03)) cells.pop();
    if (random.chance(0.03)) cells.push("more");
    return cells.join(",");
  });
  const lines = [columns.map((column) => quoted(random, column)).join(","), ...rows];
  if (random.chance(0.08)) lines.splice(random.below(lines.length + 1), 0, random.of(WHITE_LINES));
  const end = random.of(["\n", "\n", "\r\n"]);
  let text = lines.join(end) + random.of(["", end, end, end + end]);
  if (random.chance(0.05)) {
    const at = random.below(text.length);
    text = text.slice(0, at) + (random.chance(0.7) ? random.of(SLIPS) : "") + text.slice(at + random.below(2));
  }
  return encoded(random, text);
}
