/** A dataset. A `File` or a `Blob` of any size is read in pieces. */
export type Dataset = Blob | ArrayBuffer | ArrayBufferView | string;

/** A file of a JSON Schema. */
export interface SchemaFile {
  /** Its path or name, to which `$ref` in the other files is relative. Findings name it. By default `schema`, or `schema-2` and so on. */
  name?: string;
  /** Its text. */
  text: string;
}

/** A JSON Schema: its text, a file, or the schema itself as a plain object. */
export type Schema = string | SchemaFile | object;

/**
 * A schema, or a list whose first is the schema and names the others in `$ref`.
 *
 * ```js
 * const schema = { type: "object", required: ["question", "answer"] };
 * const files = [{ name: "faq.json", text: '{"$ref":"answer.json"}' }, { name: "answer.json", text }];
 * ```
 */
export type UserSchema = Schema | readonly Schema[];

/** Options of a check. */
export interface CheckOptions {
  /** Count statistics of the dataset too, `report.overview`. The check then takes several times as long. */
  overview?: boolean;
  /** The name in the report. By default the name of the `File`, or `dataset`. */
  fileName?: string;
  /** Called several times a second and once at the end. An exception ends the check. */
  onProgress?: (progress: Progress) => void;
  /** Ends the check. The promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** The options of `fix`: those of `check`, and which fixes are applied. */
export interface FixOptions extends Omit<CheckOptions, "overview"> {
  /** Fixes that lose or guess something too. */
  unsafe?: boolean;
}

/** A dataset that was fixed. */
export interface Fixed {
  /** Its bytes: slices of the dataset, and the new text. */
  blob: Blob;
  /** How many fixes were applied. */
  fixes: number;
  /** The report on what it is now. */
  report: Report;
}
