// The worker of Node, a thread.
import { parentPort } from "node:worker_threads";

import { api } from "./api.js";
import { borrow } from "./node-blob.js";
import { readSchemaWasm, readWasm } from "./node-wasm.js";
import { answers } from "./worker-server.js";

parentPort.on("message", answers(api({ readWasm, readSchemaWasm }), (message) => parentPort.postMessage(message), borrow));
