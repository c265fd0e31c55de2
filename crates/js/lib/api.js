// The functions of every entry. An entry says where its wasm is and how it starts a worker.
import instantiate, * as engine from "./engine.js";
import { asBlob } from "./dataset.js";
import { checksInWorker } from "./worker-client.js";

/** The options of `init`. */
const OPTIONS = ["wasm", "worker"];

/** What needs no promise once the module is loaded. */
const loaded = {
  checkText: engine.checkText,
  explain: engine.explain,
  formats: engine.formats,
  version: engine.version,
};

/**
 * The functions of an entry. `readWasm(address)` gives the module or its bytes, from the place beside the entry where there is
 * no address; `startWorker(chosen)` starts a worker, see `checksInWorker`.
 */
export function api(readWasm, startWorker) {
  const given = {};
  let loading;

  /** Loads the module once. A load that fails is tried again by the next call. */
  function load() {
    loading ??= instantiated().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  async function instantiated() {
    const wasm = await given.wasm;
    const source = wasm instanceof WebAssembly.Module ? wasm : await readWasm(wasm);
    await instantiate({ module_or_path: source });
    return loaded;
  }

  /** Chooses where the module and the worker come from, and loads the module. Without effect once it is loaded. */
  async function init(options = {}) {
    for (const key of Object.keys(options)) {
      if (!OPTIONS.includes(key)) throw new TypeError(`unknown option \`${key}\``);
    }
    if (options.wasm !== undefined && !loading) given.wasm = sharable(options.wasm);
    if (options.worker !== undefined) given.worker = options.worker;
    return load();
  }

  const inWorker = startWorker && checksInWorker(() => startWorker(given.worker), () => given.wasm);
  return {
    init,
    async check(dataset, options) {
      const blob = asBlob(dataset);
      await load();
      return engine.check(blob, options);
    },
    async fix(dataset, options) {
      const blob = asBlob(dataset);
      await load();
      return engine.fix(blob, options);
    },
    async checkText(text, options) {
      return (await load()).checkText(text, options);
    },
    async explain(code) {
      return (await load()).explain(code);
    },
    async formats() {
      return (await load()).formats();
    },
    async version() {
      return (await load()).version();
    },
    checkInWorker: inWorker?.check,
    terminateWorker: inWorker?.terminate,
  };
}

/** What was given as the wasm, as it can be posted to a worker: an address or a module. */
async function sharable(wasm) {
  const source = await wasm;
  if (typeof source === "string" || source instanceof URL) return new URL(source, base()).href;
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new Error(`evalcheck cannot load ${source.url}: status ${source.status}`);
  return WebAssembly.compile(await source.arrayBuffer());
}

/** What addresses are relative to. */
const base = () => globalThis.document?.baseURI ?? globalThis.location?.href;
