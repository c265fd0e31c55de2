"""What functions return: the report (report v1, see docs/report.md), and what there is to know of formats and rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from ._generated import *  # The types that `cargo xtask generate` makes.
from ._methods import Span as Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """A dataset that was fixed."""

    fixes: int
    """How many fixes were applied."""
    report: Report
    """The report on what it is now."""
    data: bytes | None = field(default=None, repr=False)
    """Its bytes, where it was written to no file."""
