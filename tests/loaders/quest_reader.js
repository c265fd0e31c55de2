// A model of Quest's reader, and of its document where that forbids more. Written from their descriptions, not from evalcheck.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const isWhole = (value) => Number.isInteger(value) && value > 0;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";

const isMessages = (value, roles) =>
  Array.isArray(value) && value.every((turn) => isObject(turn) && roles.includes(turn.role) && isText(turn.content));

const TYPES = {
  text_completion: ({ prompt, completion }) => isText(prompt) && isText(completion),
  chat_completion: ({ prompt, completion }) =>
    isMessages(prompt, ["user", "assistant", "system"]) && isMessages(completion, ["assistant"]),
  text: ({ text }) => isText(text),
};

/** The metadata of the first line, or why it is refused. */
function readMetadata(line) {
  if (line === undefined || line.trim() === "") throw new Error("the file is empty");
  const metadata = JSON.parse(line);
  if (!metadata.total_samples || !metadata.sample_type || !metadata.samples_per_line) throw new Error("invalid metadata");
  return metadata;
}

async function linesOf(path) {
  const lines = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) lines.push(line);
  return lines;
}

/** The samples of a line; it is dropped when this throws. */
function readSamples(line, metadata) {
  const samples = JSON.parse(line);
  if (!Array.isArray(samples)) throw new Error("not an array");
  if (samples.length !== metadata.samples_per_line) throw new Error("wrong number of samples");
  if (samples.some((sample) => sample.type !== metadata.sample_type)) throw new Error("wrong type of sample");
  return samples;
}

/** What the document forbids in what the reader takes; null for nothing. */
function forbidden(metadata, samples) {
  if (!isWhole(metadata.total_samples) || !isWhole(metadata.samples_per_line)) return "a count is not a whole number";
  if (!isText(metadata.sample_type) || !Object.hasOwn(TYPES, metadata.sample_type)) return "unknown sample_type";
  const hidden = metadata.hidden_metadata;
  if (!Array.isArray(hidden) || !hidden.every(isText)) return "hidden_metadata is not an array of strings";
  const ids = new Set();
  for (const sample of samples) {
    if (!isText(sample.id)) return "an id is not a string";
    if (ids.has(sample.id)) return "an id is repeated";
    ids.add(sample.id);
    const { metadata: own } = sample;
    if (own !== undefined && !(isObject(own) && Object.values(own).every(isText))) return "metadata is not an object of strings";
    if (!TYPES[metadata.sample_type](sample)) return "a sample is not as its type says";
  }
  return null;
}

/**
 * What Quest holds of a file: by the numbers of the lines that are not blank the samples of each, and whether it holds them.
 * @param {string} path
 * @returns {Promise<Map<number, { state: "held" | "dropped" | "refused", samples?: any }>>} every line is refused where it
 *   refuses the file
 */
export async function hold(path) {
  const [first, ...others] = await linesOf(path);
  let metadata;
  try {
    metadata = readMetadata(first);
  } catch {
    metadata = null;
  }
  const held = (line) => {
    if (metadata === null) return { state: "refused" };
    try {
      return { state: "held", samples: readSamples(line, metadata) };
    } catch {
      return { state: "dropped" };
    }
  };
  const numbered = others.map((line, index) => [index + 2, line]);
  return new Map(numbered.filter(([, line]) => line.trim() !== "").map(([number, line]) => [number, held(line)]));
}

/**
 * What Quest makes of a file.
 * @param {string} path
 * @returns {Promise<{ refused: string | null, forbidden: string | null }>} why the reader refuses the file or drops a line of
 *   it, and what the document forbids all the same
 */
export async function read(path) {
  const lines = await linesOf(path);
  try {
    const [first, ...others] = lines;
    const metadata = readMetadata(first);
    const samples = others.filter((line) => line.trim() !== "").flatMap((line) => readSamples(line, metadata));
    return { refused: null, forbidden: forbidden(metadata, samples) };
  } catch (error) {
    return { refused: error.message, forbidden: null };
  }
}
