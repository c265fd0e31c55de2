// What the option `schema` can be.
import { isFileName } from "./dataset.js";

const EXPECTED = "expected the text of a JSON Schema, an object { name, text }, the schema as a plain object, or an array of these";

/** The options with their schema as a list of files `{ name, text }`. What are no options stays what it is: the check says so. */
export function withSchemaFiles(options) {
  if (typeof options !== "object" || options === null || options.schema === undefined) return options;
  return { ...options, schema: files(options.schema) };
}

function files(schema) {
  const all = Array.isArray(schema) ? schema : [schema];
  if (all.length === 0) throw wrong("an empty array");
  return all.map(file);
}

/** A file. Without a name it has one that tells it from the others. */
function file(part, index) {
  const name = index === 0 ? "schema" : `schema-${index + 1}`;
  if (typeof part === "string") {
    if (isFileName(part)) throw wrong(`"${part}", the name of a file: read it first`);
    return { name, text: part };
  }
  if (!isPlain(part)) throw wrong(kind(part));
  if (typeof part.text !== "string") return { name, text: json(part) };
  if (part.name !== undefined && typeof part.name !== "string") throw wrong("a name that is not a string");
  return { name: part.name ?? name, text: part.text };
}

/** Whether a value can be a schema itself: all others have keys that `JSON.stringify` does not see, so that they would allow everything. */
function isPlain(value) {
  if (typeof value !== "object" || value === null || Symbol.toStringTag in value) return false;
  const prototype = Object.getPrototypeOf(value);
  // That of another frame has none either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function json(schema) {
  try {
    return JSON.stringify(schema);
  } catch (error) {
    throw new TypeError(`schema: ${error.message}`);
  }
}

function kind(value) {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  return Array.isArray(value) ? "an array in an array" : value[Symbol.toStringTag] ?? value.constructor?.name;
}

const wrong = (found) => new TypeError(`schema: ${EXPECTED}, not ${found}`);
