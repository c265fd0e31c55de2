// A module that is loaded when it is first used.

/**
 * A WebAssembly module: `instantiate` is that of its script, `read(address)` gives the module or its bytes, from the place beside the
 * entry where there is no address.
 */
export function wasmModule(instantiate, read) {
  let given;
  let loading;
  let isLoaded = false;

  async function instantiated() {
    const wasm = await given;
    const source = wasm instanceof WebAssembly.Module ? wasm : await read(wasm);
    await instantiate({ module_or_path: source });
    isLoaded = true;
  }

  return {
    /** Says where the module comes from. Without effect once it is loaded. */
    give(wasm) {
      if (!loading) given = sharable(wasm);
    },
    /** What was given, as it can be posted to a worker. */
    given: () => given,
    /** Loads the module once. A load that fails is tried again by the next call. */
    load() {
      loading ??= instantiated().catch((error) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    isLoaded: () => isLoaded,
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
