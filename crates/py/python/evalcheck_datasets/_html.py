"""A report in a notebook: short, without scripts, and readable in light and dark. All that a dataset decides is text."""

from __future__ import annotations

import html
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._generated import Finding, Report

MOST_FINDINGS = 20
"""Findings that are listed."""

MOST_CHARACTERS = 300
"""Characters of a message that are shown."""

# Borders only: text has the colour of the notebook.
_COLOURS = {"error": "#d1242f", "warning": "#bf8700", "info": "#0969da", "valid": "#1a7f37"}
_LINE = "1px solid rgba(128, 128, 128, 0.4)"


def report_html(report: Report) -> str:
    """The verdict, and the first findings."""
    verdict = str(report).rsplit("\n", 1)[-1]
    colour = _COLOURS["valid"] if report.valid else _COLOURS["error"] if report.checked else _COLOURS["warning"]
    parts = [
        f'<div style="border-left: 4px solid {colour}; padding-left: 10px">',
        f"<p><strong>{_text(verdict)}</strong></p>",
    ]
    listed = report.findings[:MOST_FINDINGS]
    if listed:
        parts.append('<table style="border-collapse: collapse; color: inherit"><thead><tr>')
        parts += [f'<th scope="col" style="text-align: left">{name}</th>' for name in ("Place", "Rule", "Message")]
        parts.append("</tr></thead><tbody>")
        parts += [_row(finding) for finding in listed]
        parts.append("</tbody></table>")
    # Counts are of the whole dataset, whatever rules are selected: they do not say how many are left.
    more = len(report.findings) - len(listed)
    if more > 0:
        parts.append(f"<p>{more:,} more</p>")
    if report.truncated:
        parts.append("<p>The report does not list all findings.</p>")
    parts.append("</div>")
    return "".join(parts)


def _row(finding: Finding) -> str:
    place = f"line {finding.line}" if finding.line is not None else finding.entry or ""
    if finding.path is not None:
        place = f"{place}: {finding.path}" if place else finding.path
    colour = _COLOURS[finding.severity]
    cells = [_text(place), f"{_text(finding.severity)} {_text(finding.code)}", _text(finding.message)]
    row = "".join(
        f'<td style="text-align: left; vertical-align: top; border-top: {_LINE}; border-left: {border}">{cell}</td>'
        for cell, border in zip(cells, (f"3px solid {colour}", "none", "none"))
    )
    return f"<tr>{row}</tr>"


def _text(text: str) -> str:
    """Text that stays text: markup is escaped, and what reorders or hides text is shown as code points."""
    if len(text) > MOST_CHARACTERS:
        text = text[: MOST_CHARACTERS - 1] + "…"
    shown = "".join(
        f"<U+{ord(character):04X}>" if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} else character
        for character in text
    )
    return f"<bdi>{html.escape(shown)}</bdi>"
