"""Other threads go on while a dataset is checked, and Ctrl-C ends a check."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import evalcheck_datasets as evalcheck
from support import FIXABLE, INVALID, VALID

RECORDS = 1_500_000
"""Records of a dataset whose check takes seconds."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.jsonl"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(VALID * (RECORDS // 100))
        file.write(FIXABLE + INVALID)
    return path


def test_another_thread_proceeds_while_a_file_is_checked(large: Path) -> None:
    steps = 0
    ended = threading.Event()

    def step() -> None:
        nonlocal steps
        while not ended.is_set():
            steps += 1
            time.sleep(0.001)

    thread = threading.Thread(target=step)
    thread.start()
    try:
        start = time.perf_counter()
        steps = 0
        report = evalcheck.check(large)
        made, took = steps, time.perf_counter() - start
    finally:
        ended.set()
        thread.join()
    assert report.counts.records == RECORDS + 2
    # With the lock held it would be none or one.
    assert made > 20, f"{made} steps in {took:.2f} s"


def test_two_threads_check_at_the_same_time(large: Path) -> None:
    reports: list[evalcheck.Report] = []
    threads = [threading.Thread(target=lambda: reports.append(evalcheck.check(large))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(reports) == 2 and reports[0] == reports[1]


WORKS = [
    "evalcheck_datasets.check(path)",
    "evalcheck_datasets.check(path, overview=True)",
    "evalcheck_datasets.check(open(path, 'rb'))",
    "evalcheck_datasets.check(open(path, 'rb').read())",
    "evalcheck_datasets.find(path, 'nothing')",
    "evalcheck_datasets.fix(path, in_place=True)",
]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to send")
@pytest.mark.parametrize("work", WORKS)
def test_an_interrupt_ends_the_work(large: Path, work: str) -> None:
    size = large.stat().st_size
    program = f"""
import signal, sys, time, evalcheck_datasets
# Whatever started the tests may ignore it, as a shell does in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
path = sys.argv[1]
print("ready", flush=True)
try:
    while True:
        {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program, large], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        took = time.perf_counter() - sent
    assert process.returncode == 0
    # A whole check of the file takes longer.
    assert took < 5, f"{took:.2f} s"
    assert large.stat().st_size == size, "the file is as it was"
    assert [path.name for path in large.parent.iterdir()] == [large.name], "no temporary file is left"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to send")
def test_a_handler_of_the_user_is_called(large: Path) -> None:
    program = """
import signal, sys, evalcheck_datasets
class Stop(Exception): pass
def stop(number, frame): raise Stop
signal.signal(signal.SIGALRM, stop)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    while True:
        evalcheck_datasets.check(sys.argv[1])
except Stop:
    print("stopped")
"""
    done = subprocess.run([sys.executable, "-c", program, large], capture_output=True, text=True, timeout=60)
    assert done.stdout == "stopped\n", done.stderr
