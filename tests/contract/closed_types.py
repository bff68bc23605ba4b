"""Strict validators built from a provider's published types.

The `TypedDict`s of a client library accept almost anything: unknown keys pass, and an `Iterable` is never validated.
The rebuilt types forbid unknown keys, treat every iterable as a list, and convert nothing. Types for Python programs
only, such as files and responses, have no JSON form and are omitted.
"""

import os
import types
from collections.abc import Iterable, Sequence
from typing import (
    IO,
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import typing_extensions
from pydantic import BaseModel, ConfigDict, TypeAdapter


def closed(typed_dict: Any) -> TypeAdapter[Any]:
    """A validator for `typed_dict` with every object in it closed."""
    return TypeAdapter(_rebuilt(typed_dict, {}))


def _rebuilt(annotation: Any, done: dict[Any, Any]) -> Any:
    if typing_extensions.is_typeddict(annotation):
        return _rebuilt_dict(annotation, done)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal or not arguments:
        return annotation
    if origin in (Required, NotRequired, typing_extensions.Required, typing_extensions.NotRequired, Annotated):
        return _rebuilt(arguments[0], done)
    inner = tuple(_rebuilt(argument, done) for argument in arguments if _is_json(argument))
    if origin in (Union, types.UnionType):
        return Union[inner]  # noqa: UP007 - made at run time
    if origin is dict:
        key, value = inner
        return dict[key, value]
    if origin in (list, Iterable, Sequence) or getattr(origin, "__name__", "") == "SequenceNotStr":
        return list[inner]
    raise AssertionError(f"the oracle does not know {annotation!r}")


def _is_json(annotation: Any) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _is_json(arguments[0])
    if origin in (Union, types.UnionType):
        return any(map(_is_json, arguments))
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return not is_model and origin not in (IO, os.PathLike)


def _rebuilt_dict(annotation: Any, done: dict[Any, Any]) -> Any:
    if annotation not in done:
        hints = get_type_hints(annotation, include_extras=True)
        fields = {key: _presence(annotation, key, hint)[_rebuilt(hint, done)] for key, hint in hints.items()}
        closed_dict: Any = TypedDict(annotation.__name__, fields)  # pyright: ignore[reportArgumentType] # made at run time
        closed_dict.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
        done[annotation] = closed_dict
    return done[annotation]


def _presence(annotation: Any, key: str, hint: Any) -> Any:
    """`Required` or `NotRequired`: `__required_keys__` ignores markers inside a quoted annotation."""
    origin = get_origin(hint)
    if origin in (Required, typing_extensions.Required):
        return Required
    if origin in (NotRequired, typing_extensions.NotRequired) or key not in annotation.__required_keys__:
        return NotRequired
    return Required
