// Types of <eval-check>, see docs/embed.md. Add this file to "types" in tsconfig.json, or use
// `/// <reference path="./evalcheck/embed.d.ts" />`. It needs types.d.ts in the same folder.

import type { Progress, Report } from "./types.js";

/** The detail of `evalcheck:progress`. */
export interface EvalCheckProgress extends Progress {
  /** The name of the file. */
  file: string;
}

/** The detail of `evalcheck:error`, and properties of the error of a rejected check. */
export interface EvalCheckFailure {
  /**
   * - `frame`: the page in the frame did not answer.
   * - `engine`: the engine could not be started, or failed.
   * - `changed`: the file changed while it was checked.
   * - `replaced`: the file was closed before it was checked.
   * - `refused`: there is nothing to check, for example in an empty folder.
   * - `format`, `example`: the attribute names an unknown format or example.
   * - `schema`: the schema that the attribute names could not be read. No file is checked without it.
   * - `disconnected`: the element was removed from the page. Only rejected checks have this code.
   * - `reloaded`: the frame was reloaded.
   */
  code: "frame" | "engine" | "changed" | "replaced" | "refused" | "format" | "example" | "schema" | "disconnected" | "reloaded";
  /** A message for people. */
  message: string;
}

export interface EvalCheckEventMap {
  "evalcheck:report": CustomEvent<Report>;
  "evalcheck:progress": CustomEvent<EvalCheckProgress>;
  "evalcheck:error": CustomEvent<EvalCheckFailure>;
}

/** The element `<eval-check>`. */
export interface EvalCheckElement extends HTMLElement {
  /**
   * Checks a file as if it was dropped on the element. Calls are queued. The promise is rejected with an `Error` with a
   * `code`, see {@link EvalCheckFailure}.
   */
  check(file: Blob, options?: { name?: string }): Promise<Report>;

  addEventListener<K extends keyof EvalCheckEventMap>(
    type: K,
    listener: (this: EvalCheckElement, event: EvalCheckEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "eval-check": EvalCheckElement;
  }
  interface HTMLElementEventMap extends EvalCheckEventMap {}
}
