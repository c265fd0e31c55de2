// The entry that holds its wasm, for places without a second file.
import { api } from "./api.js";
import { fetchWasm } from "./fetch-wasm.js";
import packed from "./wasm-inline.js";

export const { check, checkText, explain, fix, formats, init, version } = api((address) => (address ? fetchWasm(address) : unpacked()));

/** The wasm: base64 of gzip. */
async function unpacked() {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
