// Makes records, spoils them, and writes them in the many ways that JSON allows.
//
// A value is a scalar, an array, or an `Obj`: a list of members, because a file can hold keys in any order and twice.

export class Obj {
  /** @param {[string, unknown][]} members */
  constructor(members) {
    this.members = members;
  }
}

/** @param {Record<string, unknown>} fields */
const obj = (fields) => new Obj(Object.entries(fields));

const TEXTS = [
  "Hi",
  "",
  " ",
  "What is 2 + 2?",
  "Größe in Zoll, 日本語, עברית, 👩‍👩‍👧",
  'quote " backslash \\ slash /',
  "tab\tline\nbreak\rreturn",
  "line\u2028separator\u2029",
  "\u007f\u0080\ufffd",
  "{\"role\":\"tool\"}",
  "x".repeat(31),
  "y".repeat(32) + '"',
  "z".repeat(63) + "é",
  "abc ".repeat(60),
];

const ROLES = ["system", "user", "assistant"];

const WRONG_ROLES = ["tool", "User", "user ", "", "function", "developer", "assistan", "assistants", "system\n", "usér", "null"];

const WRONG_TAGS = ["image", "Text", "", "file", "text ", "input_text", "image_url2", "file-ref"];

/** Some of these are in the prototype of every JavaScript object, or like a number, or nearly a key of the schema. */
const UNKNOWN_KEYS = [
  "id", "name", "metadata", "Input", "messages", "input", "role ", "contents", "text", "path", "type", "url", "",
  "0", "-1", "a.b", "__proto__", "constructor", "toString", "ключ", 'with "quotes"', "tab\there",
];

const NUMBERS = [0, 1, -1, 42, 0.5, -0.25, 1e21, 1e-7, 123456789, 3.141592653589793];

/** A value of any JSON type. */
function anything(random, depth = 0) {
  switch (random.below(depth > 2 ? 5 : 7)) {
    case 0:
      return null;
    case 1:
      return true;
    case 2:
      return false;
    case 3:
      return random.of(NUMBERS);
    case 4:
      return random.of(TEXTS);
    case 5:
      return Array.from({ length: random.below(4) }, () => anything(random, depth + 1));
    default:
      return new Obj(
        Array.from({ length: random.below(4) }, () => [random.of(UNKNOWN_KEYS), anything(random, depth + 1)]),
      );
  }
}

function part(random) {
  switch (random.below(3)) {
    case 0:
      return obj({ type: "text", text: random.of(TEXTS) });
    case 1:
      return obj({ type: "file_ref", path: random.of(["attachments/a.pdf", "attachments/b/c.png", "x", "../x"]) });
    default:
      return obj({ type: "image_url", image_url: obj({ url: "https://images.example/a.png" }) });
  }
}

function message(random) {
  const content = random.chance(0.5)
    ? random.of(TEXTS)
    : Array.from({ length: random.below(5) }, () => part(random));
  return obj({ role: random.of(ROLES), content });
}

/** A record that the reference accepts. */
export function record(random) {
  const messages = Array.from({ length: random.below(5) }, () => message(random));
  const fields = { input: obj({ messages }) };
  if (random.chance(0.2)) fields.json_schema = random.chance(0.5) ? obj({ type: "object" }) : objectOf(random);
  if (random.chance(0.7)) {
    const reserved = anything(random);
    fields.usage_output = typeof reserved === "number" || typeof reserved === "boolean" ? null : reserved;
  }
  return obj(fields);
}

const objectOf = (random) => obj({ [random.of(UNKNOWN_KEYS)]: anything(random) });

/** @typedef {{ get: () => unknown, set: (value: unknown) => void }} Place */

/** Every place of a tree that holds a value, from the root on. */
export function places(root) {
  /** @type {Place[]} */
  const found = [{ get: () => root.value, set: (value) => (root.value = value) }];
  for (let i = 0; i < found.length; i += 1) {
    const value = found[i].get();
    if (value instanceof Obj) {
      for (const member of value.members) {
        found.push({ get: () => member[1], set: (inner) => (member[1] = inner) });
      }
    } else if (Array.isArray(value)) {
      for (const index of value.keys()) {
        found.push({ get: () => value[index], set: (inner) => (value[index] = inner) });
      }
    }
  }
  return found;
}

/** Changes one thing of a record; often, but not always, it is wrong afterwards. */
export function spoil(random, root) {
  const all = places(root);
  // Deep places come more often than by their number: a change near the root leaves nothing below it to be wrong.
  const place = random.chance(0.05) ? all[0] : random.of(all.slice(random.below(all.length)));
  const value = place.get();
  const objects = all.map((each) => each.get()).filter((each) => each instanceof Obj);
  const someObject = objects.length > 0 ? random.of(objects) : null;
  switch (random.below(10)) {
    case 0:
    case 1:
      place.set(anything(random));
      break;
    case 2:
      someObject?.members.splice(random.below(someObject.members.length), 1);
      break;
    case 3:
      someObject?.members.push([random.of(UNKNOWN_KEYS), anything(random)]);
      break;
    case 4:
      place.set([value]);
      break;
    case 5:
      place.set(new Obj([[random.of(UNKNOWN_KEYS), value]]));
      break;
    case 6:
      spoilMember(random, objects, "role", () => (random.chance(0.7) ? random.of(WRONG_ROLES) : anything(random)));
      break;
    case 7:
      spoilMember(random, objects, "type", () => (random.chance(0.7) ? random.of(WRONG_TAGS) : anything(random)));
      break;
    case 8: {
      // The same key twice: readers take the last.
      if (!someObject || someObject.members.length === 0) break;
      const [key] = random.of(someObject.members);
      someObject.members.push([key, anything(random)]);
      break;
    }
    default: {
      const named = objects.filter((each) => each.members.length > 0);
      if (named.length === 0) break;
      const member = random.of(random.of(named).members);
      member[0] = random.of([member[0].toUpperCase(), `${member[0]}s`, member[0].slice(1), random.of(UNKNOWN_KEYS)]);
    }
  }
}

function spoilMember(random, objects, key, value) {
  const members = objects.flatMap(({ members: list }) => list.filter(([name]) => name === key));
  if (members.length > 0) random.of(members)[1] = value();
}

export function shuffle(random, root) {
  for (const place of places(root)) {
    const value = place.get();
    if (value instanceof Obj) random.shuffle(value.members);
  }
}

/** A record as one line of JSON. `plain` writes it as programs do, otherwise it is written in odd but allowed ways. */
export function write(random, value, plain = true) {
  const space = () => (plain || random.chance(0.8) ? "" : random.of([" ", "\t", "  ", " \t "]));
  const string = (text) => (plain ? JSON.stringify(text) : writeString(random, text));
  const go = (at) => {
    if (at instanceof Obj) {
      const members = at.members.map(([key, inner]) => `${space()}${string(key)}${space()}:${space()}${go(inner)}${space()}`);
      return `{${members.join(",") || space()}}`;
    }
    if (Array.isArray(at)) return `[${at.map((inner) => `${space()}${go(inner)}${space()}`).join(",") || space()}]`;
    if (typeof at === "string") return string(at);
    if (typeof at === "number" && !plain) return random.of([String(at), at.toExponential(), at.toExponential().replace("e", "E")]);
    return JSON.stringify(at);
  };
  return go(value);
}

/** A string with some of its characters escaped that need not be. */
function writeString(random, text) {
  let out = "";
  for (let i = 0; i < text.length; i += 1) {
    const unit = text[i];
    if (random.chance(0.1)) {
      const digits = text.charCodeAt(i).toString(16).padStart(4, "0");
      out += `\\u${random.chance(0.5) ? digits : digits.toUpperCase()}`;
    } else if (unit === "/" && random.chance(0.5)) {
      out += "\\/";
    } else {
      out += JSON.stringify(unit).slice(1, -1);
    }
  }
  // A half of a pair that stands alone is written as an escape by `JSON.stringify`, which joins it to the other half
  // when that is an escape too, and not otherwise: such a string is written in the plain way.
  return JSON.parse(`"${out}"`) === text && !/\\u[dD][89abAB]../.test(out) ? `"${out}"` : JSON.stringify(text);
}

/** Characters that a slip of the hand inserts. None is white space to a JavaScript reader and not to JSON. */
const SLIPS = [..."{}[]:,\"'\\0123456789+-.eEtfnu x/*#a"];

/** Changes the text of a record at one place, so that it is hardly JSON any more. */
export function breakText(random, text) {
  const at = random.below(text.length);
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + random.of(SLIPS) + text.slice(at);
    case 2:
      return text.slice(0, at) + random.of(SLIPS) + text.slice(at + 1);
    case 3:
      return text.slice(0, at);
    default:
      return text + random.of([",", "{}", " null", "]", "}", "//", " #", "\"", "\\", ";"]);
  }
}
