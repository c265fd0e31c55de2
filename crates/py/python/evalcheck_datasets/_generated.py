"""Made by `cargo xtask generate` from the types in crates/wire.

Objects are immutable. A value that is null or absent in JSON is `None`, or empty if it is a list or counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ._methods import FindingMethods, ReportMethods


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(ReportMethods):
    """The verdict of evalcheck on one file, as this version writes it. Later versions may add keys, so a reader should ignore those that
    it does not know.
    """

    report: Literal["evalcheck/1"]
    """Name and version of this form."""
    tool: Tool
    """The program that wrote the report."""
    file: File
    """The file that was checked."""
    format: Format
    """The format it was checked against."""
    valid: bool
    """Whether everything was checked and no finding is an error."""
    checked: bool
    """False if a part of the file was not checked: a read failed, the check was cancelled, or a document cannot be read beyond an error."""
    counts: Counts
    """Exact counts, regardless of the number of listed findings."""
    truncated: bool
    """Whether some findings are counted and not listed: because of a cap, or because a listed finding reports their common cause."""
    max_findings_per_code: int | None = None
    """The most findings that are listed for one code; absent if there is no cap."""
    notes: tuple[str, ...]
    """Facts about the dataset as a whole that are not findings, a sentence each."""
    filter: Filter | None = None
    """The filter of the findings; absent if there is none. Verdict and counts are always those of the whole file."""
    overview: Overview | None = None
    """Statistics of the dataset; absent if they were not requested."""
    findings: tuple[Finding, ...]
    """The findings in the order of the file; those about the whole dataset come after those about a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """The program that wrote a report."""

    name: Literal["evalcheck"]
    """Always `evalcheck`."""
    version: str
    """Its version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """The file that was checked."""

    name: str
    """Its name, without a folder."""
    size: int
    """Its size in bytes."""
    entry: str | None = None
    """The entry of a ZIP that holds the dataset; absent if the file is the dataset itself."""
    other_entries: tuple[str, ...] = ()
    """Other entries of the ZIP that may be datasets, at most 100, if it is of no system; they were not checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """The format that a file was checked against."""

    id: str
    """The format's id in the catalogue, for instance `juryarena`; empty if none was recognised."""
    version: str
    """Version of the format, if it has several; otherwise empty."""
    options: tuple[str, ...] = ()
    """The chosen options of the format."""
    detected: bool
    """Whether evalcheck detected the format from the content; false if the user chose it."""
    reason: str
    """The reason for this format, in words for the user."""
    confidence: int
    """The confidence, from 1 to 100; 100 if the user chose the format; 0 if none was recognised."""
    others: tuple[Alternative, ...]
    """Other formats that fit too, the closest first. If no format was recognised: all formats, the nearest first, each with the content
    that it expects.
    """
    plain: bool = False
    """Whether it is plain data, which is checked for no system."""
    rivals: tuple[str, ...] = ()
    """Formats of other systems that are as likely, so that the file has no verdict before the user chooses; the rest of the report is
    about the format above.
    """
    schema: str | None = None
    """The file of the user's own JSON Schema that records are held against too; absent without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A format that a file was not checked against."""

    id: str
    """The format's id."""
    confidence: int
    """How well it fits, from 0 to 100."""
    reason: str
    """The reason why it fits, or the content that it expects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Exact counts of one report. If a record is a line, `lines = valid + invalid + blank + header + continued`."""

    lines: int
    """Lines of text that were read, of every kind of file."""
    records: int
    """Records read: `valid + invalid`."""
    valid: int
    """Records without an error that the system reads."""
    invalid: int
    """Records with at least one error, and those that the system does not read because of an error in the header."""
    blank: int
    """Lines that hold nothing but white space."""
    header: int
    """Header lines: the header of a CSV, a metadata line."""
    continued: int = 0
    """Further lines of records that should be one line each and span several."""
    errors: int
    """Findings of severity error."""
    warnings: int
    """Findings of severity warning."""
    infos: int
    """Findings of severity info."""
    by_code: Mapping[str, int]
    """Findings by code."""
    safe_fixes: Mapping[str, int] = field(default_factory=dict)
    """Findings that have a safe fix, by code, listed or not. Absent if there are none."""
    unsafe_fixes: Mapping[str, int] = field(default_factory=dict)
    """Findings that have an unsafe fix, likewise."""
    loss: LossCounts
    """The losses when the system loads the dataset; none if it refuses the dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossCounts:
    """The amount that the system loses when it loads the dataset."""

    lines: int
    """Lines that it drops."""
    values: int
    """Values that it changes or drops."""
    keys: int
    """Keys and columns that it does not read."""
    records: int
    """Records that lose a value or a key. A column that is not read is a lost key, but of no single record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A query that the findings listed in a report match."""

    query: str
    """The query, as the user wrote it."""
    records: int
    """Records that match it."""
    by_code: Mapping[str, int]
    """Findings that match it, by code, listed or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Statistics of a whole dataset. Counts that are not exact are described as such."""

    records: int
    """Records that were read."""
    valid: int
    """Records without an error that the system reads."""
    invalid: int
    """The other records."""
    bytes: Histogram | None = None
    """Bytes of a record. Leaves out records that span several lines although a record is a line, records that are too long to be read,
    and elements of a JSON document that cannot be read.
    """
    characters: Histogram | None = None
    """Characters (code points) of the same records, as they are written."""
    duplicates: int | None = None
    """Records that have the same bytes as an earlier one. Absent if there are too many records to compare: 1,835,008 different ones."""
    loaded: LoadedFacts | None = None
    """The records as the system loads them; absent if that is not known."""
    texts: Texts
    """Texts: strings at paths that are not a category, and at paths that are not listed."""
    facts: tuple[Fact, ...]
    """Facts about the records of the format: turns, roles, models, scores and the like."""
    paths: tuple[PathFacts, ...]
    """The paths of values in records that can be read, in the order in which they first occur."""
    at_other_paths: int
    """Values at paths that are not listed: beyond 500 paths, those that the format declares and then the shortest are listed, none of
    more than 1,000 bytes.
    """
    attachments: tuple[AttachmentFacts, ...]
    """The files of the archive beside the dataset, by type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Numbers in steps that are the same for all datasets: 16 for each octave, so that a step is at most a sixteenth of the number. Each
    whole number up to 32 has its own step. From 2^64 on, a step is an octave.
    """

    count: int
    """How many numbers there are."""
    min: float
    """The smallest."""
    max: float
    """The largest."""
    sum: float
    """Their sum; exact for whole numbers, otherwise rounded."""
    quartiles: tuple[float, ...]
    """Lower bounds of the quartiles: the smallest numbers that a quarter, a half and three quarters of the numbers do not exceed."""
    quartiles_to: tuple[float, ...]
    """Upper bounds of the quartiles: if both bounds are equal, the quartile is exact."""
    buckets: tuple[Bucket, ...]
    """The steps that contain numbers, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A step of a histogram."""

    index: int
    """The number of the step. The step 0 contains 0 and the numbers nearer to it than 2^-20. The step `i` > 0 begins at 2^(floor((i - 1)
    / 16) - 20) * (1 + (i - 1) mod 16 / 16), and the step `-i` holds the same numbers below 0. The step 1344 + `i` begins at 2^(63 +
    `i`).
    """
    from_: float
    """The smallest number in it."""
    to: float
    """The largest number in it."""
    count: int
    """How many numbers are in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedFacts:
    """The records of a dataset as the system loads them. Each record is counted once."""

    same: int
    """Records that it holds as they are in the file."""
    different: int
    """Records that it holds in another form."""
    dropped: int
    """Records that it drops while it loads others, including those of a repeated list in a document."""
    refused: int
    """Records that it refuses because of their errors, or because of the header."""
    differences: tuple[LoadedDifference, ...]
    """The differences of the records that it holds, most frequent first."""
    others: int
    """Differences beyond the 500 that are listed, and those at paths of more than 1,000 bytes, counted once for each record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDifference:
    """A difference between the records that the system holds and the file."""

    kind: ChangeKind
    """The change of the value."""
    path: str
    """The path of the value, in which `*` is any index; `(root)` for the record."""
    why: str
    """The reason, as a sentence."""
    records: int
    """Records in which it happens."""


ChangeKind = Literal["added", "changed", "removed"]
"""The change of a value when it is loaded.

- `added`: The system adds it.
- `changed`: The system holds it in another form or under another key.
- `removed`: The system does not hold it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Texts of a dataset."""

    characters: Histogram | None = None
    """Characters (code points) of a text, without its escapes."""
    estimated_tokens: Histogram | None = None
    """Tokens of a text. This is an estimate: a character from U+3000 on (Han, Kana, Hangul) counts as one, four others together as one.
    Models differ from it, and from each other.
    """
    scripts: tuple[ScriptCount, ...]
    """Texts by script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCount:
    """Texts in a script."""

    script: Script
    """The script."""
    texts: int
    """Texts with at least a tenth of the letters among their first 1,000 characters in this script. A text can be in several."""


Script = Literal["latin", "han", "kana", "hangul", "arabic", "cyrillic", "devanagari", "other"]
"""A script of letters.

- `latin`: Latin.
- `han`: Han.
- `kana`: Hiragana and Katakana.
- `hangul`: Hangul.
- `arabic`: Arabic.
- `cyrillic`: Cyrillic.
- `devanagari`: Devanagari.
- `other`: Any other.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Values that the records of a format have in common."""

    name: str
    """Its name, which is unique in the format."""
    title: str
    """Its heading."""
    paths: tuple[str, ...]
    """The paths of the values, in which `*` is any key or index."""
    distribution: Distribution
    """The distribution of the values, or of the numbers of elements for lists."""
    by: Groups | None = None
    """The distribution for each value that records have at another path. Records without one, or with several, are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Values and their frequencies. Fields of other variants are `None`."""

    categories: Categories | None = None
    """The count of each value."""
    histogram: Histogram | None = None
    """Numbers in steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """Values with their counts."""

    values: tuple[Category, ...]
    """The values, the most frequent first; none if there are more than 1,000."""
    others: int
    """Values that are not listed: further ones, and strings of more than 100 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A value with its count."""

    value: str
    """The value: a string, or a number or a boolean as it is written."""
    count: int
    """How often it occurs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """A distribution for each value at a path."""

    path: str
    """The path."""
    groups: tuple[Group, ...]
    """The values there, the most frequent first; none if there are more than 1,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The distribution for one value at a path."""

    value: str
    """The value."""
    distribution: Distribution
    """The distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathFacts:
    """A path, and its values."""

    path: str
    """The path, `input.messages.*.role`, where `*` is any index; `(root)` for the record."""
    records: int
    """Records that have such a value."""
    types: TypeCounts
    """The values by their type."""
    characters: Histogram | None = None
    """Characters of the strings, without escapes."""
    elements: Histogram | None = None
    """Elements of the arrays."""
    numbers: Histogram | None = None
    """The numbers."""
    values: Categories | None = None
    """The strings, numbers and booleans if they are a category: they have at most 10 different values, one of which is repeated, or
    fewer than 1,000 and one for every five values. At most a tenth of them are further values.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCounts:
    """Values by their type in JSON. If an object has a duplicate key, both values count. A cell of a CSV is a string; in a column of
    lists it is a list, in JSON or as values between commas, unless it is other JSON.
    """

    string: int
    """Strings."""
    number: int
    """Numbers."""
    boolean: int
    """Booleans."""
    null: int
    """Nulls."""
    array: int
    """Arrays."""
    object: int
    """Objects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentFacts:
    """Files of an archive that have the same type."""

    media_type: str
    """The media type, by the content of the files."""
    description: str
    """The type in words."""
    bytes: Histogram
    """Their sizes in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(FindingMethods):
    """A problem or a fact worth knowing, and its place."""

    code: str
    """The rule, such as `shape/missing-key`; `evalcheck explain CODE` describes it."""
    severity: Severity
    """How much it weighs."""
    line: int | None
    """The line, counted from 1 as in an editor; null if the finding is in no line."""
    column: int | None
    """The column, counted from 1 in Unicode code points; null if the finding is in no line."""
    byte_start: int | None
    """First byte, counted from 0 in the file (in the entry, if the dataset is an entry of a ZIP)."""
    byte_end: int | None
    """The byte after the last one."""
    record: int | None
    """The record, counted from 0; null if the finding belongs to no record."""
    path: str | None
    """Keys and indices, separated by dots, `input.messages.0.role`; a key with a dot in it is in quotes, `scores."top.1"`; `(root)` for
    the whole record; null if the finding is not about a value (a line that is not JSON, an archive).
    """
    message: str
    """The problem and the system's requirement, one line."""
    hint: str | None = None
    """Advice to the user, one or two sentences."""
    fix: Fix | None = None
    """A fix that changes bytes, if one is known."""
    loss: Loss | None = None
    """The loss here when the system loads the dataset."""
    says: str | None = None
    """The loader whose wording the message repeats, if any: `zod`."""
    refused_by: str | None = None
    """The readers of the format that are known to refuse it, if the format has several: `openai-python and llmcomp`."""
    related: tuple[Related, ...] = ()
    """Other places that belong to it, in the same file or entry."""
    entry: str | None = None
    """The entry of a ZIP that it is in or about."""


Severity = Literal["error", "warning", "info"]
"""How much a finding weighs.

- `error`: The system's own loader rejects it, or its documentation forbids it.
- `warning`: It loads, but something is lost, ignored, deprecated, ambiguous or very likely a mistake.
- `info`: A fact worth knowing.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Edits that remove a finding."""

    title: str
    """The effect of the edits, as an instruction: `Delete the comma`."""
    applicability: Applicability
    """Whether they may be applied without review."""
    edits: tuple[Edit, ...]
    """The edits, in the order of the bytes; none touches another. All of them belong together."""
    convert: Conversion | None = None
    """The conversion of the whole file; then there are no edits."""
    entries: tuple[EntryEdit, ...] = ()
    """Changes of entries of the ZIP. A fix without edits, conversion and entry changes only rewrites the ZIP: with the entries that its
    directory lists, and only the last of several entries of one name.
    """


Applicability = Literal["safe", "unsafe"]
"""Whether a fix may be applied without review.

- `safe`: There is one plausible reading of the bytes; nothing is invented, moved or lost.
- `unsafe`: Something is lost or guessed; the title of the fix states what.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change of bytes of the file (of the entry, if the finding is in one)."""

    start: int
    """The first byte that is replaced, counted from 0."""
    end: int
    """The byte after the last one; equal to `start` if text is only inserted."""
    text: str
    """The new text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A conversion of a whole file. Fields of other variants are `None`."""

    kind: Literal["decode", "utf16", "comma-separated", "straight-quotes", "without-blank-cells", "without-column", "array-to-lines", "array-in-object", "lines-in-object"]
    """- `decode`: Text of another encoding as UTF-8.
    - `utf16`: UTF-16 as UTF-8.
    - `comma-separated`: A CSV with this separator as one with commas.
    - `straight-quotes`: A CSV whose cells are quoted with `"` in place of other quotes, which surround a whole cell.
    - `without-blank-cells`: A CSV without the blank cells after its first columns. A row with a text there keeps its cells up to that
      text.
    - `without-column`: A CSV without one of its columns.
    - `array-to-lines`: Each element of the arrays at the beginning of the file, one after another, on its own line.
    - `array-in-object`: An array as a member of an object.
    - `lines-in-object`: Lines as the elements of an array that is a member of an object.
    """
    encoding: str | None = None
    """`decode`: The name of the encoding in the Encoding Standard: `shift_jis`."""
    big_endian: bool | None = None
    """`utf16`: Whether the first of two bytes is the higher one."""
    separator: str | None = None
    """`comma-separated`: The separator of the cells."""
    open: str | None = None
    """`straight-quotes`: The quote before a cell."""
    close: str | None = None
    """`straight-quotes`: The quote after it."""
    columns: int | None = None
    """`without-blank-cells`: The number of these columns."""
    column: int | None = None
    """`without-column`: The number of the column, counted from 0."""
    first_only: bool | None = None
    """`array-to-lines`: Whether only the first array is split, because the records are arrays."""
    key: str | None = None
    """- `array-in-object`: Its key there.
    - `lines-in-object`: Its key there.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryEdit:
    """A change of an entry of a ZIP."""

    entry: str
    """Its name."""
    rename: str | None
    """Its new name; null if it is removed."""


Loss = Literal["line", "value", "key"]
"""The loss that a finding reports, when the system loads the dataset.

- `line`: It drops the line.
- `value`: It changes or drops the value.
- `key`: It does not read the key or the column.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Another place that belongs to a finding, such as the first use of an id that is used again. Unknown properties are absent."""

    label: str
    """A label for the place, in a few words: `first used here`."""
    line: int | None = None
    """Its line, counted from 1."""
    column: int | None = None
    """Its column, counted from 1 in Unicode code points."""
    byte_start: int | None = None
    """Its first byte, counted as those of the finding."""
    byte_end: int | None = None
    """The byte after its last one."""
    record: int | None = None
    """Its record, counted from 0, if its line is not known."""
    path: str | None = None
    """Its path, as that of a finding."""
    file: str | None = None
    """The file that it is in, if that is not the dataset: a schema. Line, column and bytes are those of that file, and the path is a
    JSON Pointer.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatInfo:
    """A format, as the user chooses it."""

    id: str
    """Stable id, `juryarena`."""
    title: str
    """Its name in a list, `JuryArena dataset`."""
    system: str
    """The system that reads it, `JuryArena`."""
    link: str
    """Where the system documents the format."""
    expected: str
    """The content of a file that is detected as this format, as a noun phrase: `lines with "messages"`."""
    extensions: tuple[str, ...]
    """Extensions of files in this format, without a dot."""
    versions: tuple[str, ...]
    """Versions, newest last; empty if there is only one."""
    options: tuple[FormatOption, ...] = ()
    """Options that change its rules."""
    summary: str
    """One sentence that defines a record."""
    loader: str
    """The source of the knowledge about how the system loads a record, as a sentence."""
    is_loader_known: bool
    """Whether it is known how the system loads a record."""
    is_detected: bool
    """Whether files are detected as this format. Otherwise it is named beside others, because any data may be meant for it."""
    names: tuple[ShortName, ...]
    """Short names of values, for searches."""
    examples: tuple[Example, ...]
    """Built-in examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOption:
    """A choice of the user that changes rules of a format."""

    name: str
    """Its name, `azure`."""
    title: str
    """The title of the format with it, `Azure, fine-tuning`."""
    help: str
    """The differences that it makes, as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortName:
    """A short name of a value in a record, for searches: `role:user`."""

    name: str
    """The name."""
    paths: tuple[str, ...]
    """The paths of the value in a record; `*` is any key or index."""
    help: str
    """The meaning of the value, as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A dataset that is built in."""

    id: str
    """`minimal`, `full` or `broken`."""
    title: str
    """Its topic, a few words."""
    file_name: str
    """The name it is checked under."""
    content: ExampleContent
    """Its content: the text of a text file, the bytes of a ZIP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleContent:
    """The content of a built-in example. Fields of other variants are `None`."""

    text: str | None = None
    """A text file."""
    bytes: tuple[int, ...] | None = None
    """A file of bytes, a ZIP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule and its page."""

    code: str
    """Stable code, `shape/missing-key`."""
    severity: Severity
    """How much a finding of it weighs."""
    summary: str
    """One line."""
    title: str | None = None
    """The problem of the value at the path of a finding, as the end of a sentence that begins with the path: `is missing`. Absent if the
    message says it.
    """
    meaning: str
    """The meaning of a finding, and why the system cares."""
    other_words: tuple[str, ...] = ()
    """How common loaders word the same problem."""
    fix: str | None = None
    """The fixes that its findings may have: `safe`, `unsafe` or `safe or unsafe`; absent if there are none."""
    invalid: str
    """An example with the problem."""
    valid: str
    """The same example without the problem."""
    examples: Mapping[str, RuleExample] = field(default_factory=dict)
    """Examples for other formats, by their ids, if the one above does not fit them. Only rules that formats share have some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleExample:
    """An example of a rule."""

    invalid: str
    """With the problem."""
    valid: str
    """Without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A record that matches a query."""

    line: int
    """The line on which it begins, counted from 1."""
    record: int
    """Its number, counted from 0."""
    path: str | None
    """The path of the value that matches, `input.messages.1.content`; `None` if the query asks for no text and no value."""
    excerpt: Excerpt
    """The value around the match, which is the span; without a match, the beginning of the record, and an empty span."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The part of a line around a span. Its offsets count bytes of its text in UTF-8, not UTF-16 code units."""

    text: str
    """The text, without a line break; bytes that are not UTF-8 show as U+FFFD."""
    start: int
    """Where the span begins."""
    end: int
    """Where the span ends, or the line if that is earlier."""
    clipped_before: bool
    """Whether the line begins before the text."""
    clipped_after: bool
    """Whether the line continues after the text."""
