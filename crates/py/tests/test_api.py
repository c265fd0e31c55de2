"""The functions: what they take, return and raise."""

from __future__ import annotations

import dataclasses
import inspect
import io
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evalcheck_datasets as evalcheck
from evalcheck_datasets import _native
from support import FIXABLE, INVALID, VALID


def test_the_installed_package_is_tested() -> None:
    assert Path(evalcheck.__file__).is_relative_to(sys.prefix)


def test_a_report_says_what_is_wrong_and_where(dataset: Path) -> None:
    report = evalcheck.check(dataset)
    assert not report.valid and report.checked
    assert (report.counts.records, report.counts.errors) == (3, 2)
    assert report.file == evalcheck.File(name="samples.jsonl", size=len(VALID + FIXABLE + INVALID))
    assert report.format.id == "juryarena" and report.format.detected
    comma, role = report.findings
    assert (comma.code, comma.line, comma.severity) == ("json/trailing-comma", 2, "error")
    assert comma.fix is not None and comma.fix.applicability == "safe"
    (edit,) = comma.fix.edits
    assert dataset.read_bytes()[edit.start : edit.end] == b"," and edit.text == ""
    assert role.path == "input.messages.0.role" and role.span is not None
    assert dataset.read_bytes()[role.span.start : role.span.end] == b'"tool"'
    assert role.fix is None and role.entry is None and report.overview is None


def test_paths_bytes_and_file_objects_have_the_same_report(dataset: Path) -> None:
    data = dataset.read_bytes()
    expected = evalcheck.check(dataset).to_json()
    assert evalcheck.check(str(dataset)).to_json() == expected
    with dataset.open("rb") as file:
        assert evalcheck.check(file).to_json() == expected
    with dataset.open("rb", buffering=0) as raw:
        assert evalcheck.check(raw).to_json() == expected
    for given in (data, bytearray(data), memoryview(data), io.BytesIO(data)):
        assert evalcheck.check(given, name="samples.jsonl").to_json() == expected
    assert evalcheck.check(data).file.name == "dataset"
    assert evalcheck.check(dataset, name="other").file.name == "other"


def test_a_file_object_is_read_from_where_it_is() -> None:
    file = io.BytesIO(INVALID + VALID)
    file.seek(len(INVALID))
    assert evalcheck.check(file).valid


def test_a_file_that_is_called_like_standard_input_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(VALID)
    assert evalcheck.check("-").file.name == "-"


def test_options_are_those_of_the_command(dataset: Path) -> None:
    def codes(**options: Any) -> list[str]:
        return [finding.code for finding in evalcheck.check(dataset, **options).findings]

    assert codes(select="json") == codes(select=["json/trailing-comma"]) == ["json/trailing-comma"]
    assert codes(ignore="json,csv") == ["shape/invalid-enum-value"]
    assert codes(where="rule:json") == ["json/trailing-comma"]
    assert codes(max_findings=0) == []
    assert len(codes(all=True)) == len(codes(format="auto")) == 2
    quest = evalcheck.check(dataset, format="quest")
    assert (quest.format.id, quest.format.detected) == ("quest", False)
    azure = evalcheck.check(b"\xef\xbb\xbf", format="openai-finetune", option="azure")
    assert azure.format.options == ("azure",)
    where = evalcheck.check(dataset, where="rule:json")
    assert where.filter is not None and where.filter.by_code == {"json/trailing-comma": 1}
    overview = evalcheck.check(dataset, overview=True).overview
    assert overview is not None and overview.records == 3
    assert overview.bytes is not None and overview.bytes.buckets[0].from_ > 0


def test_other_encodings_are_read() -> None:
    data = VALID.replace(b"Hi", "日本".encode("shift_jis"))
    assert "text/invalid-utf8" in evalcheck.check(data).counts.by_code
    report = evalcheck.check(data, encoding="shift_jis")
    assert list(report.counts.by_code) == ["file/other-encoding"]
    fixed = evalcheck.fix(data, encoding="shift_jis")
    assert fixed.data == VALID.replace(b"Hi", "日本".encode())
    with pytest.raises(evalcheck.DatasetError, match="of the dataset is not EUC-KR"):
        evalcheck.check(VALID.replace(b"Hi", b"\xff\xff"), encoding="euc-kr")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "juryarana"}, 'format: no format has the id "juryarana"; did you mean "juryarena"'),
        ({"select": "json/coment"}, 'select: .* did you mean "json/comment"'),
        ({"ignore": ["jsn/comment"]}, 'ignore: .* did you mean "json/comment"'),
        ({"format_version": "1"}, "format_version: a version needs a format"),
        ({"format": "evret", "format_version": "9"}, "format_version: evret has no version 9; it has 0.0.1"),
        ({"option": ["azur"]}, 'option: no format has the option "azur"; there are azure'),
        ({"format": "evret", "option": ["azure"]}, "option: evret has no options"),
        ({"encoding": "latin-99"}, "encoding: not an encoding"),
        ({"where": "role:"}, "where: error: a value is missing"),
        ({"max_findings": -1}, "max_findings: expected a whole number"),
        ({"all": "yes"}, 'all: expected a boolean, not "yes"'),
        ({"select": 5}, "select: expected an array of strings, not 5"),
        ({"max_findings": 1, "all": True}, "all: cannot be used with max_findings"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evalcheck.check(VALID, **options)


@pytest.mark.parametrize("function", [evalcheck.check, evalcheck.fix])
def test_every_declared_option_is_a_parameter(function: Callable[..., object]) -> None:
    assert set(_native.OPTIONS) <= set(inspect.signature(function).parameters)


def test_every_option_is_described() -> None:
    described = inspect.getdoc(evalcheck.check) or ""
    assert [name for name in _native.OPTIONS if f"\n    {name}: " not in described] == []


def test_options_are_what_other_libraries_make_of_them() -> None:
    class Three:
        def __index__(self) -> int:
            return 3

    class Scalar:
        def item(self) -> bool:
            return True

    broken = FIXABLE * 5
    findings = evalcheck.check(broken, select=(code for code in ["json"]), max_findings=Three()).findings  # type: ignore[arg-type]
    assert len(findings) == 3
    assert len(evalcheck.check(broken, select={"json"}, all=Scalar()).findings) == 5  # type: ignore[arg-type]


def test_an_unknown_option_and_a_wrong_type_are_refused(dataset: Path) -> None:
    with pytest.raises(TypeError, match="formt"):
        evalcheck.check(VALID, formt="quest")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="expected a path, bytes or a binary file object, not int"):
        evalcheck.check(1)  # type: ignore[arg-type]
    with dataset.open(encoding="utf-8") as text, pytest.raises(TypeError, match="open it in binary mode"):
        evalcheck.check(text)  # type: ignore[arg-type]


def test_a_file_that_cannot_be_read_is_an_error_of_the_system(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    for work in (evalcheck.check, evalcheck.fix, lambda path: evalcheck.find(path, "a")):
        with pytest.raises(FileNotFoundError) as raised:
            work(missing)
        assert raised.value.filename == str(missing)
        with pytest.raises(IsADirectoryError):
            work(tmp_path)


def test_what_a_file_object_raises_is_raised() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise LookupError("gone")

        def write(self, data: Any) -> int:
            raise LookupError("full")

    with pytest.raises(LookupError, match="gone"):
        evalcheck.check(Broken())
    with pytest.raises(LookupError, match="full"):
        evalcheck.fix(FIXABLE, output=Broken())


def test_a_dataset_of_no_format_has_a_report() -> None:
    report = evalcheck.check(b"\x00\xff")
    assert not report.valid and report.format.id == ""
    assert str(report).endswith("\n" + str(report).splitlines()[-1])


def test_fixes_are_applied(dataset: Path, tmp_path: Path) -> None:
    expected = VALID + VALID + INVALID
    fixed = evalcheck.fix(dataset)
    assert (fixed.fixes, fixed.data, fixed.report.counts.errors) == (1, expected, 1)
    assert dataset.read_bytes() != expected, "nothing is written that was not asked for"
    assert fixed.report.to_json() == evalcheck.check(expected, name="samples.jsonl").to_json()
    new = tmp_path / "new.jsonl"
    assert evalcheck.fix(dataset, output=new).data is None
    assert new.read_bytes() == expected
    written = io.BytesIO()
    evalcheck.fix(dataset, output=written)
    assert written.getvalue() == expected
    assert evalcheck.fix(dataset, ignore="json").fixes == 0
    assert evalcheck.fix(dataset, in_place=True).fixes == 1
    assert dataset.read_bytes() == expected
    before = dataset.stat()
    assert evalcheck.fix(dataset, in_place=True).fixes == 0
    assert dataset.stat() == before, "a file without fixes is not touched"


def test_a_fixed_dataset_replaces_no_other_one(dataset: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(INVALID)
    with pytest.raises(FileExistsError, match="another dataset"):
        evalcheck.fix(dataset, output=other)
    assert other.read_bytes() == INVALID
    evalcheck.fix(dataset, output=other, overwrite=True)
    assert other.read_bytes() == VALID + VALID + INVALID
    evalcheck.fix(dataset, output=other)  # the same again
    before = dataset.read_bytes()
    with pytest.raises(ValueError, match="output: this is the dataset itself"):
        evalcheck.fix(dataset, output=dataset, overwrite=True)
    assert dataset.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([other.name, dataset.name])


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_a_link_out_of_a_folder_is_not_written(dataset: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    link = folder / "link.jsonl"
    link.symlink_to(dataset)
    before = dataset.read_bytes()
    with pytest.raises(OSError, match="a link out of its folder"):
        evalcheck.fix(link, in_place=True)
    assert dataset.read_bytes() == before


def test_unsafe_fixes_are_asked_for() -> None:
    data = VALID[:-2] + b',"input":1}\n'
    assert evalcheck.fix(data).fixes == 0
    assert evalcheck.fix(data, unsafe=True).fixes == 1


def test_contradictions_of_a_fix_are_refused(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="in_place: cannot be used with output"):
        evalcheck.fix(dataset, in_place=True, output=tmp_path / "x")
    with pytest.raises(ValueError, match="in_place: only a path"):
        evalcheck.fix(VALID, in_place=True)
    with pytest.raises(TypeError, match="output: expected a path or a binary file object"):
        evalcheck.fix(VALID, output=3)  # type: ignore[arg-type]


def test_records_are_found(dataset: Path) -> None:
    (match,) = evalcheck.find(dataset, "role:tool")
    assert (match.line, match.record, match.path) == (3, 2, "input.messages.0.role")
    assert match.excerpt.text.encode()[match.excerpt.start : match.excerpt.end] == b"tool"
    assert [match.record for match in evalcheck.find(dataset, "is:invalid")] == [1, 2]
    assert evalcheck.find(dataset, "nothing") == []
    with pytest.raises(ValueError, match="query: error"):
        evalcheck.find(dataset, "role:")
    with pytest.raises(evalcheck.DatasetError, match="not searched to its end"):
        evalcheck.find(b"?", "a")


def test_formats_and_rules_are_described() -> None:
    formats = {format.id: format for format in evalcheck.formats()}
    assert "input.messages.*.role" in {path for name in formats["juryarena"].names for path in name.paths}
    for format in formats.values():
        for example in format.examples:
            content = example.content
            data = content.text.encode() if content.text is not None else bytes(content.bytes or ())
            report = evalcheck.check(data, name=example.file_name, format=format.id)
            assert report.valid == (not example.id.startswith("broken")), f"{format.id}: {example.id}"
    rule = evalcheck.explain("json/trailing-comma")
    assert (rule.severity, rule.fix) == ("error", "safe or unsafe")
    with pytest.raises(ValueError, match="did you mean .*shape/missing-key"):
        evalcheck.explain("missing-ke")


def test_reports_are_values(dataset: Path) -> None:
    report = evalcheck.check(dataset, overview=True)
    assert report == evalcheck.check(dataset, overview=True)
    copied = pickle.loads(pickle.dumps(report))
    assert copied == report and copied.to_json() == report.to_json()
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.valid = True  # type: ignore[misc]


def test_a_large_file_object_is_read_in_pieces() -> None:
    class Endless(io.RawIOBase):
        """3 MB, of which nobody holds more than a piece."""

        left = 45_000
        most = 0

        def read(self, size: int = -1) -> bytes:
            self.most = max(self.most, size)
            records = min(size // len(VALID), self.left)
            self.left -= records
            return VALID * records

    file = Endless()
    report = evalcheck.check(file)
    assert report.valid and report.counts.valid == 45_000
    assert 0 < file.most <= 1 << 20
