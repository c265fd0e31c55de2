"""The functions of the package."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Union, runtime_checkable

from . import _native
from ._decode import decode
from ._types import Fixed, FormatInfo, Match, Report, Rule

if TYPE_CHECKING:
    from ._native import _Fixing


@runtime_checkable
class BinaryReader(Protocol):
    """A file object that is opened for reading in binary mode."""

    def read(self, size: int, /) -> bytes:
        """Reads at most `size` bytes; none at the end."""


@runtime_checkable
class BinaryWriter(Protocol):
    """A file object that is opened for writing in binary mode."""

    def write(self, data: bytes, /) -> int | None:
        """Writes bytes."""


Dataset = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryReader]
"""A dataset: the path of a file, bytes, or a binary file object. A file of any size is read in pieces."""


Schema = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A JSON Schema: the path of its file, or the schema itself."""


def check(
    dataset: Dataset,
    *,
    format: str | None = None,
    format_version: str | None = None,
    option: str | Iterable[str] = (),
    entry: str | None = None,
    schema: Schema | Iterable[Schema] | None = None,
    schema_formats: bool = False,
    encoding: str | None = None,
    name: str | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    where: str | None = None,
    max_findings: int | None = None,
    all: bool = False,
    overview: bool = False,
) -> Report:
    """Checks a dataset.

    The options are those of the command of the same names; a configuration file is not read. A dataset that cannot be read to its end
    has a report with `checked` false, and is not valid.

    Args:
        dataset: A path, bytes, or a binary file object, which is read to its end.
        format: The id of a format, see `formats()`. By default the format is detected from the content.
        format_version: The version of the format. By default it is detected.
        option: Options of the format, such as `azure` for `openai-finetune`.
        entry: The path of the file in a ZIP to check. By default the dataset of a system, or else the largest file of data.
        schema: A JSON Schema that every record has to follow too: a path, or the schema itself as a dictionary. Of a list the first is the
            schema, and the others are what it names in `$ref`.
        schema_formats: Hold strings against `format` in the schema, which JSON Schema takes as a remark.
        encoding: The encoding of the dataset, such as `shift_jis`. By default UTF-8.
        name: The name in the report. By default that of the file, or `dataset`.
        select: List only findings of these rules or categories, such as `json` or `["json/comment", "csv"]`. Verdict and counts
            stay those of the whole file.
        ignore: List no findings of these.
        where: List only findings that match a query, in the language of `find`.
        max_findings: The most findings that are listed for each rule; counts stay exact. By default 10,000.
        all: List every finding, also those that follow from the same mistake as another. Not together with `max_findings`.
        overview: Count statistics of the dataset too, `report.overview`. The check then takes several times as long.

    Raises:
        OSError: The file cannot be opened.
        ValueError: An option is wrong; the message names the nearest that is right.
        DatasetError: The dataset is not text of the encoding.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    options = _options(locals())
    return _report(_native.check(_source(dataset), _name(dataset, name), options, where, overview))


def fix(
    dataset: Dataset,
    *,
    output: str | os.PathLike[str] | BinaryWriter | None = None,
    overwrite: bool = False,
    in_place: bool = False,
    unsafe: bool = False,
    format: str | None = None,
    format_version: str | None = None,
    option: str | Iterable[str] = (),
    entry: str | None = None,
    schema: Schema | Iterable[Schema] | None = None,
    schema_formats: bool = False,
    encoding: str | None = None,
    name: str | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    max_findings: int | None = None,
    all: bool = False,
) -> Fixed:
    """Applies the fixes of findings until there are none, and checks the result.

    By default only safe fixes are applied, which lose and guess nothing. A dataset of another `encoding` becomes UTF-8. Options that are
    not described here are those of `check`.

    Args:
        dataset: As for `check`.
        output: Where the fixed dataset is written: a path, or a binary file object. Without it and `in_place` its bytes are in `data`. A
            path is there once it is complete.
        overwrite: The path of `output` may be another dataset, which is replaced.
        in_place: Replace the file. It is replaced at once, and only where something was fixed. A link out of its folder is not
            followed: name the file itself.
        unsafe: Apply fixes that lose or guess something too.
        select: Apply only fixes of these rules or categories, and list only their findings.
        ignore: Apply no fixes of these, and list none of their findings.

    Raises:
        OSError: A file cannot be opened or written.
        FileExistsError: `output` is another dataset.
        ValueError: An option is wrong; the message names the nearest that is right. `output` is the dataset itself.
        DatasetError: The dataset cannot be read to its end, so that it cannot be written anew, or it is not text of the encoding.
        KeyboardInterrupt: Ctrl-C was pressed. No file was changed.
    """
    source = _source(dataset)
    if in_place:
        if output is not None:
            raise ValueError("in_place: cannot be used with output")
        if not isinstance(source, (str, os.PathLike)):
            raise ValueError("in_place: only a path can be replaced")
    elif not (output is None or isinstance(output, (str, os.PathLike, BinaryWriter))):
        raise TypeError(f"output: expected a path or a binary file object, not {type(output).__name__}")
    options = _options(locals())
    fixing: _Fixing = {"not_safe": unsafe, "output": output, "in_place": in_place, "overwrite": overwrite}
    fixes, report, data = _native.fix(source, _name(dataset, name), options, fixing)
    return Fixed(fixes=fixes, report=_report(report), data=data)


def find(
    dataset: Dataset,
    query: str,
    *,
    format: str | None = None,
    format_version: str | None = None,
    option: str | Iterable[str] = (),
    entry: str | None = None,
    schema: Schema | Iterable[Schema] | None = None,
    schema_formats: bool = False,
    encoding: str | None = None,
    name: str | None = None,
) -> list[Match]:
    """Finds the records that match a query, such as `role:assistant "I cannot"` or `is:invalid`.

    `evalcheck find --help` describes the language of queries. The options are those of `check`.

    Raises:
        OSError: The file cannot be opened.
        ValueError: The query or an option is wrong.
        DatasetError: The dataset cannot be searched to its end, because it is of no known format or cannot be read.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    options = _options(locals())
    found = _native.find(_source(dataset), _name(dataset, name), query, options)
    return [decode(Match, json.loads(match)) for match in found]


def formats() -> list[FormatInfo]:
    """The known formats."""
    return [decode(FormatInfo, value) for value in json.loads(_native.formats())]


def explain(code: str) -> Rule:
    """The description of a rule with an example, by the `code` of a finding.

    Raises:
        ValueError: There is no such rule; the message names similar ones.
    """
    return decode(Rule, json.loads(_native.explain(code)))


def _report(text: str) -> Report:
    """A report, which keeps the text that it is made of."""
    return decode(Report, json.loads(text), _json=text)


def _options(parameters: dict[str, object]) -> str:
    """The declared options among the parameters of a function, as JSON."""
    options = {name: parameters[name] for name in _native.OPTIONS if name in parameters}
    return json.dumps(options, default=_plain)


def _plain(value: Any) -> object:
    """A path, a list, or the number or flag that an object of another library is, such as of NumPy."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    return value.item() if hasattr(value, "item") else operator.index(value)


def _source(dataset: Dataset) -> bytes | str | os.PathLike[str] | BinaryReader:
    if isinstance(dataset, (bytes, str, os.PathLike)):
        return dataset
    if isinstance(dataset, (bytearray, memoryview)):
        return bytes(dataset)
    if isinstance(dataset, BinaryReader):
        return dataset
    raise TypeError(f"expected a path, bytes or a binary file object, not {type(dataset).__name__}")


def _name(dataset: Dataset, name: str | None) -> str | None:
    """The name for the report: of a file object that of its file. Of a path it is known without."""
    if name is None and not isinstance(dataset, (bytes, str, os.PathLike, bytearray, memoryview)):
        of_file = getattr(dataset, "name", None)
        if isinstance(of_file, (str, bytes, os.PathLike)):
            return os.path.basename(os.fsdecode(of_file)) or None
    return name
