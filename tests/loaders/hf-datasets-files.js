// Makes files for Hugging Face datasets: JSONL, arrays and CSV of any keys, most of them with types that a table cannot hold as they are.

import { encode, raw, spoilText, spoilValue, write } from "./mutate.js";

const TEXTS = ["a", "Which is the capital of Chad?", "Größe, 日本語", 'a "quote"', "", "N'Djamena", "None", "12,5"];

/** Texts that become something else in a column of several types. */
const PARSED = ["42", "-1.5", "007", "true", "null", "-", "[1]", '{"x": 1}', "NaN", " 5 ", "1e3"];

const DATES = ["2024-05-01", "1969-07-20T20:17:40Z", "2024-01-01 10:00", "2024-01-01T10:00:00+02:00"];

const NUMBERS = [0, 1, -7, 2.5, 0.0072973525693, 1e-12, 3.25e10, raw("1.0"), raw("12345678901234567.5"), raw("9223372036854775808"), raw("123456789012345678901"), raw("18446744073709551616"), raw("100000000000000000000.0")];

/** Makers of the values of a column. */
const COLUMNS = [
  (random) => random.of(TEXTS),
  (random) => random.of(TEXTS),
  (random) => random.of([1, 2, 3, -5]),
  (random) => random.of(NUMBERS.slice(0, 7)),
  (random) => random.chance(0.5),
  (random) => random.of(DATES),
  (random) => Array.from({ length: random.below(3) }, () => random.of(TEXTS)),
  (random) => ({ source: random.of(TEXTS), year: 2000 + random.below(30) }),
  (random) => [{ role: "user", content: random.of(TEXTS) }, { role: "assistant", content: random.of([...TEXTS, ...PARSED]) }],
  () => null,
];

/** Values for any column. */
const ODD = [...PARSED, ...DATES, ...NUMBERS, null, true, "text", [], {}, [null], ["a", 1], { a: 1 }, { source: 1 }, [{ type: "text", text: "a" }], [{}]];

const KEYS = ["id", "question", "answer", "choices", "messages", "meta", "type", "message", "created_at", "a b", "a.b"];

function records(random) {
  const columns = Array.from({ length: 1 + random.below(4) }, () => [random.of(KEYS), random.of(COLUMNS)]);
  return Array.from({ length: 1 + random.below(5) }, () => {
    const members = columns.filter(() => random.chance(0.95)).map(([key, make]) => [key, make(random)]);
    return Object.fromEntries(members);
  });
}

/** @param {import("./support.js").Random} random */
function spoiled(random) {
  const lines = records(random);
  for (let changes = random.below(4); changes > 0; changes -= 1) spoilValue(random, lines, ODD);
  return lines;
}

/** @param {import("./support.js").Random} random */
export function jsonl(random) {
  let text = write(spoiled(random));
  if (random.chance(0.15)) text = spoilText(random, text);
  return encode(random, text);
}

/** @param {import("./support.js").Random} random */
export function json(random) {
  const lines = write(spoiled(random)).trimEnd().split("\n");
  let text = `[${lines.join(random.of([",", ",\n", ", "]))}]`;
  if (random.chance(0.1)) [text] = lines;
  if (random.chance(0.1)) text = spoilText(random, text);
  return encode(random, text);
}

const CELLS = [
  "a", "b c", "7", "007", "+1", " 1", "1.50", "1e5", "-0.25", "true", "FALSE", "NA", "None", "null", "n/a", "none", "", "2024-05-01", '"x, y"', '"a ""b"""',
  "18446744073709551615", "18446744073709551616", "1_000", "inf", "-", "5%",
];

/** @param {import("./support.js").Random} random */
export function csv(random) {
  const width = 1 + random.below(4);
  const header = Array.from({ length: width }, (_, index) => ["id", "question", "answer", "note"][index]);
  // Cells of one kind in most columns.
  const kinds = header.map(() => (random.chance(0.5) ? CELLS : random.of([CELLS.slice(2, 5), CELLS.slice(6, 9), CELLS.slice(9, 12), CELLS.slice(0, 3)])));
  const rows = Array.from({ length: 1 + random.below(5) }, () => kinds.map((cells) => random.of(cells)));
  let text = [header, ...rows].map((cells) => `${cells.join(",")}\n`).join("");
  if (random.chance(0.4)) text = spoilText(random, text);
  return encode(random, text);
}

/** A file whose second line is in the second piece of 10 MiB. Their sizes allow only a few such files. */
const inPieces = (name, first, ...rest) => {
  const lines = rest.map((members) => `{"p":""${members}}\n`).join("");
  return { name: `${name}.jsonl`, content: `{"p":"${"x".repeat(10 << 20)}","a":${first}}\n${lines}` };
};

/** A table whose last rows are in the second piece of 10,000. */
const inRows = (name, first, ...rest) => {
  const rows = [...Array.from({ length: 10_000 }, () => first), ...rest];
  return { name: `${name}.csv`, content: `p,a\n${rows.map((cell) => `x,${cell}\n`).join("")}` };
};

/** Values of a later piece, which are converted to the type of the first one, or refused. */
export const later = [
  inPieces("late-null-key", '"t"', ',"b":null'),
  inPieces("list-for-text", '"t"', ',"a":["x"]'),
  inPieces("object-for-text", '"t"', ',"a":{"x":1}'),
  inPieces("number-for-text", '"t"', ',"a":5'),
  inPieces("mixture", '"t"', ',"a":5', ',"a":"u"'),
  inPieces("date-for-text", '"t"', ',"a":"2024-01-28"'),
  inPieces("whole-float", "1", ',"a":2.0'),
  inPieces("fraction", "1", ',"a":1.5'),
  inPieces("digits", "1", ',"a":"017"', ',"a":null'),
  inPieces("plus", "1", ',"a":"+17"'),
  inPieces("boolean-for-number", "0.5", ',"a":true'),
  inPieces("number-for-boolean", "true", ',"a":2'),
  inPieces("mixed-booleans", "true", ',"a":true', ',"a":5'),
  inPieces("wide", "0.5", ',"a":9007199254740993'),
  inPieces("wide-beside-float", "0.5", ',"a":9007199254740993', ',"a":0.5'),
  inPieces("float-text", "0.5", ',"a":"+1"'),
  inPieces("text-for-time", '"2024-01-01"', ',"a":"2024"'),
  inPieces("number-for-time", '"2024-01-01"', ',"a":5'),
  inPieces("elements", "[1]", ',"a":["5"]'),
  inPieces("null-column", "null", ',"a":[]'),
  { name: "blank.jsonl", content: `{"p":"","a":1}\n{"p":"${"x".repeat(10 << 20)}","a":"t"}\n\n{"p":"","a":"u"}\n` },
  { name: "big.jsonl", content: `{"p":"","a":{"x":1}}\n{"p":"${"x".repeat(10 << 20)}","a":{"y":2}}\n{"p":"","a":{"x":123456789012345678904321}}\n` },
  inRows("zero", "t", "010000"),
  inRows("huge", "t", "184467440737095516150"),
  inRows("unsigned", "1", "9223372036854775808"),
  inRows("negative", "18446744073709551615", "-1"),
  inRows("empty-number", "", "5"),
  inRows("empty-text", "", "x"),
  inRows("bits", "true", "1", "0"),
  inRows("boolean", "1", "True"),
  inRows("boolean-and-bit", "1", "true", "0"),
  inRows("wide-cell", "0.5", "9007199254740993"),
];
