// The wasm in Node.
import { readFile } from "node:fs/promises";

import { fetchWasm } from "./fetch-wasm.js";

/** Reads the wasm from an address; by default, from beside this module. */
export function readWasm(address = new URL("./evalcheck.wasm", import.meta.url)) {
  const url = new URL(address);
  return url.protocol === "file:" ? readFile(url) : fetchWasm(url);
}
