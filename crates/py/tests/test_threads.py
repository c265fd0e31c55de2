"""Other threads go on while a dataset is checked, and Ctrl-C ends a check.

The datasets are named pipes: the work on one waits for what is written to it, and does not end as long as it is open. So these tests do not
depend on how long a check takes. That work ends between any two reads is a test of the command, which counts them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import VALID

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes and no signals to send")

WORKS = [
    "evalcheck_datasets.check(path)",
    "evalcheck_datasets.check(path, overview=True)",
    "evalcheck_datasets.find(path, 'nothing')",
    "evalcheck_datasets.fix(path)",
    "evalcheck_datasets.plan(path)",
]

HANG = 60
"""Seconds after which a program that hangs has failed."""


def run(program: str, *pipes: Path) -> str:
    """What a program writes that is run with named pipes."""
    for pipe in pipes:
        os.mkfifo(pipe)
    command = [sys.executable, "-c", program, *map(str, pipes)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("work", WORKS)
def test_two_threads_work_at_the_same_time_and_a_third_one_goes_on(tmp_path: Path, work: str) -> None:
    program = f"""
import sys, threading, evalcheck_datasets
results = []
def work(path):
    results.append({work})
paths = sys.argv[1:]
threads = [threading.Thread(target=work, args=[path]) for path in paths]
for thread in threads:
    thread.start()
# Each call returns when the work has opened its pipe.
pipes = [open(path, "wb") for path in paths]
for pipe in pipes:
    pipe.write({VALID!r})
    pipe.flush()
assert results == []
for pipe in pipes:
    pipe.close()
for thread in threads:
    thread.join()
print(len(results))
"""
    assert run(program, tmp_path / "a.jsonl", tmp_path / "b.jsonl") == "2\n"


INTERRUPT = """
import os, signal, sys, threading, evalcheck_datasets
path = sys.argv[1]
def write(number):
    with open(path, "wb", buffering=0) as pipe:
        pipe.write(RECORD)
        os.kill(os.getpid(), number)
        # Nothing but the signal ends the work.
        try:
            while True:
                pipe.write(RECORD)
        except BrokenPipeError:
            pass
def during(work, number):
    threading.Thread(target=write, args=[number]).start()
    work()
"""


@pytest.mark.parametrize("work", WORKS)
def test_an_interrupt_ends_the_work(tmp_path: Path, work: str) -> None:
    program = f"""
RECORD = {VALID!r}
{INTERRUPT}
# Whatever started the tests may ignore it, as a shell does in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    during(lambda: {work}, signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""
    assert run(program, tmp_path / "a.jsonl") == "interrupted\n"


def test_a_handler_of_the_user_is_called(tmp_path: Path) -> None:
    program = f"""
RECORD = {VALID!r}
{INTERRUPT}
class Stop(Exception): pass
def stop(number, frame): raise Stop
signal.signal(signal.SIGUSR1, stop)
try:
    during(lambda: evalcheck_datasets.check(path), signal.SIGUSR1)
except Stop:
    print("stopped")
"""
    assert run(program, tmp_path / "a.jsonl") == "stopped\n"
