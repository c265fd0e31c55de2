"""A check that is cut into parts gives the report of the whole dataset."""

from __future__ import annotations

import io
import json
import pickle
import random
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

import evalcheck_datasets as evalcheck
from support import FIXABLE, INVALID, VALID, python, quest


class Counting(io.BytesIO):
    """A file object that counts the bytes that are read."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parts") / "samples.jsonl"
    path.write_bytes(quest(20_000))
    return path


def test_threads_and_processes_make_parts(dataset: Path) -> None:
    plan = evalcheck.plan(dataset, range_bytes=200_000)
    assert len(plan.ranges) > 10
    assert plan.size == dataset.stat().st_size
    assert pickle.loads(pickle.dumps(plan)) == plan == evalcheck.Plan.from_json(plan.json)
    whole = evalcheck.check(dataset)
    assert not whole.valid
    for executor in (ThreadPoolExecutor, ProcessPoolExecutor):
        with executor(2) as pool:
            jobs = [pool.submit(evalcheck.check_range, dataset, range, plan) for range in plan.ranges]
            parts = [job.result() for job in jobs]
        random.Random(2).shuffle(parts)
        assert evalcheck.finish(parts, dataset).to_json() == whole.to_json()
        merged = evalcheck.merge(parts)
        some = evalcheck.finish([merged], dataset, max_findings=1, select="quest")
        assert some.to_json() == evalcheck.check(dataset, max_findings=1, select="quest").to_json()


def test_bytes_and_file_objects_are_read_where_it_is_wanted(dataset: Path) -> None:
    data = dataset.read_bytes()
    whole = evalcheck.check(data, name="samples.jsonl")
    plan = evalcheck.plan(data, name="samples.jsonl", range_bytes=500_000)
    parts = [evalcheck.check_range(data, range, plan) for range in plan.ranges]
    assert evalcheck.finish(parts, data, name="samples.jsonl").to_json() == whole.to_json()

    clean = VALID * 50_000 + FIXABLE + INVALID + VALID * 50_000
    planned = Counting(clean)
    plan = evalcheck.plan(planned, name="x.jsonl", range_bytes=1_000_000, state="one")
    assert planned.count < len(clean) / 4
    part = Counting(clean)
    first = evalcheck.check_range(part, plan.ranges[0], plan, state="one")
    assert part.count < 1_500_000
    rest = [evalcheck.check_range(Counting(clean), range, plan) for range in plan.ranges[1:]]
    finished = Counting(clean)
    report = evalcheck.finish([first, *rest], finished, name="x.jsonl", state="one")
    assert report.to_json() == evalcheck.check(clean, name="x.jsonl").to_json()
    assert finished.count < len(clean) / 4


def test_a_plan_of_the_command_is_that_of_the_package(dataset: Path, tmp_path: Path) -> None:
    python("-m", "evalcheck_datasets", "plan", dataset, "--bytes", 1_000_000, "-o", tmp_path / "plan.json")
    plan = evalcheck.Plan.from_json((tmp_path / "plan.json").read_text())
    assert json.loads(plan.json) == json.loads(evalcheck.plan(dataset, range_bytes=1_000_000).json)
    parts = []
    for number, range in enumerate(plan.ranges):
        parts.append(tmp_path / f"{number}.part")
        parts[-1].write_bytes(evalcheck.check_range(dataset, range, plan))
    merged = python("-m", "evalcheck_datasets", "merge", *parts, "--output", "json", status=1)
    assert merged.stdout == evalcheck.check(dataset).to_json()


def test_what_does_not_fit_is_refused(dataset: Path, tmp_path: Path) -> None:
    plan = evalcheck.plan(dataset, range_bytes=1_000_000)
    parts = [evalcheck.check_range(dataset, range, plan) for range in plan.ranges]
    with pytest.raises(ValueError, match="parts: the part of the range 0-1000000 is missing"):
        evalcheck.finish(parts[1:], dataset)
    with pytest.raises(ValueError, match="have bytes in common"):
        evalcheck.merge([parts[0], parts[0]])
    with pytest.raises(ValueError, match="the part is damaged"):
        evalcheck.merge([parts[0][:-1] + bytes([parts[0][-1] ^ 1])])
    with pytest.raises(ValueError, match="this is not a part of a check"):
        evalcheck.merge([b"x"])
    with pytest.raises(ValueError, match="there is no part"):
        evalcheck.merge([])
    with pytest.raises(ValueError, match="is not in the file"):
        evalcheck.check_range(dataset, (0, plan.size + 1), plan)
    with pytest.raises(ValueError, match="this is not a plan"):
        evalcheck.Plan.from_json("{}")
    other = tmp_path / "samples.jsonl"
    other.write_bytes(dataset.read_bytes() + b"\n")
    with pytest.raises(ValueError, match="bytes, and had"):
        evalcheck.finish(parts, other)
    other.write_bytes(dataset.read_bytes())
    with pytest.raises(ValueError, match="the file was changed after it was planned"):
        evalcheck.check_range(other, plan.ranges[0], plan)
    stated = evalcheck.plan(io.BytesIO(VALID), state="one")
    with pytest.raises(ValueError, match="the file was changed after it was planned"):
        evalcheck.check_range(io.BytesIO(VALID), (0, 5), stated, state="two")
    with pytest.raises(ValueError, match="range_bytes: expected at least 1"):
        evalcheck.plan(dataset, range_bytes=0)
    with pytest.raises(FileNotFoundError):
        evalcheck.plan(tmp_path / "missing.jsonl")


class Yielding(io.BytesIO):
    """A file object whose reads let other threads go on, as those of a network do."""

    def read(self, size: int | None = -1, /) -> bytes:
        time.sleep(0)
        return super().read(size)


def test_threads_share_a_file_object(dataset: Path) -> None:
    data = dataset.read_bytes()
    shared = Yielding(data)
    plan = evalcheck.plan(shared, name="samples.jsonl", range_bytes=50_000)
    with ThreadPoolExecutor(8) as pool:
        parts = list(pool.map(lambda range: evalcheck.check_range(shared, range, plan), plan.ranges))
    report = evalcheck.finish(parts, shared, name="samples.jsonl")
    assert report.to_json() == evalcheck.check(data, name="samples.jsonl").to_json()


class ReadTwice(io.BytesIO):
    """A file object that is checked while it is read."""

    def read(self, size: int | None = -1, /) -> bytes:
        with pytest.raises(OSError, match="is being read already: open the file once for each thread"):
            evalcheck.check(self)
        with pytest.raises(OSError, match="is being read already"):
            evalcheck.plan(self)
        return super().read(size)


def test_a_file_object_is_read_to_its_end_by_one_thread() -> None:
    assert evalcheck.check(ReadTwice(VALID)).to_json() == evalcheck.check(VALID).to_json()


class Stream:
    """A file object that only reads on."""

    def read(self, size: int, /) -> bytes:
        return b""


class Broken(io.BytesIO):
    """A file object that cannot be read."""

    def read(self, size: int | None = -1, /) -> bytes:
        raise ConnectionError("the network is down")


def test_file_objects_have_to_seek_and_to_read() -> None:
    with pytest.raises(TypeError, match="cannot seek"):
        evalcheck.plan(Stream())
    plan = evalcheck.plan(io.BytesIO(VALID * 10), format="juryarena")
    with pytest.raises(OSError, match="the network is down"):
        evalcheck.check_range(Broken(VALID * 10), (0, 5), plan)
