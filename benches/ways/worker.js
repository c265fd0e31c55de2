// Other ways to read and to check a file, each written as well as it can be. Their results are compared with what the file was
// made with, so that none is fast because it does less.

import { Ajv } from "ajv";

import { sample } from "../../tests/oracle/schema.js";
import { FORMATS } from "../rivals/node/zod4.mjs";

const WAYS = {
  read,
  inflate: (file, { packedAt, packed }) => inflate(file.slice(packedAt, packedAt + packed)),
  zod3: (file) => checkLines(file, (value) => sample.safeParse(value).success),
  zod4: (file, { format }) => checkLines(file, (value) => FORMATS[format].safeParse(value).success),
  // Its strict mode is about how a schema is written.
  ajv: (file, { schema }) => checkLines(file, new Ajv({ strict: false }).compile(schema)),
};

/** Held here, because Chromium 156 collects a stream that only a pending read refers to, and the read never returns. */
let held;

/** Reading alone, the floor: one buffer goes to the browser and back. */
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

/** What people write today: the file as a stream of text, split into lines, parsed, and validated. */
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

addEventListener("message", async ({ data: { way, file, options } }) => {
  try {
    postMessage(await WAYS[way](file, options));
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
postMessage({});
