// The module worker of browsers.
import { api } from "./api.js";
import { readSchemaWasm, readWasm } from "./browser-wasm.js";
import { answers } from "./worker-server.js";

const receive = answers(api({ readWasm, readSchemaWasm }), (message) => postMessage(message));
addEventListener("message", ({ data }) => receive(data));
