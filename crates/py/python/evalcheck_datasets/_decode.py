"""Makes dataclasses of JSON, by their types."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def decode(of: type[T], value: Mapping[str, Any], **more: Any) -> T:
    """An object of a dataclass. A key that it does not have is ignored: a later version may write more. Where a key is absent, the field has
    its default."""
    fields = _fields(of)
    known = {name: convert(value[key]) for name, (key, convert) in fields.items() if key in value}
    return of(**known, **more)


_known: dict[Any, dict[str, tuple[str, Callable[[Any], Any]]]] = {}
"""The fields of dataclasses that were asked for before."""


def _fields(of: type[Any]) -> dict[str, tuple[str, Callable[[Any], Any]]]:
    """Key and conversion of each field that comes from JSON. A field that would be a keyword of Python has an underscore after it."""
    if of not in _known:
        hints = get_type_hints(of)
        names = (field.name for field in dataclasses.fields(of) if not field.name.startswith("_"))
        _known[of] = {name: (name.rstrip("_"), _converter(hints[name])) for name in names}
    return _known[of]


def _converter(hint: Any) -> Callable[[Any], Any]:
    """What makes a value of a type of what `json` makes."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        # What may be absent; there are no other unions.
        (some,) = (argument for argument in arguments if argument is not type(None))
        convert = _converter(some)
        return lambda value: None if value is None else convert(value)
    if origin is tuple:
        convert = _converter(arguments[0])
        return lambda value: tuple(map(convert, value))
    if origin is Mapping:
        convert = _converter(arguments[1])
        return lambda value: {key: convert(item) for key, item in value.items()}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        of: type[Any] = hint
        return lambda value: decode(of, value)
    # Texts, numbers, and what is JSON in Python too.
    return lambda value: value
