"""Golden cases: the report is the text that the command writes, byte for byte. The quick suite compares some, the full one all."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import evalcheck_datasets as evalcheck
from support import sized

OPTIONS = {
    "format": "--format",
    "version": "--format-version",
    "entry": "--entry",
    "max_findings_per_code": "--max-findings",
}
"""The options of cases that the command has under other names."""


def cases() -> list[dict[str, Any]]:
    index = Path(os.environ["EVALCHECK_CASES"]) / "index.json"
    cases: list[dict[str, Any]] = json.loads(index.read_text(encoding="utf-8"))
    return cases


def of_command(command: Path, case: dict[str, Any], *more: str) -> bytes:
    """What the command writes."""
    arguments = [*more]
    for name, option in OPTIONS.items():
        if case["options"].get(name) is not None:
            arguments += [option, str(case["options"][name])]
    for name in case["options"].get("option", []):
        arguments += ["--option", name]
    for path in case["options"].get("schema", []):
        arguments += ["--schema", path]
    if case["options"].get("schema_formats"):
        arguments += ["--schema-formats"]
    with Popen([command, *arguments, "--output", "json", case["file"]], stdout=PIPE, stderr=PIPE) as process:
        return process.communicate()[0]


def of_package(case: dict[str, Any], **more: Any) -> bytes:
    """What the package makes."""
    options = case["options"]
    report = evalcheck.check(
        case["file"],
        format=options.get("format"),
        format_version=options.get("version"),
        option=options.get("option", []),
        entry=options.get("entry"),
        schema=options.get("schema") or None,
        schema_formats=options.get("schema_formats", False),
        max_findings=options.get("max_findings_per_code"),
        **more,
    )
    return report.to_json().encode()


def test_reports_are_those_of_the_command(command: Path) -> None:
    def differs(case: dict[str, Any]) -> str | None:
        return None if of_package(case) == of_command(command, case, "check", "--isolated") else case["name"]

    with ThreadPoolExecutor(2) as pool:
        compared = list(pool.map(differs, cases()[:: sized(15, 1)]))
    assert len(compared) > sized(40, 500)
    assert not [name for name in compared if name is not None]


def test_statistics_are_those_of_the_command(command: Path) -> None:
    def differs(case: dict[str, Any]) -> str | None:
        same = of_package(case, overview=True) == of_command(command, case, "stats")
        return None if same else case["name"]

    some = [case for case in cases()[::25] if case["options"].get("max_findings_per_code") is None]
    with ThreadPoolExecutor(2) as pool:
        assert not [name for name in pool.map(differs, some) if name is not None]
    assert len(some) > 20
