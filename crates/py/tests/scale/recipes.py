"""The recipes of docs/scale.md, and how they are run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evalcheck_datasets as evalcheck
from support import FIXABLE, INVALID, ROOT, VALID, blocks

DOCUMENT = ROOT / "docs" / "scale.md"

RANGE = 300_000
"""The bytes of a range in the tests."""

DUMP = """
if __name__ == "__main__":
    import json
    with open("reports.json", "w") as file:
        json.dump({str(path): report.to_json() for path, report in reports.items()}, file)
"""
"""What is appended to a recipe in Python, whose reports are its variable `reports`."""


def recipes(heading: str, language: str) -> list[str]:
    """The examples below a heading, in the range of the tests."""
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    start = lines.index(f"## {heading}")
    end = next((line for line in range(start + 1, len(lines)) if lines[line].startswith("## ")), len(lines))
    found = [block for block in blocks(DOCUMENT) if start < block.line < end and block.language == language]
    assert found, heading
    return [re.sub(r"256 << 20|256000000|1000000000", str(RANGE), block.text) for block in found]


def lay(folder: Path, data: bytes, small: int) -> None:
    """Puts a large file into a folder, and data/ with it and small ones."""
    (folder / "data" / "more").mkdir(parents=True)
    (folder / "big.jsonl").write_bytes(data)
    (folder / "data" / "more" / "big.jsonl").write_bytes(data)
    for number in range(small):
        records = VALID * (number % 7 + 1) + FIXABLE * (number % 3 == 0) + INVALID * (number % 5 == 0)
        (folder / "data" / f"{number}.jsonl").write_bytes(records)


def environment(**more: str) -> dict[str, str]:
    """The variables of a recipe: the commands of this Python, and the command that is built by cargo, come first."""
    first = [str(Path(os.environ["EVALCHECK_CLI"]).parent), str(Path(sys.executable).parent)]
    return {**os.environ, "PATH": os.pathsep.join([*first, os.environ["PATH"]]), **more}


def start(command: list[str], folder: Path, status: int = 0, **variables: str) -> str:
    """Runs a program in a folder, and returns what it has written."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == status, f"{command} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def shell(text: str, folder: Path, **variables: str) -> None:
    start(["sh", "-e", "-c", text], folder, 0, **variables)


def need(*programs: str) -> None:
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: the recipe is NOT run")


def whole(path: Path) -> str:
    """The report of the command."""
    done = subprocess.run(
        [os.environ["EVALCHECK_CLI"], "check", path.name, "--output", "json", "--jobs", "1"],
        cwd=path.parent,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert done.returncode in (0, 1)
    return done.stdout


def python(text: str, folder: Path, before: str = "", status: int = 0, **variables: str) -> str:
    """Runs a recipe in Python."""
    (folder / "recipe.py").write_text(before + text + DUMP, encoding="utf-8")
    return start([sys.executable, "recipe.py"], folder, status, PYTHONDONTWRITEBYTECODE="1", **variables)


def compare(folder: Path) -> None:
    """Each report of a recipe is that of the whole file."""
    reports: dict[str, str] = json.loads((folder / "reports.json").read_text(encoding="utf-8"))
    expected = {path: evalcheck.check(path).to_json() for path in (folder / "data").glob("**/*.jsonl")}
    assert {(folder / path): report for path, report in reports.items()} == expected
    assert '"valid": false' in expected[folder / "data" / "more" / "big.jsonl"]
