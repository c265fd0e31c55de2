"""The recipes of docs/scale.md give the reports of whole files. `cargo xtask test --only scale` installs their engines, and runs them. A recipe
whose program is missing is skipped, and the step says so.
"""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import evalcheck_datasets as evalcheck
from recipes import DOCUMENT, compare, need, python, recipes, shell, start, whole
from support import blocks, quest

LONGEST = 25
"""The most lines of a recipe."""

SBATCH = """#!/bin/sh -e
# Runs the tasks of an array one after the other.
for argument; do
  case "$argument" in
    --array=0-*) last="${argument#--array=0-}" ;;
    --dependency=*) [ "$argument" = --dependency=afterok:77 ] ;;
    --parsable) ;;
    --*) exit 2 ;;
    *) script="$argument" ;;
  esac
done
sh -n "$script"
if [ -z "$last" ]; then exec sh "$script" >&2; fi
for task in $(seq 0 "$last"); do
  SLURM_ARRAY_TASK_ID="$task" SLURM_CPUS_PER_TASK=2 sh "$script" >&2
done
echo 77
"""


def test_recipes_are_short() -> None:
    found = list(blocks(DOCUMENT))
    assert len(found) > 10
    for block in found:
        assert block.text.count("\n") <= LONGEST, f"line {block.line}"


def test_xargs(few: Path) -> None:
    need("xargs")
    shell(recipes("xargs", "sh")[0], few)
    assert len(list((few / "parts").iterdir())) > 4
    assert (few / "report.json").read_text() == whole(few / "big.jsonl")


def test_xargs_for_a_thousand_files(many: Path) -> None:
    need("xargs", "find")
    shell(recipes("xargs", "sh")[1], many)
    assert len(list((many / "reports").iterdir())) == 1000
    for path in (many / "data" / "more" / "big.jsonl", many / "data" / "0.jsonl", many / "data" / "998.jsonl"):
        assert (many / "reports" / f"{path.name}.json").read_text() == whole(path)


def test_make(few: Path) -> None:
    need("make")
    (few / "Makefile").write_text(recipes("Make", "make")[0])
    made = start(["make", "-j", "2"], few)
    assert made.count("evalcheck part") > 4
    assert (few / "report.json").read_text() == whole(few / "big.jsonl")
    assert "up to date" in start(["make", "-j", "2"], few)
    # Only what is missing is made again.
    parts = sorted((few / "parts").iterdir())
    parts[1].unlink()
    (few / "report.json").unlink()
    assert start(["make", "-j", "2"], few).count("evalcheck part") == 1
    # Another file has other parts.
    (few / "big.jsonl").write_bytes(quest(5_000))
    start(["make", "-j", "2"], few)
    assert (few / "report.json").read_text() == whole(few / "big.jsonl")


def test_make_for_many_files(few: Path) -> None:
    need("make", "find")
    (few / "Makefile").write_text(recipes("Make", "make")[1])
    (command,) = re.findall(r"`(make -j 8 \$\(find .*?\))`", DOCUMENT.read_text())
    shell(command, few)
    assert len(list((few / "data").glob("**/*.json"))) == 7
    for path in (few / "data" / "more" / "big.jsonl", few / "data" / "0.jsonl"):
        assert path.with_suffix(".json").read_text() == whole(path)


def test_slurm(few: Path) -> None:
    need("seq")
    part, merge, submit = recipes("Slurm", "sh")
    (few / "part.slurm").write_text(part)
    (few / "merge.slurm").write_text(merge)
    (few / "bin").mkdir()
    (few / "bin" / "sbatch").write_text(SBATCH)
    (few / "bin" / "sbatch").chmod(0o755)
    shell('PATH="$PWD/bin:$PATH"\n' + submit, few)
    assert len(list((few / "parts").iterdir())) > 4
    assert (few / "report.json").read_text() == whole(few / "big.jsonl")


def test_concurrent_futures(many: Path) -> None:
    (recipe,) = recipes("concurrent.futures", "python")
    python(recipe, many)
    compare(many)


class Objects(http.server.BaseHTTPRequestHandler):
    """Serves ranges of one object with its ETag."""

    data = b""
    changes = False
    requests: list[str | None] = []

    def do_HEAD(self) -> None:
        self.answer(with_data=False)

    def do_GET(self) -> None:
        self.answer(with_data=True)

    def answer(self, with_data: bool) -> None:
        wanted = self.headers.get("Range")
        self.requests.append(wanted if with_data else None)
        data = self.data
        self.send_response(206 if wanted else 200)
        if wanted:
            first, last = (int(place) for place in wanted.removeprefix("bytes=").split("-"))
            self.send_header("Content-Range", f"bytes {first}-{min(last + 1, len(data)) - 1}/{len(data)}")
            data = data[first : last + 1]
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{len(self.requests) if self.changes else 1}"')
        self.end_headers()
        if with_data:
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def address(data: bytes) -> Iterator[str]:
    """The address of an object on a server."""
    Objects.data, Objects.changes, Objects.requests = data, False, []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Objects) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/big.jsonl"
        server.shutdown()
        thread.join()


def storage(url: str) -> str:
    """The recipe for an object, with blocks that are smaller than a range."""
    (recipe,) = recipes("Object storage", "python")
    assert "s3://bucket/big.jsonl" in recipe and "4 << 20" in recipe
    return recipe.replace("s3://bucket/big.jsonl", url).replace("4 << 20", "100_000")


def compare_object(folder: Path, url: str, data: bytes) -> None:
    reports = json.loads((folder / "reports.json").read_text(encoding="utf-8"))
    assert reports == {url: evalcheck.check(data, name=url).to_json()}


def test_the_memory_of_fsspec(few: Path, data: bytes) -> None:
    url = "memory://bucket/big.jsonl"
    put = f"import fsspec\nfsspec.filesystem('memory').pipe('{url}', open('big.jsonl', 'rb').read())\n"
    python(storage(url), few, put)
    compare_object(few, url, data)


def test_an_object_on_a_server(tmp_path: Path, address: str, data: bytes) -> None:
    python(storage(address), tmp_path)
    compare_object(tmp_path, address, data)
    got = [wanted for wanted in Objects.requests if wanted is not None]
    assert len(got) > 4 and all(wanted.startswith("bytes=") for wanted in got)


def test_an_object_that_changes_is_refused(tmp_path: Path, address: str) -> None:
    Objects.changes = True
    assert "the file was changed after it was planned" in python(storage(address), tmp_path, status=1)


def test_dask(many: Path) -> None:
    (recipe,) = recipes("Dask", "python")
    python(recipe, many)
    compare(many)


SAIL = """
from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession
server = SparkConnectServer(port=0)
server.start(background=True)
spark = SparkSession.builder.remote(f"sc://localhost:{server.listening_address[1]}").getOrCreate()
"""

def test_spark_on_sail(few: Path) -> None:
    python(recipes("Spark", "python")[0], few, SAIL)
    compare(few)
