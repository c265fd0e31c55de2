// The wasm in Node.
import { readFile } from "node:fs/promises";

import { fetchWasm } from "./fetch-wasm.js";

// By default from beside this module.

/** Reads the wasm from an address. */
export const readWasm = (address = new URL("./evalcheck.wasm", import.meta.url)) => read(new URL(address));

/** Reads that of schemas. */
export const readSchemaWasm = (address = new URL("./schema.wasm", import.meta.url)) => read(new URL(address));

const read = (url) => (url.protocol === "file:" ? readFile(url) : fetchWasm(url));
