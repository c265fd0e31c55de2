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
  /** The name in the report. By default the name of the `File`, or `dataset`. */
  fileName?: string;
  /** Called several times a second and once at the end. An exception ends the check. */
  onProgress?: (progress: Progress) => void;
  /** Ends the check. The promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** The progress of a check. */
export interface Progress {
  /** Bytes read. */
  bytes: number;
  /** Bytes to read in total. */
  total_bytes: number;
  records: number;
  lines: number;
  errors: number;
  warnings: number;
}

export type Severity = "error" | "warning" | "info";

/** Report v1, the same as `evalcheck check --output json` writes. */
export interface Report {
  report: "evalcheck/1";
  tool: { name: "evalcheck"; version: string };
  file: {
    name: string;
    /** In bytes. */
    size: number;
    /** The entry of a ZIP that holds the dataset. */
    entry?: string;
  };
  format: {
    /** Empty when no format was detected. */
    id: string;
    /** Empty when the format has only one version. */
    version: string;
    /** True when the format was detected from the content. */
    detected: boolean;
    /** Why this format was chosen, for the user. */
    reason: string;
  };
  /** True when everything was checked and no finding is an error. */
  valid: boolean;
  /** False when part of the dataset could not be checked. */
  checked: boolean;
  /** Exact, even when not all findings are listed. */
  counts: Counts;
  /** True when findings are left out: because of `maxFindingsPerCode`, or because they follow from the same mistake as one that is listed. */
  truncated: boolean;
  max_findings_per_code?: number;
  /** In the order of the file. Findings about the whole dataset follow those about lines. */
  findings: Finding[];
}

/** Where a record is a line, `lines` = `valid` + `invalid` + `blank` + `header` + `continued`. */
export interface Counts {
  lines: number;
  /** `valid` + `invalid`. */
  records: number;
  valid: number;
  invalid: number;
  blank: number;
  header: number;
  /** Further lines of records that are a line each and are spread over several; absent when there are none. */
  continued?: number;
  errors: number;
  warnings: number;
  infos: number;
  /** Findings by code. */
  by_code: Record<string, number>;
  /** Findings that have a safe fix, by code, listed or not. Absent when there are none. */
  safe_fixes?: Record<string, number>;
  /** Findings that have an unsafe fix, likewise. */
  unsafe_fixes?: Record<string, number>;
  /** What the system loses of a dataset that it loads: lines that it drops, values that it changes or drops, keys
   * that it does not read, and the records of which a value or key is lost. */
  loss: { lines: number; values: number; keys: number; records: number };
}

/** One problem and its location. */
export interface Finding {
  /** The code of the rule, see `explain(code)`. */
  code: string;
  severity: Severity;
  /** From 1; null for a finding that is not in a line. */
  line: number | null;
  /** From 1, in Unicode code points. */
  column: number | null;
  /** First byte, from 0, in the file or the entry. */
  byte_start: number | null;
  /** The byte after the last one. */
  byte_end: number | null;
  /** From 0; null for a finding that is not in a record. */
  record: number | null;
  /** Keys and indexes with dots; `(root)` for the whole record, null for a finding that is not about a value. */
  path: string | null;
  message: string;
  hint?: string;
  /** Edits that take the finding away, where such are known. */
  fix?: Fix;
  /** What the system loses here when it loads the dataset. */
  loss?: "line" | "value" | "key";
  /** Whose words the message is, where the system's own loader says it in the same ones: `zod`. */
  says?: string;
  /** Other places that belong to it, in the same file or entry. */
  related?: Related[];
  /** The entry of a ZIP. */
  entry?: string;
}

/** The options of `fix`: those of `check`, and which fixes are applied. */
export interface FixOptions extends CheckOptions {
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

/** Edits that belong together. They count in the file, or in the entry of the finding. */
export interface Fix {
  /** What the edits do, as an instruction. */
  title: string;
  /** `safe`: the bytes can be read in one way only, and nothing is invented, moved or lost. `unsafe`: something is lost or guessed. */
  applicability: "safe" | "unsafe";
  /** In the order of the bytes; empty where the file is converted or only the ZIP changes. */
  edits: Edit[];
  /** How the whole file is written anew. */
  convert?: Conversion;
  /** What becomes of entries of the ZIP. A fix that has nothing else either only has the ZIP written anew. */
  entries?: EntryEdit[];
}

/** What becomes of an entry of a ZIP. */
export interface EntryEdit {
  /** Its name. */
  entry: string;
  /** Its new name; null where it is left out. */
  rename: string | null;
}

/** UTF-16 as UTF-8; a CSV with commas; an array as lines; an array, or lines, under a key of an object. */
export type Conversion =
  | { kind: "utf16"; big_endian: boolean }
  | { kind: "comma-separated"; separator: string }
  | { kind: "array-to-lines" }
  | { kind: "array-in-object" | "lines-in-object"; key: string };

/** A change of bytes; `start` equals `end` where text is only inserted. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Another place that belongs to a finding. What is not known of it is absent. */
export interface Related {
  /** What is there, such as `first used here`. */
  label: string;
  line?: number;
  column?: number;
  byte_start?: number;
  byte_end?: number;
  /** From 0, where the line is not known. */
  record?: number;
  path?: string;
}

/** A known format. */
export interface Format {
  id: string;
  title: string;
  system: string;
  /** The documentation of the format; empty when there is no public one. */
  link: string;
  /** What a file needs to be detected as this format. */
  expected: string;
  /** File name extensions without a dot. */
  extensions: string[];
  /** Newest last; empty when there is only one. */
  versions: string[];
  summary: string;
  examples: {
    id: string;
    title: string;
    file_name: string;
    content: { text: string } | { bytes: number[] };
  }[];
}

/** A rule and its description. */
export interface Rule {
  code: string;
  severity: Severity;
  summary: string;
  meaning: string;
  /** How common loaders word the same problem. */
  other_words?: string[];
  /** Which fixes its findings may have: `safe`, `unsafe` or `safe or unsafe`; absent where they have none. */
  fix?: string;
  /** An example with the problem. */
  invalid: string;
  /** The same example without the problem. */
  valid: string;
  /** Examples for formats, by their ids, for which the one above is another thing. */
  examples?: Record<string, { invalid: string; valid: string }>;
}
