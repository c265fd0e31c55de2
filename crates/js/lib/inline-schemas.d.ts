import type { InitOptions, Loaded } from "./index.js";

export type { Loaded, Wasm } from "./index.js";
export { check, checkText, explain, fix, formats, version } from "./index.js";
export type * from "./types.js";

/** Loads the module, as `init` of `evalcheck` does. */
export function init(options?: Omit<InitOptions, "worker">): Promise<Loaded>;
