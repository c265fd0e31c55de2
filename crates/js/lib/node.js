// The entry of Node, which reads the wasm from disk.
import { Worker } from "node:worker_threads";

import { api } from "./api.js";
import { lend } from "./node-blob.js";
import { readSchemaWasm, readWasm } from "./node-wasm.js";

export const { check, checkInWorker, checkText, explain, fix, formats, init, terminateWorker, version } = api({
  readWasm,
  readSchemaWasm,
  startWorker,
});

function startWorker(chosen) {
  const worker = started(chosen);
  // An idle worker does not keep the process alive.
  worker.unref();
  let checks = 0;
  return {
    listen({ receive, fail }) {
      worker.on("message", receive);
      worker.on("messageerror", () => fail("a message cannot be read"));
      worker.on("error", (error) => fail(error.message));
      worker.on("exit", (code) => fail(`it ended with ${code}`));
    },
    post: (message, transfer) => worker.postMessage(message, transfer),
    lend(blob) {
      if (checks === 0) worker.ref();
      checks += 1;
      const { lent, transfer, end } = lend(blob);
      const done = () => {
        end();
        checks -= 1;
        if (checks === 0) worker.unref();
      };
      return { lent, transfer, end: done };
    },
    terminate: () => worker.terminate(),
  };
}

function started(chosen) {
  if (typeof chosen === "function") return chosen();
  // Some flags of the process are not for threads.
  if (chosen !== undefined) return new Worker(new URL(chosen), { execArgv: [] });
  return new Worker(new URL("./node-worker.js", import.meta.url), { execArgv: [] });
}
