"""Loads files with Evret itself. Reads their names, and writes for each a line of JSON: `refused`, the exception or null, and
`queries`, what was loaded."""

import dataclasses
import json
import sys

from evret.evaluation.dataset import EvaluationDataset


def load(name: str) -> dict:
    try:
        read = EvaluationDataset.from_csv if name.endswith(".csv") else EvaluationDataset.from_json
        dataset = read(name)
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"[:200], "queries": [], "documents": 0}
    queries = [dataclasses.asdict(query) for query in dataset.queries]
    return {"refused": None, "queries": queries, "documents": len(dataset.documents)}


for line in sys.stdin.read().splitlines():
    print(json.dumps(load(line)))
