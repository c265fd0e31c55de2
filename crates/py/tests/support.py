"""What the tests share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
"""The repository."""

VALID = b'{"input":{"messages":[{"role":"user","content":"Hi"}]}}\n'
"""A valid record of JuryArena."""

FIXABLE = b'{"input":{"messages":[{"role":"user","content":"Hi"}]},}\n'
"""The same with a mistake that has a safe fix."""

INVALID = b'{"input":{"messages":[{"role":"tool","content":"Hi"}]}}\n'
"""The same with a mistake that has none."""


def run(*arguments: object, status: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program that ends with this status."""
    command = [str(argument) for argument in arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=cwd, stdin=subprocess.DEVNULL)
    assert done.returncode == status, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


def python(*arguments: object, status: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs this Python."""
    return run(sys.executable, *arguments, status=status, cwd=cwd)
