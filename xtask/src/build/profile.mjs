// Prints the numbers of the functions of an instrumented engine that run until the verdicts on the examples of most formats:
// `node profile.mjs WORKER_SCRIPT INSTRUMENTED_ENGINE FOLDER`. The worker's script runs here, in what it needs of a worker's scope.
// split.rs makes the instrumented engine, and FOLDER holds the examples: all files of JSON, JSONL and CSV in it.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runInThisContext } from "node:vm";

const [script, engine, folder] = process.argv.slice(2);

/** The size of a file that is not read at once. */
const LARGE = 3 << 19;

// Every look at the clock takes long, so that all that happens after some time happens.
let time = 0;
performance.now = () => (time += 10);

const ran = new Set();
const module = await WebAssembly.compile(readFileSync(engine));
let exports;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (other, imports) => {
  // Node.js has modules of its own.
  if (other !== module) return instantiate(other, imports);
  const instance = await instantiate(module, { ...imports, profile: { hit: (number) => ran.add(number) } });
  ({ exports } = instance);
  return instance;
};

/** A file that a worker can read at once. */
class BytesFile extends Blob {
  constructor(bytes, name) {
    super([bytes]);
    // A Buffer's `slice` does not copy.
    Object.assign(this, { bytes: new Uint8Array(bytes), name, lastModified: 0 });
  }

  slice(from, to) {
    return new BytesFile(this.bytes.subarray(from, to), this.name);
  }
}

let received = () => {};
Object.assign(globalThis, {
  self: globalThis,
  File: BytesFile,
  FileReaderSync: class {
    readAsArrayBuffer(blob) {
      return blob.bytes.slice().buffer;
    }
  },
  addEventListener() {},
  close() {},
  postMessage(message) {
    if (message.name === "died") throw new Error(message.message);
    received(message.name);
  },
});

/** Waits for an event of the engine. */
const event = (name) => new Promise((resolve) => (received = (other) => other === name && resolve()));

const source = readFileSync(script, "utf8");

/** Starts the script of a worker, and the engine. */
async function start(name) {
  globalThis.name = name;
  // Its names must not be taken when it runs again.
  runInThisContext(`{${source}}`);
  await globalThis.onmessage({ data: { engine: module, onDemand: {}, workers: 1 } });
}

// A helper has begun before the rest of the engine can be loaded.
await start("evalcheck-helper");
const ready = event("ready");
await start("evalcheck");
await ready;

/** Posts a command as the page does: its bytes begin with its number and that of the check. */
function post(name, bytes, file) {
  const command = new Uint8Array(bytes);
  globalThis.onmessage({ data: { name, command, file, size: file?.size, lastModified: file?.lastModified } });
}

let checks = 0;
async function check(bytes, name) {
  checks += 1;
  const report = event("report");
  // The options and what follows them are absent: a zero for each, and four for the length of each of two lists.
  post("check", [CHECK, ...number(checks), ...Array(ABSENT).fill(0)], new BytesFile(bytes, name));
  await report;
}

const CHECK = 0;
const ABSENT = 16;
const PING = 10;
const number = (value) => [value & 255, value >> 8, 0, 0];

/** The folders of formats whose code is loaded when a file of theirs is detected. */
const LATER = ["plain", "openai_finetune", "openai_batch", "promptfoo", "deepeval", "hf_datasets", "tencent", "quest_results"];

const isExample = (path) => /\.(jsonl?|csv)$/.test(path) && !LATER.some((format) => path.startsWith(format));
const examples = readdirSync(folder, { recursive: true }).filter(isExample);
for (const example of examples.sort()) {
  const [bytes, name] = [readFileSync(join(folder, example)), basename(example)];
  await check(bytes, name);
  // Several reads, with progress and turns of the event loop between them.
  if (name.endsWith(".jsonl")) await check(Buffer.concat(Array(Math.ceil(LARGE / bytes.length)).fill(bytes)), name);
}
const pong = event("pong");
post("ping", [PING]);
await pong;

// What loads the rest cannot be in it.
globalThis.XMLHttpRequest = class {
  constructor() {
    throw new Error("there is no rest");
  }
};
try {
  exports.load_rest();
} catch (error) {
  if (error.message !== "there is no rest") throw error;
}
console.log(JSON.stringify([...ran]));
process.exit(0);
