// `checkInWorker`: checks in one worker, which is started when it is first used.
import { asBlob } from "./dataset.js";
import { withSchemaFiles } from "./schema-option.js";

/**
 * `check` and `terminate` for a worker that `start()` starts:
 *
 * - `listen({ receive, fail })` is called once with what takes its messages and its failure;
 * - `post(message, transfer)` posts to it;
 * - `lend(blob)` gives `{ lent, transfer, end }`: what is posted in place of the blob, and what is called when it was checked;
 * - `terminate()` ends it.
 *
 * `given(options)` is what was given as the wasm and as that of schemas for a check with these options, `{ wasm, schemaWasm }`, if anything.
 */
export function checksInWorker(start, given) {
  let worker;
  let lastId = 0;
  /** The checks without an answer, by id. */
  const pending = new Map();

  /** The worker, which is started where there is none. */
  function running() {
    if (worker) return worker;
    const begun = start();
    const fail = (why) => {
      if (worker === begun) stop(new Error(`the worker of evalcheck failed: ${why}`));
    };
    begun.listen({ receive, fail });
    worker = begun;
    return begun;
  }

  /** Ends the worker, and with it all checks. The next check starts another one. */
  function stop(reason) {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of pending.values()) reject(reason);
  }

  /** Takes a message of the worker. An answer to a check that ended meanwhile is dropped. */
  function receive({ id, progress, report, error, kind }) {
    const check = pending.get(id);
    if (progress) check?.onProgress(progress);
    if (report) check?.resolve(report);
    if (!error) return;
    // The errors of WebAssembly are cloned as plain ones.
    const reason = kind ? new WebAssembly[kind](error.message) : error;
    check?.reject(reason);
    // The state of the module is unknown.
    if (kind === "RuntimeError") stop(reason);
  }

  /** Checks a dataset in the worker. */
  async function check(dataset, options) {
    const blob = asBlob(dataset);
    const { sent, onProgress, signal } = split(withSchemaFiles(options), blob);
    const places = given(sent);
    const wasm = await places.wasm;
    const schemaWasm = await places.schemaWasm;
    if (signal?.aborted) throw signal.reason;
    const used = running();
    const { lent, transfer, end } = used.lend(blob);
    const id = (lastId += 1);
    let abort;
    try {
      return await new Promise((resolve, reject) => {
        const cancel = (reason) => {
          if (worker === used) used.post({ id, abort: true });
          reject(reason);
        };
        abort = () => cancel(signal.reason);
        signal?.addEventListener("abort", abort);
        pending.set(id, { resolve, reject, onProgress: (progress) => report(onProgress, progress, cancel) });
        used.post({ id, wasm, schemaWasm, dataset: lent, options: sent, progress: onProgress !== undefined }, transfer);
      });
    } finally {
      pending.delete(id);
      signal?.removeEventListener("abort", abort);
      end();
    }
  }

  return { check, terminate: () => stop(new DOMException("The worker was terminated.", "AbortError")) };
}

/** Calls `onProgress`. What it throws ends the check. */
function report(onProgress, progress, cancel) {
  try {
    onProgress(progress);
  } catch (error) {
    cancel(error);
  }
}

/** The options that are posted, and those that stay here. What does not fit is posted as well: the check says so. */
function split(options, blob) {
  if (options !== undefined && (typeof options !== "object" || options === null)) return { sent: options };
  const { onProgress, signal, ...sent } = { ...options };
  const kept = {};
  if (typeof onProgress === "function") kept.onProgress = onProgress;
  else if (onProgress !== undefined) sent.onProgress = onProgress;
  if (typeof signal?.aborted === "boolean") kept.signal = signal;
  else if (signal !== undefined) sent.signal = signal;
  for (const [key, value] of Object.entries(sent)) {
    // No option, and nothing that can be posted.
    if (typeof value === "function") sent[key] = null;
  }
  // What is lent in Node is no file.
  if (blob instanceof File) sent.fileName ??= blob.name;
  return { sent, ...kept };
}
