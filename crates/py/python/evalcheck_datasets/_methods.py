"""Methods of the generated dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from . import _native

if TYPE_CHECKING:
    from ._generated import Finding, Report


@dataclass(frozen=True, slots=True)
class Span:
    """A range of bytes, counted from 0."""

    start: int
    """The first byte."""
    end: int
    """The byte after the last one."""


class FindingMethods:
    """The methods of a finding."""

    __slots__ = ()

    @property
    def span(self) -> Span | None:
        """The bytes; `None` for what is at no place."""
        finding = cast("Finding", self)
        if finding.byte_start is None or finding.byte_end is None:
            return None
        return Span(finding.byte_start, finding.byte_end)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMethods:
    """The methods of a report, which keeps the text that it is made of."""

    _json: str = field(repr=False, compare=False)

    def to_json(self) -> str:
        """The report as the command writes it with `--output json`, byte for byte."""
        return self._json

    def __str__(self) -> str:
        """A line for each finding, and the verdict at the end."""
        return _native.text(self._json).rstrip("\n")

    def _repr_html_(self) -> str:
        from ._html import report_html

        return report_html(cast("Report", self))
