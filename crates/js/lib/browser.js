// The entry of browsers and bundlers.
import { api } from "./api.js";
import { readSchemaWasm, readWasm } from "./browser-wasm.js";

export const { check, checkInWorker, checkText, explain, fix, formats, init, terminateWorker, version } = api({
  readWasm,
  readSchemaWasm,
  startWorker,
});

function startWorker(chosen) {
  const worker = started(chosen);
  return {
    listen({ receive, fail }) {
      worker.addEventListener("message", ({ data }) => receive(data));
      worker.addEventListener("messageerror", () => fail("a message cannot be read"));
      // Without a message where its script cannot be loaded.
      worker.addEventListener("error", ({ message }) => fail(message || "its script cannot be loaded"));
    },
    post: (message) => worker.postMessage(message),
    lend: (blob) => ({ lent: blob, transfer: [], end() {} }),
    terminate: () => worker.terminate(),
  };
}

function started(chosen) {
  if (typeof chosen === "function") return chosen();
  if (chosen !== undefined) return new Worker(chosen, { type: "module" });
  return new Worker(new URL("./evalcheck-worker.js", import.meta.url), { type: "module" });
}
