// Types of <eval-check>, see docs/embed.md. Named in "types" of tsconfig.json, or by
// `/// <reference path="./evalcheck/embed.d.ts" />`; types.d.ts stands beside it.

import type { Progress, Report } from "./types.js";

/** What `evalcheck:progress` says. */
export interface EvalCheckProgress extends Progress {
  /** The name of the file. */
  file: string;
}

/** What `evalcheck:error` says, and what a rejected check has. */
export interface EvalCheckFailure {
  /**
   * - `frame`: the page in the frame did not answer.
   * - `engine`: the engine could not be started, or failed.
   * - `changed`: the file changed while it was checked.
   * - `replaced`: another file took its place before it was checked.
   * - `refused`: what was handed over is nothing to check.
   * - `format`, `example`: there is none of the name in the attribute.
   * - `disconnected`, `reloaded`: the element left the page, or the frame was loaded anew (rejections only for the first).
   */
  code: "frame" | "engine" | "changed" | "replaced" | "refused" | "format" | "example" | "disconnected" | "reloaded";
  /** The same for people. */
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
   * Checks a file as if it had been dropped on the element. Calls wait for each other. The promise is rejected with an
   * `Error` that has a `code`, see {@link EvalCheckFailure}.
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
