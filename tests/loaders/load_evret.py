"""Loads files with Evret itself. Reads their names, and writes for each a line of JSON: `refused`, the exception or null, and
`queries` and `documents`, what was loaded."""

import dataclasses
import json
import math
import sys

from evret.evaluation.dataset import EvaluationDataset


def load(name: str) -> dict:
    try:
        read = EvaluationDataset.from_csv if name.endswith(".csv") else EvaluationDataset.from_json
        dataset = read(name)
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"[:200], "queries": [], "documents": []}
    documents = [dataclasses.asdict(document) for document in dataset.documents]
    queries = [dataclasses.asdict(query) for query in dataset.queries]
    return {"refused": None, "queries": queries, "documents": documents}


def finite(value: object) -> object:
    """The value without what is not JSON."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


for line in sys.stdin.read().splitlines():
    print(json.dumps(finite(load(line))))
