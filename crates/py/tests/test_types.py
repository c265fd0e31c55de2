"""The types: dataclasses as the JSON Schema of a report describes it, and stubs as the module is."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Iterator
from typing import Any

import evalcheck_datasets as evalcheck
from support import ROOT, python

SCHEMA: dict[str, Any] = json.loads((ROOT / "crates/wire/report.schema.json").read_text(encoding="utf-8"))

ONE_OF_BOTH = {"Conversion", "Distribution"}
"""Dataclasses of several shapes: a field has a value in some of them."""


def described(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The objects that a schema describes."""
    if "$ref" in schema:
        yield from described(SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[-1]])
    for key in ("anyOf", "oneOf"):
        for option in schema.get(key, []):
            yield from described(option)
    if "properties" in schema and schema.get("type", "object") == "object":
        yield schema


def dataclass_of(hint: Any) -> Any:
    """The dataclass in a type, if there is one."""
    if dataclasses.is_dataclass(hint):
        return hint
    return next(filter(None, map(dataclass_of, typing.get_args(hint))), None)


def compare(of: Any, shapes: list[dict[str, Any]], seen: set[Any]) -> None:
    """A dataclass has the fields of the shapes of an object. A field has a default where one of them may be without it."""
    if of in seen:
        return
    seen.add(of)
    hints = typing.get_type_hints(of)
    fields = {field.name.rstrip("_"): field for field in dataclasses.fields(of) if not field.name.startswith("_")}
    properties: dict[str, Any] = {}
    for shape in shapes:
        properties |= shape["properties"]
    assert set(fields) == set(properties), of.__name__
    for name, field in fields.items():
        has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        is_required = all(name in shape.get("required", []) for shape in shapes)
        assert has_default != is_required, f"{of.__name__}.{name}"
        inner = dataclass_of(hints[field.name])
        schema = properties[name]
        if "items" in schema:
            schema = schema["items"]
        objects = list(described(schema))
        assert bool(objects) == (inner is not None) or name in ("by_code", "safe_fixes", "unsafe_fixes"), name
        if inner is not None:
            assert len(objects) == 1 or inner.__name__ in ONE_OF_BOTH, inner.__name__
            compare(inner, objects, seen)


def test_the_dataclasses_are_those_of_the_schema() -> None:
    seen: set[Any] = set()
    compare(evalcheck.Report, [SCHEMA], seen)
    assert len(seen) > 25


def test_everything_public_is_documented() -> None:
    for name in evalcheck.__all__:
        item = getattr(evalcheck, name)
        if isinstance(item, (type, types.FunctionType)):
            # What `dataclass` writes where there is nothing.
            assert item.__doc__ and not item.__doc__.startswith(f"{name}("), name


def test_the_stubs_are_those_of_the_module() -> None:
    python("-m", "mypy.stubtest", "evalcheck_datasets._native")


def test_the_package_is_typed() -> None:
    python("-m", "mypy", "--strict", "--python-version", "3.10", "--package", "evalcheck_datasets")


def test_programs_are_checked_against_the_types(tmp_path: Any) -> None:
    right = tmp_path / "right.py"
    right.write_text(
        "import evalcheck_datasets\n"
        "with open('a', 'rb') as file:\n"
        "    report = evalcheck_datasets.check(file, select=['json'])\n"
        "line: int | None = report.findings[0].line\n"
        "with open('a', 'wb') as out:\n"
        "    evalcheck_datasets.fix(b'', output=out)\n"
    )
    python("-m", "mypy", "--strict", right)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import evalcheck_datasets\nevalcheck_datasets.check(open('a'))\n")
    assert "incompatible type" in python("-m", "mypy", "--strict", wrong, status=1).stdout
