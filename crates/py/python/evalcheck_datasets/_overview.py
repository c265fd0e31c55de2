"""Statistics of a whole dataset: `overview` of a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A step of a histogram."""

    index: int
    """Which step it is: 16 for each octave."""
    from_: float
    """The smallest number in it."""
    to: float
    """The largest number in it."""
    count: int
    """How many numbers are in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Numbers in steps that are the same for all datasets."""

    count: int
    """How many numbers there are."""
    min: float
    max: float
    sum: float
    quartiles: tuple[float, ...]
    """The smallest numbers that a quarter, a half and three quarters of them do not exceed: none of the three is less than this."""
    quartiles_to: tuple[float, ...]
    """None of the three is more than this: where it is equal to that of `quartiles`, it is known."""
    buckets: tuple[Bucket, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A value with its count."""

    value: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """Values with their counts."""

    values: tuple[Category, ...]
    """The values, the most frequent first; none if there are more than 1,000."""
    others: int
    """Values that are not listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """How often which values occur: one of both."""

    categories: Categories | None = None
    histogram: Histogram | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The distribution for one value at a path."""

    value: str
    distribution: Distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """A distribution for each value at a path."""

    path: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What the records of a format have in common."""

    name: str
    title: str
    paths: tuple[str, ...]
    """The paths of the values; `*` is any key or index."""
    distribution: Distribution
    by: Groups | None = None
    """The same by the value at another path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCounts:
    """Values by their type in JSON."""

    string: int
    number: int
    boolean: int
    null: int
    array: int
    object: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PathFacts:
    """A path of values, and what they are."""

    path: str
    records: int
    """Records that have such a value."""
    types: TypeCounts
    characters: Histogram | None = None
    """Characters of the strings."""
    elements: Histogram | None = None
    """Elements of the arrays."""
    numbers: Histogram | None = None
    values: Categories | None = None
    """The values where they are a category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDifference:
    """How records that the system holds differ from the file."""

    kind: Literal["added", "changed", "removed"]
    path: str
    why: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedFacts:
    """What the system makes of the records."""

    same: int
    """Records that it holds as they are in the file."""
    different: int
    dropped: int
    refused: int
    differences: tuple[LoadedDifference, ...]
    others: int
    """Further differences than the 500 that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCount:
    """Texts in a script."""

    script: Literal["latin", "han", "kana", "hangul", "arabic", "cyrillic", "devanagari", "other"]
    texts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Texts of a dataset: strings at paths that are no category."""

    characters: Histogram | None = None
    estimated_tokens: Histogram | None = None
    """An estimate."""
    scripts: tuple[ScriptCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentFacts:
    """Files of an archive that have the same type."""

    media_type: str
    description: str
    bytes: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Statistics of a whole dataset."""

    records: int
    valid: int
    invalid: int
    bytes: Histogram | None = None
    """Bytes of a record."""
    characters: Histogram | None = None
    """Characters of a record."""
    duplicates: int | None = None
    """Records that have the same bytes as an earlier one; `None` where there are too many to compare."""
    loaded: LoadedFacts | None = None
    """What the system makes of the records, where that is known."""
    texts: Texts
    facts: tuple[Fact, ...]
    """What the format's records have in common."""
    paths: tuple[PathFacts, ...]
    at_other_paths: int
    """Values at further paths than those that are listed."""
    attachments: tuple[AttachmentFacts, ...]
