"""A check that is cut into parts, for several threads, processes or machines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass

from . import _native
from ._api import BinaryReader, Dataset, Schema, _name, _options, _report, _source
from ._types import Report

@dataclass(frozen=True)
class Plan:
    """How the check of a dataset is cut. It can be pickled, and written as JSON."""

    ranges: tuple[tuple[int, int], ...]
    """The ranges, in the order of the file: together they are the file. Each is its first byte and the byte after its last one."""
    size: int
    """The bytes of the dataset."""
    json: str
    """The plan as the command `evalcheck plan` writes it, but for line breaks."""

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Reads a plan.

        Raises:
            ValueError: This is not a plan.
        """
        try:
            value = json.loads(text)
            ranges = tuple((int(start), int(end)) for start, end in value["ranges"])
            return cls(ranges=ranges, size=int(value["dataset"]["size"]), json=text)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"plan: this is not a plan: {error!r}") from error


def plan(
    dataset: Dataset,
    *,
    format: str | None = None,
    format_version: str | None = None,
    option: str | Iterable[str] = (),
    schema: Schema | Iterable[Schema] | None = None,
    schema_formats: bool = False,
    range_bytes: int = _native.USUAL_RANGE,
    name: str | None = None,
    state: str | None = None,
) -> Plan:
    """Decides once what all parts of a check have to know, and cuts the dataset into ranges.

    A dataset is a path, bytes, or a binary file object that can `seek`: of it only the first bytes are read. What is not JSONL is one range.

    Args:
        dataset: The dataset.
        format: As for `check`.
        format_version: As for `check`.
        option: As for `check`.
        schema: As for `check`.
        schema_formats: As for `check`.
        range_bytes: The bytes of a range; by default 256 MiB.
        name: The name of the dataset, by which its format may be detected. By default that of the file, or `dataset`.
        state: What tells this state of a file object from others, such as the ETag of an object in a store. Of a path it is the time
            when it was changed.

    Raises:
        OSError: The dataset cannot be opened or read.
        ValueError: An option is wrong.
        TypeError: The file object cannot seek.
    """
    if range_bytes < 1:
        raise ValueError(f"range_bytes: expected at least 1, not {range_bytes}")
    options = _options(locals())
    source = _anywhere(dataset)
    known = _name(dataset, name)
    file = os.fsdecode(source) if isinstance(source, (str, os.PathLike)) else (known or "")
    return Plan.from_json(_native.plan(source, known, options, file, state, range_bytes))


def check_range(dataset: Dataset, range: tuple[int, int], plan: Plan, *, state: str | None = None) -> bytes:
    """Checks a range of a dataset, and returns its part, to be given to `merge` and `finish`.

    Only the range is read, and a line that begins in it to its end. Other threads of Python go on meanwhile.

    Args:
        dataset: The dataset, as for `plan`.
        range: A range of the plan.
        plan: The plan.
        state: The state of a file object, to be compared with that of the plan.

    Raises:
        OSError: The dataset cannot be read.
        ValueError: The range is not in the dataset, or the dataset has changed since it was planned.
        TypeError: The file object cannot seek.
    """
    start, end = range
    return _native.check_range(_anywhere(dataset), (start, end), plan.json, state)


def merge(parts: Iterable[bytes]) -> bytes:
    """Puts adjacent parts, which may be in any order, together to one.

    Raises:
        ValueError: They are no parts, are damaged or of different plans, have bytes in common, or one between them is missing.
    """
    return _native.merge(list(parts))


def finish(
    parts: Iterable[bytes],
    dataset: Dataset,
    *,
    name: str | None = None,
    state: str | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    max_findings: int | None = None,
    all: bool = False,
) -> Report:
    """The report of a dataset of which these are the parts: that of `check`, byte for byte.

    The lines in which something may be wrong are read from the dataset again. Options that are not described here are those of `check`;
    format and version are those of the plan.

    Args:
        parts: The parts of all ranges, in any order.
        dataset: The dataset, as for `plan`.
        state: The state of a file object, to be compared with that of the plan.

    Raises:
        OSError: The dataset cannot be opened.
        ValueError: A part is missing, see `merge`; the dataset has changed since it was planned; or an option is wrong.
        TypeError: The file object cannot seek.
    """
    options = _options(locals())
    return _report(_native.finish(_anywhere(dataset), _name(dataset, name), list(parts), state, options))


def _anywhere(dataset: Dataset) -> bytes | str | os.PathLike[str] | BinaryReader:
    source = _source(dataset)
    if not isinstance(source, (bytes, str, os.PathLike)):
        seekable = getattr(source, "seekable", None)
        if not hasattr(source, "seek") or (seekable is not None and not seekable()):
            raise TypeError("the file object cannot seek, so that no range of it can be read")
    return source
