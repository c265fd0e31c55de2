"""Reads files as Every Eval Ever does. Reads their names, which begin with the version of the schema, and writes for each a line
of JSON: `refused`, why the file or one of its records is refused, or null."""

import json
import sys
from pathlib import Path

from jsonschema import Draft7Validator

SCHEMAS = Path(__file__).parent / "schemas"
VALIDATORS = {
    version: Draft7Validator(json.loads((SCHEMAS / f"every-eval-ever-instance-{version}.schema.json").read_text("utf-8")))
    for version in ("0.2.0", "0.3.0")
}


def unique(pairs: list) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate key")
    return found


def no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def refusal(name: str) -> str | None:
    validator = VALIDATORS[name.split("-")[0]]
    try:
        with open(name, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                line = line.strip()
                if not line:
                    continue
                record = json.loads(line, object_pairs_hook=unique, parse_constant=no_constant)
                for error in validator.iter_errors(record):
                    return f"line {number}: {error.json_path}: {error.message}"[:200]
    except (ValueError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"[:200]
    return None


for name in sys.stdin.read().splitlines():
    print(json.dumps({"refused": refusal(name)}))
