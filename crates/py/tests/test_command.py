"""The command, as console script and as `python -m evalcheck_datasets`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import evalcheck_datasets as evalcheck
from support import FIXABLE, VALID, needs_the_wheel, run, sized

SCRIPT = Path(sysconfig.get_path("scripts")) / ("evalcheck.exe" if os.name == "nt" else "evalcheck")

COMMANDS = pytest.mark.parametrize(
    "evalcheck_command",
    [
        pytest.param([str(SCRIPT)], id="script", marks=needs_the_wheel),
        pytest.param([sys.executable, "-m", "evalcheck_datasets"], id="module"),
    ],
)


@COMMANDS
def test_it_is_the_command(evalcheck_command: list[str], command: Path, dataset: Path) -> None:
    calls = [
        (["--version"], 0),
        (["--help"], 0),
        (["check", "--help"], 0),
        (["formats"], 0),
        (["explain", "json/comment"], 0),
        (["explain", "no/rule"], 2),
        ([str(dataset)], 1),
        (["check", "--output", "json", str(dataset)], 1),
        (["check", "--no-such-option", str(dataset)], 2),
        (["fix", str(dataset)], 1),
        (["missing.jsonl"], 3),
    ]
    for arguments, status in calls[:: sized(3, 1)]:
        ours = run(*evalcheck_command, *arguments, status=status)
        built = run(command, *arguments, status=status)
        assert (ours.stdout, ours.stderr) == (built.stdout, built.stderr)


@COMMANDS
def test_the_version_is_that_of_the_package(evalcheck_command: list[str]) -> None:
    assert run(*evalcheck_command, "--version").stdout == f"evalcheck {evalcheck.__version__}\n"


@COMMANDS
def test_arguments_are_taken_as_they_are(evalcheck_command: list[str], tmp_path: Path) -> None:
    name = "a b é\udcff.jsonl" if sys.platform.startswith("linux") else "a b é.jsonl"
    path = tmp_path / name
    path.write_bytes(VALID)
    subprocess.run([*evalcheck_command, "--quiet", path], check=True)
    path.write_bytes(FIXABLE)
    subprocess.run([*evalcheck_command, "fix", "--in-place", path], check=True, capture_output=True)
    assert path.read_bytes() == VALID


@COMMANDS
def test_standard_input_is_read(evalcheck_command: list[str]) -> None:
    done = subprocess.run([*evalcheck_command, "-"], input=VALID, capture_output=True, check=True)
    assert done.stdout.startswith(b"-: valid")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to send")
@COMMANDS
def test_an_interrupt_ends_it(evalcheck_command: list[str]) -> None:
    process = subprocess.Popen([*evalcheck_command, "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        assert process.stdin is not None and process.stderr is not None
        # More than a pipe holds, so that the command has begun to read.
        process.stdin.write(VALID * 100_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        # Its input is open: nothing else ends it.
        process.wait(timeout=60)
        errors = process.stderr.read()
    assert process.returncode == -signal.SIGINT and errors == b""
