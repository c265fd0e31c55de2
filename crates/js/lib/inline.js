// The entry that holds its wasm, for places without a second file. That of schemas would make it twice as large for all.
import { api } from "./api.js";
import { fetchWasm } from "./fetch-wasm.js";
import { unpacked } from "./unpacked.js";
import packed from "./wasm-inline.js";

export const { check, checkText, explain, fix, formats, init, version } = api({
  readWasm: (address) => (address ? fetchWasm(address) : unpacked(packed)),
  async readSchemaWasm(address) {
    if (address) return fetchWasm(address);
    throw new Error('evalcheck/inline holds no module for the option `schema`: import "evalcheck/inline-schemas" instead, or say where it is by init({ schemaWasm })');
  },
});
