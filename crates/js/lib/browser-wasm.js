// The wasm in browsers.
import { fetchWasm } from "./fetch-wasm.js";

// By default from beside this module. Bundlers know this form of an address.

/** Fetches the wasm. */
export const readWasm = (address = new URL("./evalcheck.wasm", import.meta.url)) => fetchWasm(address);

/** Fetches that of schemas. */
export const readSchemaWasm = (address = new URL("./schema.wasm", import.meta.url)) => fetchWasm(address);
