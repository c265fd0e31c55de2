"""What functions return: the report (report v1, see docs/report.md), and what there is to know of formats and rules.

Objects are immutable. What a report leaves out is `None`, or empty where it is a list or counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from . import _native
from ._overview import Overview

Severity = Literal["error", "warning", "info"]
"""How much a finding weighs: the system's own loader rejects it; something is lost or very likely a mistake; a fact worth knowing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """The program that wrote a report."""

    name: str
    """Always `evalcheck`."""
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """The file that was checked."""

    name: str
    """Its name, without a folder."""
    size: int
    """Its size in bytes."""
    entry: str | None = None
    """The entry of a ZIP that holds the dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A format that a file was not checked against."""

    id: str
    confidence: int
    """How well it fits, from 0 to 100."""
    reason: str
    """Why it fits, or what it would have wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """The format that a file was checked against."""

    id: str
    """Its id, `juryarena` for instance; empty when none was recognised."""
    version: str
    """Its version, where it has several; otherwise empty."""
    detected: bool
    """True when the format was chosen by the content, false when it was named."""
    reason: str
    """Why this format."""
    confidence: int
    """How sure, from 1 to 100; 100 when it was named; 0 when none was recognised."""
    others: tuple[Alternative, ...]
    """Other formats that fit too, the closest first; where none was recognised, all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossCounts:
    """How much the system loses when it loads the dataset."""

    lines: int
    """Lines that it drops."""
    values: int
    """Values that it changes or drops."""
    keys: int
    """Keys and columns that it does not read."""
    records: int
    """Records of which a value or key is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Exact counts. Where a record is a line, `lines` is `valid + invalid + blank + header + continued`."""

    lines: int
    """Lines of text that were read."""
    records: int
    """Records that were read: `valid + invalid`."""
    valid: int
    """Records without an error that the system reads."""
    invalid: int
    """Records with an error, and those that the system does not read because of a mistake in the header."""
    blank: int
    """Lines of nothing but white space."""
    header: int
    """Header lines."""
    continued: int = 0
    """Further lines of records that are a line each and are spread over several."""
    errors: int
    """Findings of severity error."""
    warnings: int
    """Findings of severity warning."""
    infos: int
    """Findings of severity info."""
    by_code: Mapping[str, int]
    """Findings by code."""
    safe_fixes: Mapping[str, int] = field(default_factory=dict)
    """Findings that have a safe fix, by code."""
    unsafe_fixes: Mapping[str, int] = field(default_factory=dict)
    """Findings that have an unsafe fix, by code."""
    loss: LossCounts
    """What the system loses of a dataset that it loads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A query that findings have to match to be listed."""

    query: str
    records: int
    """Records that match it."""
    by_code: Mapping[str, int]
    """Findings that match it by code, listed or not."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of bytes, counted from 0."""

    start: int
    """The first byte."""
    end: int
    """The byte after the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """How a whole file is written anew. Which fields have a value depends on the kind."""

    kind: Literal[
        "decode",
        "utf16",
        "comma-separated",
        "straight-quotes",
        "without-blank-cells",
        "without-column",
        "array-to-lines",
        "array-in-object",
        "lines-in-object",
    ]
    encoding: str | None = None
    """Of `decode`: the name of the encoding."""
    big_endian: bool | None = None
    """Of `utf16`: the first byte of two is the higher."""
    separator: str | None = None
    """Of `comma-separated`: the separator of the cells."""
    columns: int | None = None
    """Of `without-blank-cells`: how many columns there are."""
    column: int | None = None
    """Of `without-column`: the number of the column, counted from 0."""
    open: str | None = None
    """Of `straight-quotes`: the quote before a cell."""
    close: str | None = None
    """Of `straight-quotes`: the quote after it."""
    first_only: bool | None = None
    """Of `array-to-lines`: only of the first array, because the records are arrays."""
    key: str | None = None
    """Of `array-in-object` and `lines-in-object`: the key in the object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change of bytes of the file, or of the entry of a ZIP that a finding is in."""

    start: int
    """The first byte that is replaced, counted from 0."""
    end: int
    """The byte after the last one."""
    text: str
    """The new text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryEdit:
    """What becomes of an entry of the ZIP."""

    entry: str
    """Its name."""
    rename: str | None
    """Its new name; `None` where it is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Edits that take a finding away."""

    title: str
    """What they do: `Delete the comma`."""
    applicability: Literal["safe", "unsafe"]
    """Safe: the bytes can be read in one way only, and nothing is invented, moved or lost."""
    edits: tuple[Edit, ...]
    """The edits, in the order of the bytes. They belong together."""
    convert: Conversion | None = None
    """The whole file is written anew, and there are no edits."""
    entries: tuple[EntryEdit, ...] = ()
    """What becomes of entries of the ZIP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Another place that belongs to a finding, such as the first use of an id."""

    label: str
    """What is there: `first used here`."""
    line: int | None = None
    column: int | None = None
    byte_start: int | None = None
    byte_end: int | None = None
    record: int | None = None
    """Its record, counted from 0, where its line is not known."""
    path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, or worth knowing, and where."""

    code: str
    """The rule, such as `shape/missing-key`; `explain(code)` says what it means."""
    severity: Severity
    line: int | None
    """The line, counted from 1."""
    column: int | None
    """The column, counted from 1 in Unicode code points."""
    byte_start: int | None
    """The first byte, counted from 0 in the file or in the entry of a ZIP."""
    byte_end: int | None
    """The byte after the last one."""
    record: int | None
    """The record, counted from 0."""
    path: str | None
    """Dotted keys and indexes, `input.messages.0.role`; `(root)` for the whole record."""
    message: str
    """What is wrong and what the system wants."""
    hint: str | None = None
    """What to do about it."""
    fix: Fix | None = None
    """How it can be fixed by changing bytes, where that is known."""
    loss: Literal["line", "value", "key"] | None = None
    """What the system loses here when it loads the dataset."""
    says: str | None = None
    """The loader whose wording the message repeats: `zod`."""
    related: tuple[Related, ...] = ()
    """Other places that belong to it."""
    entry: str | None = None
    """The entry of a ZIP that it is in or about."""

    @property
    def span(self) -> Span | None:
        """The bytes; `None` for what is at no place."""
        if self.byte_start is None or self.byte_end is None:
            return None
        return Span(self.byte_start, self.byte_end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The verdict on one dataset, report v1.

    `str(report)` has a line for each finding, and ends with the verdict.
    """

    report: str
    """Name and version of this form."""
    tool: Tool
    file: File
    format: Format
    valid: bool
    """True when everything was checked and no finding is an error."""
    checked: bool
    """False when part of the file was not checked."""
    counts: Counts
    """Exact counts, whatever number of findings is listed."""
    truncated: bool
    """True when findings are counted and not listed."""
    max_findings_per_code: int | None = None
    """The most findings that are listed for one rule."""
    notes: tuple[str, ...]
    """Facts about the dataset that are no findings."""
    filter: Filter | None = None
    """What the findings were filtered by."""
    overview: Overview | None = None
    """Statistics of the dataset, where they were asked for."""
    findings: tuple[Finding, ...]
    """In the order of the file; what concerns the whole dataset comes last."""
    _json: str = field(repr=False, compare=False)

    def to_json(self) -> str:
        """The report as the command writes it with `--output json`, byte for byte."""
        return self._json

    def __str__(self) -> str:
        return _native.text(self._json).rstrip("\n")

    def _repr_html_(self) -> str:
        from ._html import report_html

        return report_html(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """A dataset that was fixed."""

    fixes: int
    """How many fixes were applied."""
    report: Report
    """The report on what it is now."""
    data: bytes | None = field(default=None, repr=False)
    """Its bytes, where it was written to no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The part of a line around a match. Its offsets count bytes of its text in UTF-8."""

    text: str
    """The text; bytes that are not UTF-8 are U+FFFD."""
    start: int
    """Where the match begins."""
    end: int
    """Where it ends."""
    clipped_before: bool
    """True when the line begins before the text."""
    clipped_after: bool
    """True when the line goes on after the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A record that matches a query."""

    line: int
    """The line on which it begins, counted from 1."""
    record: int
    """Its number, counted from 0."""
    path: str | None
    """The path of the value that matches; `None` where the query asks for no text and no value."""
    excerpt: Excerpt
    """The value around the match, or the beginning of the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortName:
    """A short name of a value in a record, for queries: `role:user`."""

    name: str
    paths: tuple[str, ...]
    """The paths of the value; `*` is any key or index."""
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleContent:
    """The content of an example: one of both."""

    text: str | None = None
    """Of a text file."""
    bytes: tuple[int, ...] | None = None
    """Of a ZIP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A dataset that is built in."""

    id: str
    """`minimal`, `full` or `broken`."""
    title: str
    file_name: str
    content: ExampleContent


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatInfo:
    """A known format."""

    id: str
    title: str
    system: str
    """The system that reads it."""
    link: str
    """Where the system documents it."""
    expected: str
    """What a file needs to be detected as this format."""
    extensions: tuple[str, ...]
    versions: tuple[str, ...]
    """Its versions, the newest last; empty where there is only one."""
    summary: str
    """What a record is."""
    loader: str
    """From where it is known what the system does with a record."""
    is_loader_known: bool
    names: tuple[ShortName, ...]
    """Short names of values, for queries."""
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleExample:
    """An example of a rule."""

    invalid: str
    """With the problem."""
    valid: str
    """Without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule."""

    code: str
    severity: Severity
    summary: str
    title: str | None = None
    """What is wrong with the value, as the end of a sentence that begins with its path: `is missing`."""
    meaning: str
    """What it means and why the system cares."""
    other_words: tuple[str, ...] = ()
    """How common loaders word the same problem."""
    fix: str | None = None
    """Which fixes its findings may have: `safe`, `unsafe` or `safe or unsafe`."""
    invalid: str
    """An example with the problem."""
    valid: str
    """The same example without the problem."""
    examples: Mapping[str, RuleExample] = field(default_factory=dict)
    """Examples for formats, by their ids."""
