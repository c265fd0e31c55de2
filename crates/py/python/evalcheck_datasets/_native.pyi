from os import PathLike
from typing import Final, Protocol, TypedDict, type_check_only

__all__ = [
    "OPTIONS",
    "USUAL_RANGE",
    "DatasetError",
    "__version__",
    "check",
    "check_range",
    "explain",
    "find",
    "finish",
    "fix",
    "formats",
    "merge",
    "plan",
    "run",
    "text",
]

__version__: Final[str]
OPTIONS: Final[list[str]]
USUAL_RANGE: Final[int]

class DatasetError(ValueError): ...

@type_check_only
class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...

@type_check_only
class _Writer(Protocol):
    def write(self, data: bytes, /) -> int | None: ...

@type_check_only
class _Fixing(TypedDict):
    not_safe: bool
    output: str | PathLike[str] | _Writer | None
    in_place: bool
    overwrite: bool

def check(
    dataset: bytes | str | PathLike[str] | _Reader,
    name: str | None,
    options: str,
    filter: str | None,
    overview: bool,
) -> str: ...
def fix(
    dataset: bytes | str | PathLike[str] | _Reader, name: str | None, options: str, fixing: _Fixing
) -> tuple[int, str, bytes | None]: ...
def find(
    dataset: bytes | str | PathLike[str] | _Reader, name: str | None, query: str, options: str
) -> list[str]: ...
def plan(
    dataset: bytes | str | PathLike[str] | _Reader,
    name: str | None,
    options: str,
    file: str,
    state: str | None,
    range: int,
) -> str: ...
def check_range(
    dataset: bytes | str | PathLike[str] | _Reader, range: tuple[int, int], plan: str, state: str | None
) -> bytes: ...
def merge(parts: list[bytes]) -> bytes: ...
def finish(
    dataset: bytes | str | PathLike[str] | _Reader,
    name: str | None,
    parts: list[bytes],
    state: str | None,
    options: str,
) -> str: ...
def formats() -> str: ...
def explain(code: str) -> str: ...
def text(report: str) -> str: ...
def run(arguments: list[str]) -> int: ...
