"""What the tests share."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SUITE = os.environ.get("EVALCHECK_SUITE", "quick")
"""How much the tests try: `full` is everything, `quick` a piece of each guard."""

if SUITE not in ("quick", "full"):
    raise ValueError(f"EVALCHECK_SUITE is {SUITE}, and has to be quick or full")


def sized(quick: int, full: int) -> int:
    """A size of a test in this suite."""
    return full if SUITE == "full" else quick


needs_the_wheel = pytest.mark.skipif(SUITE == "quick", reason="only the full suite builds the wheel")
"""Marks tests of the package as pip installs it."""

ROOT = Path(__file__).resolve().parents[3]
"""The repository."""

VALID = b'{"input":{"messages":[{"role":"user","content":"Hi"}]}}\n'
"""A valid record of JuryArena."""

FIXABLE = b'{"input":{"messages":[{"role":"user","content":"Hi"}]},}\n'
"""The same with a mistake that has a safe fix."""

INVALID = b'{"input":{"messages":[{"role":"tool","content":"Hi"}]}}\n'
"""The same with a mistake that has none."""


SAMPLE = '[{"type":"text","id":"%s","text":"%s"}]\n'


def quest(lines: int) -> bytes:
    """Samples of Quest with ids, of which some are used again or are no texts."""
    chance = random.Random(1)
    header = '{"total_samples":1,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}\n'
    data = [header]
    for line in range(lines):
        sample_id = chance.randrange(line + 1) if chance.random() < 0.002 else line
        data.append(SAMPLE % (sample_id, "a" * chance.randrange(200)) if chance.random() > 0.002 else "[{}]\n")
    return "".join(data).encode()


class Block(NamedTuple):
    """A fenced example of a document."""

    language: str
    text: str
    line: int


def blocks(document: Path) -> Iterator[Block]:
    """The examples of a document."""
    text = document.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)


def run(*arguments: object, status: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program that ends with this status."""
    command = [str(argument) for argument in arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=cwd, stdin=subprocess.DEVNULL)
    assert done.returncode == status, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


def python(*arguments: object, status: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs this Python."""
    return run(sys.executable, *arguments, status=status, cwd=cwd)
