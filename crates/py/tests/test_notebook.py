"""What a notebook shows of a report: short, and nothing of a dataset becomes markup."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import evalcheck_datasets as evalcheck
from support import INVALID, VALID
from evalcheck_datasets._html import MOST_FINDINGS

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table><style>*{display:none}</style>",
    '" onmouseover="alert(1)',
    "' style='position:fixed",
    "<a href=javascript:alert(1)>x</a>",
    "&lt;script&gt;",
    "\u202etxt.exe\u2066",
    "\x1b]8;;https://example.org\x07link",
    "<!--",
    "]]>",
    "$\\href{javascript:alert(1)}{x}$",
]

ALLOWED = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "bdi"}
"""The elements of what is shown."""


class Elements(HTMLParser):
    """What a browser would make of it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")


def elements(report: evalcheck.Report) -> Elements:
    parsed = Elements()
    parsed.feed(report._repr_html_())
    parsed.close()
    assert parsed.open == []
    assert set(parsed.names) <= ALLOWED
    return parsed


def test_the_verdict_and_the_findings_are_shown() -> None:
    text = elements(evalcheck.check(INVALID, name="samples.jsonl")).text
    assert "samples.jsonl: invalid (juryarena)" in text
    assert "line 1: input.messages.0.role" in text and "shape/invalid-enum-value" in text
    text = elements(evalcheck.check(VALID, name="samples.jsonl")).text
    assert "samples.jsonl: valid (juryarena)" in text and "Rule" not in text


def test_it_is_short() -> None:
    report = evalcheck.check(INVALID * 1500)
    shown = elements(report)
    assert shown.names.count("tr") == MOST_FINDINGS + 1
    assert f"{1500 - MOST_FINDINGS:,} more" in shown.text
    assert len(report._repr_html_()) < 20_000
    filtered = elements(evalcheck.check(INVALID * 30, where="rule:shape"))
    assert "10 more" in filtered.text
    selected = elements(evalcheck.check(INVALID * 30 + b"{\n", select=["json"]))
    assert "more" not in selected.text, "what is not selected is not left"
    capped = elements(evalcheck.check(INVALID * 30, max_findings=2))
    assert "does not list all findings" in capped.text


def test_a_hostile_dataset_stays_text() -> None:
    styles = {value for _, value in elements(evalcheck.check(INVALID)).attributes}
    seen = ""
    for text in HOSTILE:
        record = {"input": {"messages": [{"role": text, "content": "a"}], text: 1}, text: [text]}
        data = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        for given, name in ((data, text), (text.encode(), text), (data + data[:-3], "a.jsonl")):
            report = evalcheck.check(given, name=name)
            assert report.findings
            shown = elements(report)
            seen += shown.text
            assert all(name in ("style", "scope") for name, _ in shown.attributes)
            assert {value for _, value in shown.attributes} <= styles | {
                style.replace("#d1242f", colour) for style in styles if style for colour in ("#bf8700", "#0969da")
            }
            assert not [character for character in shown.text if ord(character) < 32 or character in "\u202e\u2066"]
    assert "<script>alert(1)</script>" in seen, "it was shown, as text"
    assert "<U+202E>" in seen
