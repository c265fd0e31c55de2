// A blob for another thread. Node does not clone blobs that are files, and ends when a slice of one is read in another thread.
import { MessageChannel } from "node:worker_threads";

/** Bytes of one read. */
const CHUNK = 1 << 20;

/** Lends a blob to a thread, whose reads are answered until `end` is called. */
export function lend(blob) {
  const { port1: port, port2 } = new MessageChannel();
  port.on("message", async ({ number, from, to }) => {
    try {
      const bytes = await blob.slice(from, to).arrayBuffer();
      port.postMessage({ number, bytes }, [bytes]);
    } catch ({ name, message }) {
      // The name says what happened, and is not cloned.
      port.postMessage({ number, error: { name, message } });
    }
  });
  return { lent: { size: blob.size, port: port2 }, transfer: [port2], end: () => port.close() };
}

/** The blob in the thread to which it was lent. */
export function borrow({ size, port }) {
  const waiting = new Map();
  let last = 0;
  port.on("message", ({ number, bytes, error }) => {
    const { resolve, reject } = waiting.get(number);
    waiting.delete(number);
    if (error) reject(Object.assign(new Error(error.message), { name: error.name }));
    else resolve(bytes);
  });
  const read = (from, to) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      port.postMessage({ number: last, from, to });
    });
  return new Borrowed(read, 0, size);
}

/** A part of a blob of another thread. */
class Borrowed extends Blob {
  #read;
  #from;
  #to;

  constructor(read, from, to) {
    super();
    this.#read = read;
    this.#from = from;
    this.#to = to;
  }

  get size() {
    return this.#to - this.#from;
  }

  slice(from = 0, to = this.size) {
    const at = (offset) => this.#from + Math.min(Math.max(offset, 0), this.size);
    return new Borrowed(this.#read, at(from), Math.max(at(from), at(to)));
  }

  arrayBuffer() {
    return this.#read(this.#from, this.#to);
  }

  stream() {
    let at = this.#from;
    return new ReadableStream({
      pull: async (controller) => {
        const to = Math.min(at + CHUNK, this.#to);
        const bytes = at < to ? new Uint8Array(await this.#read(at, to)) : new Uint8Array();
        at += bytes.length;
        // A read that gives nothing is the end of a file that became shorter.
        if (bytes.length > 0) controller.enqueue(bytes);
        else controller.close();
      },
    });
  }
}
