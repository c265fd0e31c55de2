// The entry that holds its wasm and that of schemas.
import { api } from "./api.js";
import { fetchWasm } from "./fetch-wasm.js";
import packedSchemas from "./schema-inline.js";
import { unpacked } from "./unpacked.js";
import packed from "./wasm-inline.js";

export const { check, checkText, explain, fix, formats, init, version } = api({
  readWasm: (address) => (address ? fetchWasm(address) : unpacked(packed)),
  readSchemaWasm: (address) => (address ? fetchWasm(address) : unpacked(packedSchemas)),
});
