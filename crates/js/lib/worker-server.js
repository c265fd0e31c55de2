// What the worker of `checkInWorker` does.

/** The errors that are not cloned as what they are. */
const KINDS = ["CompileError", "LinkError", "RuntimeError"];

/**
 * Takes messages, checks with these functions of an entry, and posts progress and answers. `borrow(lent)` is the blob for what
 * was posted in its place.
 */
export function answers({ check, init }, post, borrow = (lent) => lent) {
  /** What ends each check that runs. */
  const running = new Map();
  return async ({ id, wasm, schemaWasm, dataset, options, progress, abort }) => {
    if (abort) return running.get(id)?.abort();
    const controller = new AbortController();
    running.set(id, controller);
    const own = { signal: controller.signal };
    if (progress) own.onProgress = (now) => post({ id, progress: now });
    try {
      if (wasm || schemaWasm) await init({ wasm, schemaWasm });
      // What was posted is last: an option that does not fit has to be told.
      const all = options instanceof Object ? { ...own, ...options } : options ?? own;
      post({ id, report: await check(borrow(dataset), all) });
    } catch (error) {
      post({ id, error, kind: KINDS.find((kind) => error instanceof WebAssembly[kind]) });
    } finally {
      running.delete(id);
    }
  };
}
