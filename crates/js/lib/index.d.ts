import type { CheckOptions, Dataset, Fixed, FixOptions, Format, Report, Rule } from "./types.js";

export type * from "./types.js";

/** What needs no promise once the module is loaded: for editors that check while the user types. */
export interface Loaded {
  /**
   * Checks a text. The options `onProgress` and `signal` have no effect. Throws a `TypeError` when an option is wrong, and an `Error`
   * when there is the option `schema` and its module was not loaded: `await init({ schemas: true })` does that.
   */
  checkText(text: string, options?: CheckOptions): Report;
  /** The known formats. */
  formats(): Format[];
  /** The description of a rule with an example. `undefined` when there is no such code. */
  explain(code: string): Rule | undefined;
  /** The version of evalcheck. */
  version(): string;
}

/**
 * The wasm: its address (a string or a `URL`), a `Response` that holds it, its bytes, or a `WebAssembly.Module`, whose type is not
 * known without the types of browsers.
 */
export type Wasm = string | object;

/** A worker: that of the platform. */
export interface AnyWorker {
  postMessage(message: unknown, transfer: never[]): void;
  terminate(): unknown;
}

/** Where evalcheck comes from. */
export interface InitOptions {
  /** The wasm. By default the file beside the module. */
  wasm?: Wasm | Promise<Wasm>;
  /** The worker of `checkInWorker`: the address of `evalcheck/worker`, or what starts it. By default the file beside the module. */
  worker?: string | URL | (() => AnyWorker);
  /** The wasm for the option `schema`, which is loaded when it is first needed. By default the file beside the module. */
  schemaWasm?: Wasm | Promise<Wasm>;
  /** Loads that wasm now, so that `checkText` of what `init` resolves to has the option `schema`. */
  schemas?: boolean;
}

/**
 * Loads the module and returns the functions that then need no promise. All other functions call it themselves: it is only needed
 * for these, to load early, and to say where the module comes from.
 *
 * The module is loaded once, and `wasm` has no effect after that; the same goes for that of schemas and `schemaWasm`. A load that
 * fails is tried again by the next call.
 *
 * ```js
 * const { checkText } = await init({ schemas: true });
 * const report = checkText(editor.value, { schema: { type: "object", required: ["question"] } });
 * ```
 */
export function init(options?: InitOptions): Promise<Loaded>;

/**
 * Checks a dataset: a `File` or a `Blob` (a file of any size, in bounded memory), an `ArrayBuffer` or a view of one, or a string.
 *
 * A dataset that cannot be read to its end has a report with `checked: false` and a finding with the reason. Rejects with a
 * `TypeError` when an argument is wrong, and with the signal's reason when it aborts.
 *
 * The first check with the option `schema` loads another module, `schema.wasm`, and rejects with an `Error` where it cannot:
 *
 * ```js
 * const schema = [
 *   { name: "faq.schema.json", text: await (await fetch("faq.schema.json")).text() },
 *   { name: "answer.schema.json", text: await (await fetch("answer.schema.json")).text() },
 * ];
 * const report = await check(file, { schema });
 * for (const { message, related } of report.findings) console.log(message, related);
 * ```
 */
export function check(dataset: Dataset, options?: CheckOptions): Promise<Report>;

/**
 * Checks a dataset as `check` does, in a worker. There is one worker; it is started by the first call.
 *
 * Rejects also with an `Error` when the worker cannot be started or fails; the next call starts another one.
 */
export function checkInWorker(dataset: Dataset, options?: CheckOptions): Promise<Report>;

/** Ends the worker of `checkInWorker`. Its checks reject with an `AbortError`; the next one starts another worker. */
export function terminateWorker(): void;

/**
 * Applies the fixes of findings until there are none. The blob is made of slices of the dataset and what is new, so nothing of it
 * is held in memory. Rejects as `check` does, and where the dataset of a ZIP is damaged.
 */
export function fix(dataset: Dataset, options?: FixOptions): Promise<Fixed>;

/** Checks a text in one go, for editors. The options `onProgress` and `signal` have no effect. */
export function checkText(text: string, options?: CheckOptions): Promise<Report>;

/** The known formats. */
export function formats(): Promise<Format[]>;

/** The description of a rule with an example. `undefined` when there is no such code. */
export function explain(code: string): Promise<Rule | undefined>;

/** The version of evalcheck. */
export function version(): Promise<string>;
