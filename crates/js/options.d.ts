/** A dataset. A `File` or a `Blob` of any size is read in pieces. */
export type Dataset = Blob | ArrayBuffer | ArrayBufferView | string;

/** Options of a check. */
export interface CheckOptions {
  /** The id of a format, see `formats()`. By default the format is detected from the content. */
  format?: string;
  /** The most findings that are listed for each code; counts stay exact. By default there is no limit. */
  maxFindingsPerCode?: number;
  /**
   * List every finding. By default, of findings that follow from one mistake outside of the records, such as a wrong
   * number in a header, only the first is listed. Not together with `maxFindingsPerCode`.
   */
  all?: boolean;
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
  /** Only fixes of these rules or categories (`json/comment`, `json`). */
  select?: string[];
  /** No fixes of these. */
  ignore?: string[];
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
