// Mistakes in datasets: first in the values of their lines, then in the text of the file.

/** Raw JSON, for what `JSON.stringify` cannot write. */
export const raw = (text) => `@raw:${text}@`;

const VALUES = [
  null, true, false, 0, 1, -1, 1.5, "", "x", [], ["x"], [[]], {}, { a: 1 }, { a: "b" },
  ...["1.0", "-0.0", "1e400", "9007199254740993", "NaN", "Infinity", "-Infinity"].map(raw),
];

/** What is put somewhere into the text. */
const PIECES = [
  "\r", "\r", "\u2028", "\u2029", "\u00a0", "\u3000", "\u0085", "\v", "\f", "\u001c", "\ufeff", "\t", " ", "\0", "é", "😀",
  "\n", "\r\n", "\n\n", ",", ":", "{", "}", "[", "]", '"', "\\", "\\ud800", "// x", "NaN", "'", "1", "null",
];

/** Lines that systems may take for empty. */
export const BLANK = ["", " ", "\t", "\u00a0", "\u3000\u00a0", "\v\f", "\u0085", "\u001c", "\ufeff", "\u2028", "\r", "\u200b"];

/** Every place of a value: the object or array that holds it, and its key. */
function places(value, found = []) {
  if (value === null || typeof value !== "object") return found;
  for (const key of Object.keys(value)) {
    found.push({ holder: value, key });
    places(value[key], found);
  }
  return found;
}

function remove({ holder, key }) {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/**
 * Changes one value of a dataset. `own` are values that mean something to its format.
 * @param {import("./support.js").Random} random @param {any[]} lines @param {any[]} own
 */
export function spoilValue(random, lines, own) {
  const all = places(lines);
  if (all.length === 0) return;
  const place = random.of(all);
  const { holder, key } = place;
  switch (random.below(8)) {
    case 0:
      remove(place);
      break;
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
      else {
        holder[random.of(["x", "Type", "text", "messages", `${key}_`])] = holder[key];
        if (random.chance(0.7)) delete holder[key];
      }
      break;
    case 2:
      holder[key] = structuredClone(random.of(all.map(({ holder, key }) => holder[key])));
      break;
    case 3:
      holder[key] = [holder[key]];
      break;
    case 4:
    case 5:
      holder[key] = structuredClone(random.of(own));
      break;
    default:
      holder[key] = structuredClone(random.of(VALUES));
  }
}

/** The text of a dataset, a value a line. */
export const write = (lines) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("").replaceAll(/"@raw:([^@]*)@"/g, "$1");

/**
 * Changes the text of a dataset.
 * @param {import("./support.js").Random} random @param {string} text
 */
export function spoilText(random, text) {
  const at = random.below(text.length + 1);
  const lines = text.split("\n");
  const line = random.below(lines.length);
  switch (random.below(12)) {
    case 0:
      return `\ufeff${text}`;
    case 1:
      return text.slice(0, at);
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + random.below(3));
    case 3:
      return lines.toSpliced(line, 0, random.of(BLANK)).join(random.of(["\n", "\n", "\r\n"]));
    case 4:
      return lines.with(line, random.of(BLANK) + lines[line] + random.of(BLANK)).join("\n");
    case 5:
      return lines.toSpliced(line, 1).join("\n");
    case 6:
      return lines.toSpliced(line, 0, lines[random.below(lines.length)]).join("\n");
    case 7:
      return text.replaceAll("\n", random.of(["\r\n", "\r", "\n\n", " \r\n"]));
    case 8: {
      // A key twice.
      const key = random.of([...text.matchAll(/"\w+":/g)]);
      return key ? text.slice(0, key.index) + `${key[0]}${random.of(["7,", "null,", '"text",'])}` + text.slice(key.index) : text;
    }
    default:
      return text.slice(0, at) + random.of(PIECES) + text.slice(at);
  }
}

/** The bytes of a text, at times with one that is not UTF-8. */
export function encode(random, text) {
  const bytes = Buffer.from(text);
  if (!random.chance(0.02)) return bytes;
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.of([0x80, 0xe9, 0xff])]), bytes.subarray(at)]);
}

/**
 * A dataset with up to two mistakes in its values and up to two in its text; every tenth has none.
 * @param {import("./support.js").Random} random @param {any[]} lines @param {any[]} own
 */
export function spoil(random, lines, own) {
  if (random.chance(0.1)) return Buffer.from(write(lines));
  const values = random.below(3);
  const texts = values === 0 ? 1 + random.below(2) : random.below(2);
  for (let i = 0; i < values; i += 1) spoilValue(random, lines, own);
  let text = write(lines);
  for (let i = 0; i < texts; i += 1) text = spoilText(random, text);
  return encode(random, text);
}
