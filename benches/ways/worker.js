// Other ways to read and to check a file, each as well as it can be written. What they say is compared, so that none is fast
// because it does less.

import Ajv from "ajv";

import { sample } from "../../tests/oracle/schema.js";

/** Each prepares itself, and gives what takes a file. */
const WAYS = {
  read: () => read,
  "default-read": () => readByDefault,
  inflate: ({ packedAt, packed }) => (file) => inflate(file.slice(packedAt, packedAt + packed)),
  parse: () => (file) => checkLines(file, () => true),
  zod3: () => (file) => checkLines(file, (value) => sample.safeParse(value).success),
  ajv: ({ schema }) => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    return (file) => checkLines(file, validate);
  },
};

/**
 * The reader at work. Chromium 156 collects a stream that nothing holds but the read that waits for it, and the read never
 * comes back: a file of 4 GiB was rarely read to its end.
 */
let held;

/** Reading alone: the floor. One buffer goes to the browser and back. */
async function read(file) {
  const reader = (held = file.stream().getReader({ mode: "byob" }));
  let buffer = new ArrayBuffer(1 << 20);
  let bytes = 0;
  for (;;) {
    const min = Math.min(buffer.byteLength, file.size - bytes);
    if (min === 0) return { bytes };
    const { value, done } = await reader.read(new Uint8Array(buffer), { min });
    bytes += value?.byteLength ?? 0;
    if (done) return { bytes };
    buffer = value.buffer;
  }
}

async function readByDefault(file) {
  return { bytes: await drain(file.stream()) };
}

async function inflate(packed) {
  return { bytes: await drain(packed.stream().pipeThrough(new DecompressionStream("deflate-raw"))) };
}

async function drain(stream) {
  const reader = (held = stream.getReader());
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return bytes;
    bytes += value.byteLength;
  }
}

/** What people write: the file as a stream of text, split into lines, parsed, and validated. */
async function checkLines(file, accepts) {
  const reader = (held = file.stream().pipeThrough(new TextDecoderStream()).getReader());
  let [records, bad, rest] = [0, 0, ""];
  const check = (line) => {
    if (line === "") return;
    records += 1;
    try {
      if (!accepts(JSON.parse(line))) bad += 1;
    } catch {
      bad += 1;
    }
  };
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) check(line);
  }
  check(rest);
  return { bytes: file.size, records, bad };
}

let way;
addEventListener("message", async ({ data }) => {
  try {
    if (data.prepare) {
      way = WAYS[data.prepare.way](data.prepare.options);
      postMessage({});
    } else {
      postMessage(await way(data.file));
    }
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
postMessage({});
