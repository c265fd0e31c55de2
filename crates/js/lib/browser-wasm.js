// The wasm in browsers.
import { fetchWasm } from "./fetch-wasm.js";

/** Fetches the wasm; by default from beside this module. Bundlers know this form of an address. */
export const readWasm = (address = new URL("./evalcheck.wasm", import.meta.url)) => fetchWasm(address);
