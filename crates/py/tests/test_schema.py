"""A JSON Schema of the user's own: a path, a dictionary, or several of them."""

from __future__ import annotations

import json
from pathlib import Path

import evalcheck_datasets as evalcheck
import pytest

RECORDS = b'{"level": "easy"}\n{"level": "Easy"}\n'
SCHEMA = {"properties": {"level": {"enum": ["easy", "hard"]}}}


def test_a_schema_is_a_path_or_a_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "faq.schema.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    for schema in (SCHEMA, path, str(path), [path]):
        report = evalcheck.check(RECORDS, name="faq.jsonl", schema=schema)
        assert [(finding.code, finding.line) for finding in report.findings] == [("schema/enum", 2)]
        assert not report.valid
    report = evalcheck.check(RECORDS, name="faq.jsonl", schema=path)
    assert report.format.schema == str(path)
    assert report.findings[0].related[0].file == str(path)


def test_a_schema_names_other_files(tmp_path: Path) -> None:
    (tmp_path / "common.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (tmp_path / "faq.json").write_text('{"$ref": "common.json"}', encoding="utf-8")
    report = evalcheck.check(RECORDS, name="faq.jsonl", schema=[tmp_path / "faq.json", tmp_path / "common.json"])
    assert report.counts.by_code == {"schema/enum": 1}
    alone = evalcheck.check(RECORDS, name="faq.jsonl", schema=tmp_path / "faq.json")
    assert (alone.checked, [finding.code for finding in alone.findings]) == (False, ["schema/unusable"])


def test_records_are_fixed_as_the_schema_wants() -> None:
    fixed = evalcheck.fix(RECORDS, name="faq.jsonl", schema=SCHEMA)
    assert fixed.data == RECORDS.replace(b"Easy", b"easy")
    assert fixed.report.valid


def test_formats_are_held_against_strings_on_request() -> None:
    schema = {"properties": {"day": {"format": "date"}}}
    record = b'{"day": "30/11/2026"}\n'
    valid = [evalcheck.check(record, name="a.jsonl", schema=schema, schema_formats=asked).valid for asked in (False, True)]
    assert valid == [True, False]


def test_a_schema_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such file"):
        evalcheck.check(RECORDS, schema=tmp_path / "missing.json")
