/** What can be checked. A `File` or a `Blob` of any size is read in pieces. */
export type Dataset = Blob | ArrayBuffer | ArrayBufferView | string;

/** How to check. */
export interface CheckOptions {
  /** The id of a format, see `formats()`. Without it the content decides. */
  format?: string;
  /** The most findings that are listed for one code; counts stay exact. Without it all are listed. */
  maxFindingsPerCode?: number;
  /** The name in the report. Without it that of the `File`, or `dataset`. */
  fileName?: string;
  /** Called several times a second, and once at the end. What it throws ends the check. */
  onProgress?: (progress: Progress) => void;
  /** Ends the check: the promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** How far a check has come. */
export interface Progress {
  /** Bytes read. */
  bytes: number;
  /** Bytes that there are to read. */
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
    /** Empty when no format was recognised. */
    id: string;
    /** Empty where the format has only one. */
    version: string;
    /** True when the content decided. */
    detected: boolean;
    /** Why this format, in words. */
    reason: string;
  };
  /** True when everything was checked and no finding is an error. */
  valid: boolean;
  /** False when part of the dataset could not be checked. */
  checked: boolean;
  /** Exact, whatever number of findings is listed. */
  counts: Counts;
  /** True when findings are left out because of `maxFindingsPerCode`. */
  truncated: boolean;
  max_findings_per_code?: number;
  /** In the order of the file; what concerns the whole dataset after what concerns a line. */
  findings: Finding[];
}

/** `lines` = `valid` + `invalid` + `blank` + `header`. */
export interface Counts {
  lines: number;
  /** `valid` + `invalid`. */
  records: number;
  valid: number;
  invalid: number;
  blank: number;
  header: number;
  errors: number;
  warnings: number;
  infos: number;
  /** Findings by code. */
  by_code: Record<string, number>;
}

/** One thing that is wrong, or worth knowing, and where. */
export interface Finding {
  /** The rule; `explain(code)` says what it means. */
  code: string;
  severity: Severity;
  /** From 1; null for what stands in no line. */
  line: number | null;
  /** From 1, in Unicode code points. */
  column: number | null;
  /** First byte, from 0, in the file or the entry. */
  byte_start: number | null;
  /** The byte after the last one. */
  byte_end: number | null;
  /** From 0; null for what belongs to no record. */
  record: number | null;
  /** Dotted keys and indexes, `(root)` for the whole record; null for what is not about a value. */
  path: string | null;
  message: string;
  hint?: string;
  /** The entry of a ZIP. */
  entry?: string;
}

/** A format that a dataset can be checked against. */
export interface Format {
  id: string;
  title: string;
  system: string;
  link: string;
  /** Without a dot. */
  extensions: string[];
  /** Newest last; empty where there is only one. */
  versions: string[];
  summary: string;
  examples: {
    id: string;
    title: string;
    file_name: string;
    content: { text: string } | { bytes: number[] };
  }[];
}

/** A rule and its page. */
export interface Rule {
  code: string;
  severity: Severity;
  summary: string;
  meaning: string;
  invalid: string;
  valid: string;
}
