"""YAML of untrusted documents as JSON values.

Only the values of JSON are built: dates stay text, tags are ignored. Nesting and the size with aliases expanded are
bounded, since a few nested aliases expand to billions of values.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, cast

import yaml

from flexchat.errors import FlexchatError
from flexchat.messages import Json

MAX_DEPTH: Final = 100
MAX_VALUES: Final = 3_000_000

_PARSER: Final = cast("Any", getattr(yaml, "CSafeLoader", yaml.SafeLoader))

_INTEGER = re.compile(r"[-+]?(?:0|[1-9]\d{0,300})")
_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9]\d{0,300})(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][-+]?\d{1,3})?")
_NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE: Final = frozenset(("true", "True", "TRUE"))
_FALSE: Final = frozenset(("false", "False", "FALSE"))


class YamlError(FlexchatError):
    """Invalid YAML, or YAML beyond the limits; the message has the reason."""


def read_yaml(text: str) -> Json:
    """Return the value of the only document in `text`. Raises YamlError."""
    try:
        return _Builder(yaml.parse(text, Loader=_PARSER)).document()
    except yaml.YAMLError as exc:
        mark: Any = getattr(exc, "problem_mark", None)
        where = f" at line {mark.line + 1} column {mark.column + 1}" if mark is not None else ""
        raise YamlError(f"not valid YAML: {getattr(exc, 'problem', None) or 'a character is wrong'}{where}") from exc


class _Builder:
    """Builder of one document from the events of the parser.

    `_sizes` has the number of values of each anchor, with the aliases inside of it expanded.
    """

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._anchors: dict[str, Json] = {}
        self._sizes: dict[str, int] = {}
        self._count = 0

    def document(self) -> Json:
        for event in self._events:
            if not isinstance(event, (yaml.StreamStartEvent, yaml.DocumentStartEvent)):
                return None if isinstance(event, yaml.StreamEndEvent) else self._value(event, 0)
        return None

    def _value(self, event: Any, depth: int) -> Json:
        if depth > MAX_DEPTH:
            raise YamlError(f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.AliasEvent):
            name = str(cast("Any", event).anchor)
            if name not in self._sizes:
                raise YamlError("an alias has no anchor before it, or is inside of its own anchor")
            self._add(self._sizes[name])
            return self._anchors[name]
        before = self._count
        self._add(1)
        if isinstance(event, yaml.MappingStartEvent):
            value: Json = self._mapping(depth)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = [self._value(item, depth + 1) for item in self._until(yaml.SequenceEndEvent)]
        else:
            value = _scalar(event)
        if event.anchor:
            self._anchors[event.anchor], self._sizes[event.anchor] = value, self._count - before
        return value

    def _mapping(self, depth: int) -> dict[str, Json]:
        result: dict[str, Json] = {}
        merged: list[Json] = []
        for event in self._until(yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise YamlError("a name must be a text")
            name = str(cast("Any", event).value)
            value = self._value(next(self._events), depth + 1)
            if name == "<<":
                merged += value if isinstance(value, list) else [value]
            else:
                result[name] = value
        for other in merged:
            if isinstance(other, dict):
                result = {**other, **result}
        return result

    def _until(self, end: type[Any]) -> Iterator[Any]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event

    def _add(self, values: int) -> None:
        self._count += values
        if self._count > MAX_VALUES:
            raise YamlError(f"more than {MAX_VALUES} values with its aliases expanded")


def _scalar(event: Any) -> Json:
    """Return a scalar by the core schema of YAML 1.2, in which `no` and dates are text."""
    text = str(event.value)
    if not event.implicit[0]:
        return text
    if text in _NULLS:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
