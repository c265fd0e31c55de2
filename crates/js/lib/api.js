// The functions of every entry. An entry says where its wasm is and how it starts a worker.
import instantiateEngine, * as engine from "./engine.js";
import instantiateSchemas from "./schema.js";
import { asBlob } from "./dataset.js";
import { withSchemaFiles } from "./schema-option.js";
import { wasmModule } from "./wasm-module.js";
import { checksInWorker } from "./worker-client.js";

/** The options of `init`. */
const OPTIONS = ["wasm", "worker", "schemaWasm", "schemas"];

/**
 * The functions of an entry. `readWasm(address)` and `readSchemaWasm(address)` give a module or its bytes, from the place beside the
 * entry where there is no address; `startWorker(chosen)` starts a worker, see `checksInWorker`.
 */
export function api({ readWasm, readSchemaWasm, startWorker }) {
  const main = wasmModule(instantiateEngine, readWasm);
  const schemas = wasmModule(instantiateSchemas, readSchemaWasm);
  let worker;

  /** What needs no promise once the module is loaded. */
  const loaded = {
    checkText(text, options) {
      const all = withSchemaFiles(options);
      if (hasSchema(all) && !schemas.isLoaded()) {
        throw new Error("the option `schema` of this checkText needs a module that is not loaded: await init({ schemas: true }) before");
      }
      return engine.checkText(text, all);
    },
    explain: engine.explain,
    formats: engine.formats,
    version: engine.version,
  };

  /** Loads the module, and that of schemas for options that have one. */
  async function load(options) {
    await Promise.all([main.load(), hasSchema(options) && schemas.load()]);
    return loaded;
  }

  /** Chooses where modules and the worker come from, and loads the module. Without effect on what is loaded. */
  async function init(options = {}) {
    for (const key of Object.keys(options)) {
      if (!OPTIONS.includes(key)) throw new TypeError(`unknown option \`${key}\``);
    }
    const { wasm, schemaWasm, schemas: withSchemas = false } = options;
    if (typeof withSchemas !== "boolean") throw new TypeError("schemas: expected a boolean");
    if (wasm !== undefined) main.give(wasm);
    if (schemaWasm !== undefined) schemas.give(schemaWasm);
    if (options.worker !== undefined) worker = options.worker;
    await Promise.all([main.load(), withSchemas ? schemas.load() : schemas.given()]);
    return loaded;
  }

  const given = (options) => ({ wasm: main.given(), schemaWasm: hasSchema(options) ? schemas.given() : undefined });
  const inWorker = startWorker && checksInWorker(() => startWorker(worker), given);
  return {
    init,
    async check(dataset, options) {
      const blob = asBlob(dataset);
      const all = withSchemaFiles(options);
      await load(all);
      return engine.check(blob, all);
    },
    async fix(dataset, options) {
      const blob = asBlob(dataset);
      const all = withSchemaFiles(options);
      await load(all);
      return engine.fix(blob, all);
    },
    async checkText(text, options) {
      const all = withSchemaFiles(options);
      return (await load(all)).checkText(text, all);
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

const hasSchema = (options) => options?.schema !== undefined;
