"""Loads files with Hugging Face datasets. Reads their names, and writes for each a line of JSON: `refused`, the cause of the exception or
null, and `records`, the rows as they are held. Each file has a process of its own, because some end it."""

import datetime
import json
import logging
import math
import os
import shutil
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"

import datasets  # noqa: E402

datasets.disable_progress_bars()
logging.disable(logging.CRITICAL)


def plain(value: object) -> object:
    """The value as JSON."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def load(name: str, cache: str) -> dict:
    try:
        kind = "csv" if name.endswith(".csv") else "json"
        rows = datasets.load_dataset(kind, data_files=name, split="train", cache_dir=cache)
        return {"refused": None, "records": [plain(rows[index]) for index in range(len(rows))]}
    except Exception as error:
        while error.__cause__ is not None:
            error = error.__cause__
        return {"refused": f"{type(error).__name__}: {error}"[:300], "records": []}


def apart(name: str) -> dict:
    """Loads a file in a process of its own."""
    cache = tempfile.mkdtemp()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as out:
            json.dump(load(name, cache), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    shutil.rmtree(cache, ignore_errors=True)
    if status != 0:
        return {"refused": f"CRASH: status {status}", "records": []}
    return json.loads(text)


for line in sys.stdin.read().splitlines():
    print(json.dumps(apart(line)))
