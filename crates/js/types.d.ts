// Made by `cargo xtask generate` from crates/js/options.d.ts and the types in crates/wire.

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

export interface CheckOptions {
  /** The id of a format, see `formats()`. By default the format is detected from the content. */
  format?: string;
  /** Options of the format, such as `azure` for `openai-finetune`. */
  formatOptions?: string[];
  /**
   * The path of the file in a ZIP to check, as if it was unpacked. By default the dataset of a system, or else the
   * largest file of data.
   */
  entry?: string;
  /**
   * A JSON Schema that every record has to follow too: its text, an object `{ name, text }`, the schema itself as
   * an object, or a list of these whose first is the schema and names the others in `$ref`. One that cannot be
   * used is the finding `schema/unusable` of a report with `checked: false`.
   */
  schema?: UserSchema;
  /** Hold strings against `format` in the schema, which JSON Schema takes as a remark. */
  schemaFormats?: boolean;
  /** The most findings that are listed for each code; counts stay exact. By default there is no limit. */
  maxFindingsPerCode?: number;
  /**
   * List every finding. By default, of findings that follow from one mistake outside of the records, such as a
   * wrong number in a header, only the first is listed. Not together with `maxFindingsPerCode`.
   */
  all?: boolean;
}

export interface FixOptions {
  /** Only fixes of these rules or categories (`json/comment`, `json`). */
  select?: string[];
  /** No fixes of these. */
  ignore?: string[];
}

/**
 * The verdict of evalcheck on one file, as this version writes it. Later versions may add keys, so a reader
 * should ignore those that it does not know.
 */
export interface Report {
  /** Name and version of this form. */
  report: "evalcheck/1";
  /** The program that wrote the report. */
  tool: Tool;
  /** The file that was checked. */
  file: CheckedFile;
  /** The format it was checked against. */
  format: CheckedFormat;
  /** Whether everything was checked and no finding is an error. */
  valid: boolean;
  /**
   * False if a part of the file was not checked: a read failed, the check was cancelled, or a document cannot be
   * read beyond an error.
   */
  checked: boolean;
  /** Exact counts, regardless of the number of listed findings. */
  counts: Counts;
  /**
   * Whether some findings are counted and not listed: because of a cap, or because a listed finding reports their
   * common cause.
   */
  truncated: boolean;
  /** The most findings that are listed for one code; absent if there is no cap. */
  max_findings_per_code?: number;
  /** Facts about the dataset as a whole that are not findings, a sentence each. */
  notes: string[];
  /** The filter of the findings; absent if there is none. Verdict and counts are always those of the whole file. */
  filter?: Filter;
  /** Statistics of the dataset; absent if they were not requested. */
  overview?: Overview;
  /** The findings in the order of the file; those about the whole dataset come after those about a line. */
  findings: Finding[];
}

/** The program that wrote a report. */
export interface Tool {
  /** Always `evalcheck`. */
  name: "evalcheck";
  /** Its version. */
  version: string;
}

/** The file that was checked. */
export interface CheckedFile {
  /** Its name, without a folder. */
  name: string;
  /** Its size in bytes. */
  size: number;
  /** The entry of a ZIP that holds the dataset; absent if the file is the dataset itself. */
  entry?: string;
  /** Other entries of the ZIP that may be datasets, at most 100, if it is of no system; they were not checked. */
  other_entries?: string[];
}

/** The format that a file was checked against. */
export interface CheckedFormat {
  /** The format's id in the catalogue, for instance `juryarena`; empty if none was recognised. */
  id: string;
  /** Version of the format, if it has several; otherwise empty. */
  version: string;
  /** The chosen options of the format. */
  options?: string[];
  /** Whether evalcheck detected the format from the content; false if the user chose it. */
  detected: boolean;
  /** The reason for this format, in words for the user. */
  reason: string;
  /** The confidence, from 1 to 100; 100 if the user chose the format; 0 if none was recognised. */
  confidence: number;
  /**
   * Other formats that fit too, the closest first. If no format was recognised: all formats, the nearest first,
   * each with the content that it expects.
   */
  others: Alternative[];
  /** Whether it is plain data, which is checked for no system. */
  plain?: boolean;
  /**
   * Formats of other systems that are as likely, so that the file has no verdict before the user chooses; the rest
   * of the report is about the format above.
   */
  rivals?: string[];
  /** The file of the user's own JSON Schema that records are held against too; absent without one. */
  schema?: string;
}

/** A format that a file was not checked against. */
export interface Alternative {
  /** The format's id. */
  id: string;
  /** How well it fits, from 0 to 100. */
  confidence: number;
  /** The reason why it fits, or the content that it expects. */
  reason: string;
}

/** Exact counts of one report. If a record is a line, `lines = valid + invalid + blank + header + continued`. */
export interface Counts {
  /** Lines of text that were read, of every kind of file. */
  lines: number;
  /** Records read: `valid + invalid`. */
  records: number;
  /** Records without an error that the system reads. */
  valid: number;
  /** Records with at least one error, and those that the system does not read because of an error in the header. */
  invalid: number;
  /** Lines that hold nothing but white space. */
  blank: number;
  /** Header lines: the header of a CSV, a metadata line. */
  header: number;
  /** Further lines of records that should be one line each and span several. */
  continued?: number;
  /** Findings of severity error. */
  errors: number;
  /** Findings of severity warning. */
  warnings: number;
  /** Findings of severity info. */
  infos: number;
  /** Findings by code. */
  by_code: Record<string, number>;
  /** Findings that have a safe fix, by code, listed or not. Absent if there are none. */
  safe_fixes?: Record<string, number>;
  /** Findings that have an unsafe fix, likewise. */
  unsafe_fixes?: Record<string, number>;
  /** The losses when the system loads the dataset; none if it refuses the dataset. */
  loss: LossCounts;
}

/** The amount that the system loses when it loads the dataset. */
export interface LossCounts {
  /** Lines that it drops. */
  lines: number;
  /** Values that it changes or drops. */
  values: number;
  /** Keys and columns that it does not read. */
  keys: number;
  /** Records that lose a value or a key. A column that is not read is a lost key, but of no single record. */
  records: number;
}

/** A query that the findings listed in a report match. */
export interface Filter {
  /** The query, as the user wrote it. */
  query: string;
  /** Records that match it. */
  records: number;
  /** Findings that match it, by code, listed or not. */
  by_code: Record<string, number>;
}

/** Statistics of a whole dataset. Counts that are not exact are described as such. */
export interface Overview {
  /** Records that were read. */
  records: number;
  /** Records without an error that the system reads. */
  valid: number;
  /** The other records. */
  invalid: number;
  /**
   * Bytes of a record. Leaves out records that span several lines although a record is a line, records that are
   * too long to be read, and elements of a JSON document that cannot be read.
   */
  bytes?: Histogram;
  /** Characters (code points) of the same records, as they are written. */
  characters?: Histogram;
  /**
   * Records that have the same bytes as an earlier one. Absent if there are too many records to compare: 1,835,008
   * different ones.
   */
  duplicates?: number;
  /** The records as the system loads them; absent if that is not known. */
  loaded?: LoadedFacts;
  /** Texts: strings at paths that are not a category, and at paths that are not listed. */
  texts: Texts;
  /** Facts about the records of the format: turns, roles, models, scores and the like. */
  facts: Fact[];
  /** The paths of values in records that can be read, in the order in which they first occur. */
  paths: PathFacts[];
  /**
   * Values at paths that are not listed: beyond 500 paths, those that the format declares and then the shortest
   * are listed, none of more than 1,000 bytes.
   */
  at_other_paths: number;
  /** The files of the archive beside the dataset, by type. */
  attachments: AttachmentFacts[];
}

/**
 * Numbers in steps that are the same for all datasets: 16 for each octave, so that a step is at most a sixteenth
 * of the number. Each whole number up to 32 has its own step. From 2^64 on, a step is an octave.
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
   * Lower bounds of the quartiles: the smallest numbers that a quarter, a half and three quarters of the numbers
   * do not exceed.
   */
  quartiles: number[];
  /** Upper bounds of the quartiles: if both bounds are equal, the quartile is exact. */
  quartiles_to: number[];
  /** The steps that contain numbers, in their order. */
  buckets: Bucket[];
}

/** A step of a histogram. */
export interface Bucket {
  /**
   * The number of the step. The step 0 contains 0 and the numbers nearer to it than 2^-20. The step `i` > 0 begins
   * at 2^(floor((i - 1) / 16) - 20) * (1 + (i - 1) mod 16 / 16), and the step `-i` holds the same numbers below 0.
   * The step 1344 + `i` begins at 2^(63 + `i`).
   */
  index: number;
  /** The smallest number in it. */
  from: number;
  /** The largest number in it. */
  to: number;
  /** How many numbers are in it. */
  count: number;
}

/** The records of a dataset as the system loads them. Each record is counted once. */
export interface LoadedFacts {
  /** Records that it holds as they are in the file. */
  same: number;
  /** Records that it holds in another form. */
  different: number;
  /** Records that it drops while it loads others, including those of a repeated list in a document. */
  dropped: number;
  /** Records that it refuses because of their errors, or because of the header. */
  refused: number;
  /** The differences of the records that it holds, most frequent first. */
  differences: LoadedDifference[];
  /**
   * Differences beyond the 500 that are listed, and those at paths of more than 1,000 bytes, counted once for each
   * record.
   */
  others: number;
}

/** A difference between the records that the system holds and the file. */
export interface LoadedDifference {
  /** The change of the value. */
  kind: ChangeKind;
  /** The path of the value, in which `*` is any index; `(root)` for the record. */
  path: string;
  /** The reason, as a sentence. */
  why: string;
  /** Records in which it happens. */
  records: number;
}

/** The change of a value when it is loaded. */
export type ChangeKind =
  /** The system adds it. */
  | "added"
  /** The system holds it in another form or under another key. */
  | "changed"
  /** The system does not hold it. */
  | "removed";

/** Texts of a dataset. */
export interface Texts {
  /** Characters (code points) of a text, without its escapes. */
  characters?: Histogram;
  /**
   * Tokens of a text. This is an estimate: a character from U+3000 on (Han, Kana, Hangul) counts as one, four
   * others together as one. Models differ from it, and from each other.
   */
  estimated_tokens?: Histogram;
  /** Texts by script. */
  scripts: ScriptCount[];
}

/** Texts in a script. */
export interface ScriptCount {
  /** The script. */
  script: Script;
  /**
   * Texts with at least a tenth of the letters among their first 1,000 characters in this script. A text can be in
   * several.
   */
  texts: number;
}

/** A script of letters. */
export type Script =
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

/** Values that the records of a format have in common. */
export interface Fact {
  /** Its name, which is unique in the format. */
  name: string;
  /** Its heading. */
  title: string;
  /** The paths of the values, in which `*` is any key or index. */
  paths: string[];
  /** The distribution of the values, or of the numbers of elements for lists. */
  distribution: Distribution;
  /**
   * The distribution for each value that records have at another path. Records without one, or with several, are
   * left out.
   */
  by?: Groups;
}

/** Values and their frequencies. */
export type Distribution =
  /** The count of each value. */
  | {
    categories: Categories;
  }
  /** Numbers in steps. */
  | {
    histogram: Histogram;
  };

/** Values with their counts. */
export interface Categories {
  /** The values, the most frequent first; none if there are more than 1,000. */
  values: Category[];
  /** Values that are not listed: further ones, and strings of more than 100 bytes. */
  others: number;
}

/** A value with its count. */
export interface Category {
  /** The value: a string, or a number or a boolean as it is written. */
  value: string;
  /** How often it occurs. */
  count: number;
}

/** A distribution for each value at a path. */
export interface Groups {
  /** The path. */
  path: string;
  /** The values there, the most frequent first; none if there are more than 1,000. */
  groups: Group[];
}

/** The distribution for one value at a path. */
export interface Group {
  /** The value. */
  value: string;
  /** The distribution. */
  distribution: Distribution;
}

/** A path, and its values. */
export interface PathFacts {
  /** The path, `input.messages.*.role`, where `*` is any index; `(root)` for the record. */
  path: string;
  /** Records that have such a value. */
  records: number;
  /** The values by their type. */
  types: TypeCounts;
  /** Characters of the strings, without escapes. */
  characters?: Histogram;
  /** Elements of the arrays. */
  elements?: Histogram;
  /** The numbers. */
  numbers?: Histogram;
  /**
   * The strings, numbers and booleans if they are a category: they have at most 10 different values, one of which
   * is repeated, or fewer than 1,000 and one for every five values. At most a tenth of them are further values.
   */
  values?: Categories;
}

/**
 * Values by their type in JSON. If an object has a duplicate key, both values count. A cell of a CSV is a
 * string; in a column of lists it is a list, in JSON or as values between commas, unless it is other JSON.
 */
export interface TypeCounts {
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
}

/** Files of an archive that have the same type. */
export interface AttachmentFacts {
  /** The media type, by the content of the files. */
  media_type: string;
  /** The type in words. */
  description: string;
  /** Their sizes in bytes. */
  bytes: Histogram;
}

/** A problem or a fact worth knowing, and its place. */
export interface Finding {
  /** The rule, such as `shape/missing-key`; `evalcheck explain CODE` describes it. */
  code: string;
  /** How much it weighs. */
  severity: Severity;
  /** The line, counted from 1 as in an editor; null if the finding is in no line. */
  line: number | null;
  /** The column, counted from 1 in Unicode code points; null if the finding is in no line. */
  column: number | null;
  /** First byte, counted from 0 in the file (in the entry, if the dataset is an entry of a ZIP). */
  byte_start: number | null;
  /** The byte after the last one. */
  byte_end: number | null;
  /** The record, counted from 0; null if the finding belongs to no record. */
  record: number | null;
  /**
   * Keys and indices, separated by dots, `input.messages.0.role`; a key with a dot in it is in quotes,
   * `scores."top.1"`; `(root)` for the whole record; null if the finding is not about a value (a line that is not
   * JSON, an archive).
   */
  path: string | null;
  /** The problem and the system's requirement, one line. */
  message: string;
  /** Advice to the user, one or two sentences. */
  hint?: string;
  /** A fix that changes bytes, if one is known. */
  fix?: Fix;
  /** The loss here when the system loads the dataset. */
  loss?: Loss;
  /** The loader whose wording the message repeats, if any: `zod`. */
  says?: string;
  /** The readers of the format that are known to refuse it, if the format has several: `openai-python and llmcomp`. */
  refused_by?: string;
  /** Other places that belong to it, in the same file or entry. */
  related?: Related[];
  /** The entry of a ZIP that it is in or about. */
  entry?: string;
}

/** How much a finding weighs. */
export type Severity =
  /** The system's own loader rejects it, or its documentation forbids it. */
  | "error"
  /** It loads, but something is lost, ignored, deprecated, ambiguous or very likely a mistake. */
  | "warning"
  /** A fact worth knowing. */
  | "info";

/** Edits that remove a finding. */
export interface Fix {
  /** The effect of the edits, as an instruction: `Delete the comma`. */
  title: string;
  /** Whether they may be applied without review. */
  applicability: Applicability;
  /** The edits, in the order of the bytes; none touches another. All of them belong together. */
  edits: Edit[];
  /** The conversion of the whole file; then there are no edits. */
  convert?: Conversion;
  /**
   * Changes of entries of the ZIP. A fix without edits, conversion and entry changes only rewrites the ZIP: with
   * the entries that its directory lists, and only the last of several entries of one name.
   */
  entries?: EntryEdit[];
}

/** Whether a fix may be applied without review. */
export type Applicability =
  /** There is one plausible reading of the bytes; nothing is invented, moved or lost. */
  | "safe"
  /** Something is lost or guessed; the title of the fix states what. */
  | "unsafe";

/** A change of bytes of the file (of the entry, if the finding is in one). */
export interface Edit {
  /** The first byte that is replaced, counted from 0. */
  start: number;
  /** The byte after the last one; equal to `start` if text is only inserted. */
  end: number;
  /** The new text. */
  text: string;
}

/** A conversion of a whole file. */
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
    /** Whether the first of two bytes is the higher one. */
    big_endian: boolean;
  }
  /** A CSV with this separator as one with commas. */
  | {
    kind: "comma-separated";
    /** The separator of the cells. */
    separator: string;
  }
  /** A CSV whose cells are quoted with `"` in place of other quotes, which surround a whole cell. */
  | {
    kind: "straight-quotes";
    /** The quote before a cell. */
    open: string;
    /** The quote after it. */
    close: string;
  }
  /**
   * A CSV without the blank cells after its first columns. A row with a text there keeps its cells up to that
   * text.
   */
  | {
    kind: "without-blank-cells";
    /** The number of these columns. */
    columns: number;
  }
  /** A CSV without one of its columns. */
  | {
    kind: "without-column";
    /** The number of the column, counted from 0. */
    column: number;
  }
  /** Each element of the arrays at the beginning of the file, one after another, on its own line. */
  | {
    kind: "array-to-lines";
    /** Whether only the first array is split, because the records are arrays. */
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

/** A change of an entry of a ZIP. */
export interface EntryEdit {
  /** Its name. */
  entry: string;
  /** Its new name; null if it is removed. */
  rename: string | null;
}

/** The loss that a finding reports, when the system loads the dataset. */
export type Loss =
  /** It drops the line. */
  | "line"
  /** It changes or drops the value. */
  | "value"
  /** It does not read the key or the column. */
  | "key";

/**
 * Another place that belongs to a finding, such as the first use of an id that is used again. Unknown properties
 * are absent.
 */
export interface Related {
  /** A label for the place, in a few words: `first used here`. */
  label: string;
  /** Its line, counted from 1. */
  line?: number;
  /** Its column, counted from 1 in Unicode code points. */
  column?: number;
  /** Its first byte, counted as those of the finding. */
  byte_start?: number;
  /** The byte after its last one. */
  byte_end?: number;
  /** Its record, counted from 0, if its line is not known. */
  record?: number;
  /** Its path, as that of a finding. */
  path?: string;
  /**
   * The file that it is in, if that is not the dataset: a schema. Line, column and bytes are those of that file,
   * and the path is a JSON Pointer.
   */
  file?: string;
}

/** A format, as the user chooses it. */
export interface Format {
  /** Stable id, `juryarena`. */
  id: string;
  /** Its name in a list, `JuryArena dataset`. */
  title: string;
  /** The system that reads it, `JuryArena`. */
  system: string;
  /** Where the system documents the format. */
  link: string;
  /** The content of a file that is detected as this format, as a noun phrase: `lines with "messages"`. */
  expected: string;
  /** Extensions of files in this format, without a dot. */
  extensions: string[];
  /** Versions, newest last; empty if there is only one. */
  versions: string[];
  /** Options that change its rules. */
  options?: FormatOption[];
  /** One sentence that defines a record. */
  summary: string;
  /** The source of the knowledge about how the system loads a record, as a sentence. */
  loader: string;
  /** Whether it is known how the system loads a record. */
  is_loader_known: boolean;
  /**
   * Whether files are detected as this format. Otherwise it is named beside others, because any data may be meant
   * for it.
   */
  is_detected: boolean;
  /** Short names of values, for searches. */
  names: ShortName[];
  /** Built-in examples. */
  examples: Example[];
}

/** A choice of the user that changes rules of a format. */
export interface FormatOption {
  /** Its name, `azure`. */
  name: string;
  /** The title of the format with it, `Azure, fine-tuning`. */
  title: string;
  /** The differences that it makes, as a sentence. */
  help: string;
}

/** A short name of a value in a record, for searches: `role:user`. */
export interface ShortName {
  /** The name. */
  name: string;
  /** The paths of the value in a record; `*` is any key or index. */
  paths: string[];
  /** The meaning of the value, as a sentence. */
  help: string;
}

/** A dataset that is built in. */
export interface Example {
  /** `minimal`, `full` or `broken`. */
  id: string;
  /** Its topic, a few words. */
  title: string;
  /** The name it is checked under. */
  file_name: string;
  /** Its content: the text of a text file, the bytes of a ZIP. */
  content: ExampleContent;
}

/** The content of a built-in example. */
export type ExampleContent =
  /** A text file. */
  | {
    text: string;
  }
  /** A file of bytes, a ZIP. */
  | {
    bytes: number[];
  };

/** A rule and its page. */
export interface Rule {
  /** Stable code, `shape/missing-key`. */
  code: string;
  /** How much a finding of it weighs. */
  severity: Severity;
  /** One line. */
  summary: string;
  /**
   * The problem of the value at the path of a finding, as the end of a sentence that begins with the path: `is
   * missing`. Absent if the message says it.
   */
  title?: string;
  /** The meaning of a finding, and why the system cares. */
  meaning: string;
  /** How common loaders word the same problem. */
  other_words?: string[];
  /** The fixes that its findings may have: `safe`, `unsafe` or `safe or unsafe`; absent if there are none. */
  fix?: string;
  /** An example with the problem. */
  invalid: string;
  /** The same example without the problem. */
  valid: string;
  /**
   * Examples for other formats, by their ids, if the one above does not fit them. Only rules that formats share
   * have some.
   */
  examples?: Record<string, RuleExample>;
}

/** An example of a rule. */
export interface RuleExample {
  /** With the problem. */
  invalid: string;
  /** Without it. */
  valid: string;
}

/** The progress of a check. */
export interface Progress {
  /** Bytes read of the file. */
  bytes: number;
  /** The number of bytes to read. */
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
