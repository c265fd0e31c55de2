// Made by `cargo xtask generate` from crates/js/options.d.ts and the types in crates/wire.

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

/**
 * The verdict of evalcheck on one file. This is what this version of evalcheck writes; later ones may add keys,
 * so a reader should ignore those that it does not know.
 */
export interface Report {
  /** Name and version of this form. */
  report: "evalcheck/1";
  /** Who wrote the report. */
  tool: {
    /** Always `evalcheck`. */
    name: "evalcheck";
    /** Its version. */
    version: string;
  };
  /** The file that was checked. */
  file: {
    /** Its name, without a folder. */
    name: string;
    /** Its size in bytes. */
    size: number;
    /** The entry of a ZIP that holds the dataset; absent when the file is the dataset itself. */
    entry?: string;
  };
  /** The format it was checked against. */
  format: {
    /** The format's id in the catalogue, `juryarena` for instance; empty when none was recognised. */
    id: string;
    /** Version of the format, where it has several; otherwise empty. */
    version: string;
    /** True when evalcheck chose the format by the content, false when the user named it. */
    detected: boolean;
    /** Why this format, in words for the user. */
    reason: string;
    /** How sure, from 1 to 100; 100 when the user chose; 0 when none was recognised. */
    confidence: number;
    /**
     * Other formats that fit too, the closest first. Where none was recognised: all formats, the nearest first, each
     * with what it would have wanted.
     */
    others: {
      /** The format's id. */
      id: string;
      /** How well it fits, from 0 to 100. */
      confidence: number;
      /** Why it fits, or what it would have wanted. */
      reason: string;
    }[];
  };
  /** True when everything was checked and no finding is an error. */
  valid: boolean;
  /**
   * False when part of the file was not checked: a read failed, the check was cancelled, or a document cannot be
   * read beyond an error.
   */
  checked: boolean;
  /** Exact counts, whatever number of findings is listed. */
  counts: Counts;
  /**
   * True when findings are counted and not listed: because of a cap, or because one that is listed says their
   * common cause.
   */
  truncated: boolean;
  /** The most findings that are listed for one code; absent when there is no cap. */
  max_findings_per_code?: number;
  /** Facts about the dataset as a whole that are no findings, a sentence each. */
  notes: string[];
  /**
   * What the findings were filtered by; absent where they were not. Verdict and counts are always those of the
   * whole file.
   */
  filter?: {
    /** The query, as the user wrote it. */
    query: string;
    /** Records that match it. */
    records: number;
    /** Findings that match it by code, listed or not. */
    by_code: Record<string, number>;
  };
  /** Statistics of the dataset; absent where they were not asked for. */
  overview?: Overview;
  /** The findings: in the order of the file, what concerns the whole dataset after what concerns a line. */
  findings: Finding[];
}

/** Exact counts of one report. Where a record is a line, `lines = valid + invalid + blank + header + continued`. */
export interface Counts {
  /** Lines of text that were read, of every kind of file. */
  lines: number;
  /** Records read: `valid + invalid`. */
  records: number;
  /** Records without an error that the system reads. */
  valid: number;
  /** Records with at least one error, and those that the system does not read because of a mistake in the header. */
  invalid: number;
  /** Lines that hold nothing but white space. */
  blank: number;
  /** Header lines: the header of a CSV, a metadata line. */
  header: number;
  /** Further lines of records that are a line each and are spread over several. */
  continued?: number;
  /** Findings of severity error. */
  errors: number;
  /** Findings of severity warning. */
  warnings: number;
  /** Findings of severity info. */
  infos: number;
  /** Findings by code. */
  by_code: Record<string, number>;
  /** Findings that have a safe fix, by code, listed or not. Absent when there are none. */
  safe_fixes?: Record<string, number>;
  /** Findings that have an unsafe fix, likewise. */
  unsafe_fixes?: Record<string, number>;
  /** What the system loses of a dataset that it loads; nothing of one that it refuses. */
  loss: {
    /** Lines that it drops. */
    lines: number;
    /** Values that it changes or drops. */
    values: number;
    /** Keys and columns that it does not read. */
    keys: number;
    /** Records of which a value or key is lost. A column that is not read is a key lost in no single record. */
    records: number;
  };
}

/** Statistics of a whole dataset. Of counts that are not exact it says so. */
export interface Overview {
  /** Records that were read. */
  records: number;
  /** Records without an error that the system reads. */
  valid: number;
  /** The other records. */
  invalid: number;
  /**
   * Bytes of a record. Records over several lines where one is a line, those that are too long to be read, and
   * elements of a JSON document that cannot be read are left out.
   */
  bytes?: Histogram;
  /** Characters (code points) of the same records, as they are written. */
  characters?: Histogram;
  /**
   * Records that have the same bytes as an earlier one. Absent where there are too many records to compare:
   * 1,835,008 different ones.
   */
  duplicates?: number;
  /** What the system makes of the records; absent where that is not known. */
  loaded?: {
    /** Records that it holds as they are in the file. */
    same: number;
    /** Records that it holds otherwise. */
    different: number;
    /** Records that it drops, while it loads others: those of a list of a document that comes again, too. */
    dropped: number;
    /** Records that it refuses because of their errors, or because of the header. */
    refused: number;
    /** How records that it holds differ, most frequent first. */
    differences: {
      /** What happens to the value. */
      kind:
        /** The system adds it. */
        | "added"
        /** The system holds it in another form or under another key. */
        | "changed"
        /** The system does not hold it. */
        | "removed";
      /** Dotted keys of the value, in which `*` is any index; `(root)` for the record. */
      path: string;
      /** Why, as a sentence. */
      why: string;
      /** Records in which it happens. */
      records: number;
    }[];
    /**
     * Further differences than the 500 that are listed, and those at paths of more than 1,000 bytes, counted once
     * for each record.
     */
    others: number;
  };
  /** Texts: strings at paths that are no category. */
  texts: {
    /** Characters (code points) of a text, without its escapes. */
    characters?: Histogram;
    /**
     * Tokens of a text. This is an estimate: a character from U+3000 on (Han, Kana, Hangul) counts as one, four
     * others together as one. Models differ from it, and from each other.
     */
    estimated_tokens?: Histogram;
    /** Texts by script. */
    scripts: {
      /** The script. */
      script:
        /** Latin. */
        | "latin"
        /** Han. */
        | "han"
        /** Hiragana and Katakana. */
        | "kana"
        /** Hangul. */
        | "hangul"
        /** Arabic. */
        | "arabic"
        /** Cyrillic. */
        | "cyrillic"
        /** Devanagari. */
        | "devanagari"
        /** Any other. */
        | "other";
      /**
       * Texts that are written in it: it has a tenth of the letters among the first 1,000 characters. A text can be in
       * several.
       */
      texts: number;
    }[];
  };
  /** What the format's records have in common: turns, roles, models, scores and the like. */
  facts: {
    /** Its name, which is unique in the format. */
    name: string;
    /** Its heading. */
    title: string;
    /** The paths of the values, in which `*` is any key or index. */
    paths: string[];
    /** The values, or for lists their numbers of elements. */
    distribution: Distribution;
    /**
     * The same by the value that each record has at another path. Records without one, or with several, are left
     * out.
     */
    by?: {
      /** The path. */
      path: string;
      /** The values there, the most frequent first; at most 1,000. */
      groups: {
        /** The value. */
        value: string;
        /** The distribution. */
        distribution: Distribution;
      }[];
    };
  }[];
  /** The paths of values in records that can be read, in the order in which they first occur. */
  paths: {
    /**
     * Dotted keys, `input.messages.*.role`, where `*` is any index, or any key beyond the first 100 of an object;
     * `(root)` for the record.
     */
    path: string;
    /** Records that have such a value. */
    records: number;
    /** The values by their type. */
    types: {
      /** Strings. */
      string: number;
      /** Numbers. */
      number: number;
      /** Booleans. */
      boolean: number;
      /** Nulls. */
      null: number;
      /** Arrays. */
      array: number;
      /** Objects. */
      object: number;
    };
    /** Characters of the strings, without escapes. */
    characters?: Histogram;
    /** Elements of the arrays. */
    elements?: Histogram;
    /** The numbers. */
    numbers?: Histogram;
    /**
     * The strings, numbers and booleans where they are a category: they have at most 10 different values, of which
     * one occurs again, or fewer than 1,000 and one for every five values. At most a tenth of them are further
     * values.
     */
    values?: Categories;
  }[];
  /** Values at further paths than the 500 that are listed, and at paths of more than 1,000 bytes. */
  at_other_paths: number;
  /** The files of the archive beside the dataset, by type. */
  attachments: {
    /** The media type, by the content of the files. */
    media_type: string;
    /** The type in words. */
    description: string;
    /** Their sizes in bytes. */
    bytes: Histogram;
  }[];
}

/**
 * Numbers in steps that are the same for all datasets: 16 for each octave, so that a step is at most a sixteenth
 * of the number. Whole numbers up to 32 have a step of their own. From 2^64 on a step is an octave.
 */
export interface Histogram {
  /** How many numbers there are. */
  count: number;
  /** The smallest. */
  min: number;
  /** The largest. */
  max: number;
  /** Their sum; exact for whole numbers, otherwise rounded. */
  sum: number;
  /**
   * The smallest numbers that a quarter, a half and three quarters of them do not exceed: none of the three is
   * less than this.
   */
  quartiles: number[];
  /** None of the three is more than this: where it is equal to that of `quartiles`, it is known. */
  quartiles_to: number[];
  /** The steps that numbers are in, in their order. */
  buckets: {
    /**
     * Which step it is. 0 is for 0 and for what is nearer to it than 2^-20; the step `i` > 0 begins at 2^(floor((i -
     * 1) / 16) - 20) * (1 + (i - 1) mod 16 / 16), and the step `-i` holds the same numbers below 0. The step 1344 +
     * `i` begins at 2^(63 + `i`).
     */
    index: number;
    /** The smallest number in it. */
    from: number;
    /** The largest number in it. */
    to: number;
    /** How many numbers are in it. */
    count: number;
  }[];
}

/** How often which values occur. */
export type Distribution =
  /** Each value by itself. */
  | {
    categories: Categories;
  }
  /** Numbers in steps. */
  | {
    histogram: Histogram;
  };

/** Values with their counts. */
export interface Categories {
  /** The values, the most frequent first; at most 1,000, those that occur first. */
  values: {
    /** The value: a string, or a number or a boolean as it is written. */
    value: string;
    /** How often it occurs. */
    count: number;
  }[];
  /** Values that are not listed: further ones, and strings of more than 100 bytes. */
  others: number;
}

/** One thing that is wrong, or worth knowing, and where. */
export interface Finding {
  /** The rule, such as `shape/missing-key`; `evalcheck explain CODE` says what it means. */
  code: string;
  /** How much it weighs. */
  severity: Severity;
  /** The line, counted from 1 as an editor shows it; null for what is in no line. */
  line: number | null;
  /** The column, counted from 1 in Unicode code points; null for what is in no line. */
  column: number | null;
  /** First byte, counted from 0 in the file (in the entry of a ZIP, where the dataset is one). */
  byte_start: number | null;
  /** The byte after the last one. */
  byte_end: number | null;
  /** The record, counted from 0; null for what belongs to no record. */
  record: number | null;
  /**
   * Dotted keys and indexes, `input.messages.0.role`; `(root)` for the whole record; null for what is not about a
   * value (a line that is not JSON, an archive).
   */
  path: string | null;
  /** What is wrong and what the system wants, one line. */
  message: string;
  /** What to do about it, one or two sentences. */
  hint?: string;
  /** How it can be fixed by changing bytes, where that is known. */
  fix?: Fix;
  /** What the system loses here when it loads the dataset. */
  loss?:
    /** It drops the line. */
    | "line"
    /** It changes or drops the value. */
    | "value"
    /** It does not read the key or the column. */
    | "key";
  /** The loader whose wording the message repeats, if any: `zod`. */
  says?: string;
  /** Other places that belong to it, in the same file or entry. */
  related?: Related[];
  /** The entry of a ZIP that it is in or about. */
  entry?: string;
}

/** How much a finding weighs. */
export type Severity =
  /** The system's own loader rejects it, or its document forbids it. */
  | "error"
  /** It loads, but something is lost, ignored, deprecated, ambiguous or very likely a mistake. */
  | "warning"
  /** A fact worth knowing. */
  | "info";

/** Edits that take a finding away. */
export interface Fix {
  /** What the edits do, as an instruction: `Delete the comma`. */
  title: string;
  /** Whether they may be made without a look. */
  applicability:
    /** There is one plausible reading of the bytes; nothing is invented, moved or lost. */
    | "safe"
    /** Something is lost or guessed; the title of the fix says what. */
    | "unsafe";
  /** The edits, in the order of the bytes; none touches another. All of them belong together. */
  edits: Edit[];
  /** The whole file is written anew, and there are no edits. */
  convert?: Conversion;
  /**
   * What becomes of entries of the ZIP. A fix that has nothing else either only has the ZIP written anew: with
   * what its directory lists, and of several entries of one name the last.
   */
  entries?: EntryEdit[];
}

/** A change of bytes of the file (of the entry, where the finding is in one). */
export interface Edit {
  /** The first byte that is replaced, counted from 0. */
  start: number;
  /** The byte after the last one; equal to `start` where text is only inserted. */
  end: number;
  /** The new text. */
  text: string;
}

/** How a whole file is written anew. */
export type Conversion =
  /** Text of another encoding as UTF-8. */
  | {
    kind: "decode";
    /** The name of the encoding in the Encoding Standard: `shift_jis`. */
    encoding: string;
  }
  /** UTF-16 as UTF-8. */
  | {
    kind: "utf16";
    /** The first byte of two is the higher. */
    big_endian: boolean;
  }
  /** A CSV with this separator as one with commas. */
  | {
    kind: "comma-separated";
    /** The separator of the cells. */
    separator: string;
  }
  /** A CSV with its cells in `"` in place of other quotes, which are around a whole cell. */
  | {
    kind: "straight-quotes";
    /** The quote before a cell. */
    open: string;
    /** The quote after it. */
    close: string;
  }
  /** A CSV without the blank cells behind its first columns. A row with a text there keeps its cells up to that. */
  | {
    kind: "without-blank-cells";
    /** How many columns there are. */
    columns: number;
  }
  /** A CSV without one of its columns. */
  | {
    kind: "without-column";
    /** The number of the column, counted from 0. */
    column: number;
  }
  /** Each element of the arrays that follow each other at the beginning of the file on a line of its own. */
  | {
    kind: "array-to-lines";
    /** Only of the first array, because the records are arrays. */
    first_only?: boolean;
  }
  /** An array as a member of an object. */
  | {
    kind: "array-in-object";
    /** Its key there. */
    key: string;
  }
  /** Lines as the elements of an array that is a member of an object. */
  | {
    kind: "lines-in-object";
    /** Its key there. */
    key: string;
  };

/** What becomes of an entry of a ZIP. */
export interface EntryEdit {
  /** Its name. */
  entry: string;
  /** Its new name; null where it is left out. */
  rename: string | null;
}

/**
 * Another place that belongs to a finding, such as the first use of an id that is used again. What is not known
 * of it is absent.
 */
export interface Related {
  /** What is there, in a few words: `first used here`. */
  label: string;
  /** Its line, counted from 1. */
  line?: number;
  /** Its column, counted from 1 in Unicode code points. */
  column?: number;
  /** Its first byte, counted as those of the finding. */
  byte_start?: number;
  /** The byte after its last one. */
  byte_end?: number;
  /** Its record, counted from 0, where its line is not known. */
  record?: number;
  /** Its dotted keys and indexes. */
  path?: string;
}

/** A format as a person chooses it. */
export interface Format {
  /** Stable id, `juryarena`. */
  id: string;
  /** Its name in a list, `JuryArena dataset`. */
  title: string;
  /** The system that reads it, `JuryArena`. */
  system: string;
  /** Where the system documents the format. */
  link: string;
  /** What a file needs to be detected as this format, as a noun phrase: `lines with "messages"`. */
  expected: string;
  /** What files hold it, extensions without a dot. */
  extensions: string[];
  /** Versions, newest last; empty where there is only one. */
  versions: string[];
  /** One sentence: what a record is. */
  summary: string;
  /** From where it is known what the system does with a record, as a sentence. */
  loader: string;
  /** What the system does with a record is known. */
  is_loader_known: boolean;
  /** Short names of values, for searches. */
  names: {
    /** The name. */
    name: string;
    /** The paths of the value in a record; `*` is any key or index. */
    paths: string[];
    /** What it is, as a sentence. */
    help: string;
  }[];
  /** Built-in examples. */
  examples: {
    /** `minimal`, `full` or `broken`. */
    id: string;
    /** What it shows, a few words. */
    title: string;
    /** The name it is checked under. */
    file_name: string;
    /** Its content: of a text file the text, of a ZIP the bytes. */
    content:
      /** A text file. */
      | {
        text: string;
      }
      /** A file of bytes, a ZIP. */
      | {
        bytes: number[];
      };
  }[];
}

/** A rule and its page. */
export interface Rule {
  /** Stable code, `shape/missing-key`. */
  code: string;
  /** How much a finding of it weighs. */
  severity: Severity;
  /** One line. */
  summary: string;
  /**
   * What is wrong with the value at the path of a finding, as the end of a sentence that begins with the path: `is
   * missing`. Absent where the message says it.
   */
  title?: string;
  /** What it means and why the system cares. */
  meaning: string;
  /** How common loaders word the same problem. */
  other_words?: string[];
  /** Which fixes its findings may have: `safe`, `unsafe` or `safe or unsafe`; none where it is absent. */
  fix?: string;
  /** An example with the problem. */
  invalid: string;
  /** The same example without the problem. */
  valid: string;
  /**
   * Examples for formats, by their ids, in which the one above would be another thing: those of rules that formats
   * share.
   */
  examples?: Record<string, {
    /** With the problem. */
    invalid: string;
    /** Without it. */
    valid: string;
  }>;
}

/** How far a check has come. */
export interface Progress {
  /** Bytes read of the file. */
  bytes: number;
  /** Bytes that there are to read. */
  total_bytes: number;
  /** Records checked. */
  records: number;
  /** Lines read. */
  lines: number;
  /** Errors found. */
  errors: number;
  /** Warnings found. */
  warnings: number;
}
