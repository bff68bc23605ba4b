"""Plain parameters, whose schemas limit nothing but the type or a list of texts: their check needs no validator."""

from collections.abc import Mapping, Set
from types import NoneType
from typing import Final, NamedTuple

from flexchat.messages import Json
from flexchat.schema.shape import Schema

PLAIN_KEYWORDS: Final = frozenset({"type", "description", "title", "default", "examples"})
"""Keywords of a schema that limits nothing but the type."""

_PARAMETER_KEYWORDS: Final = PLAIN_KEYWORDS | {"enum"}
_OBJECT_KEYWORDS: Final = PLAIN_KEYWORDS | {"properties", "required", "additionalProperties"}

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "array": (list,),
    "boolean": (bool,),
    "integer": (int,),
    "null": (NoneType,),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}
"""Types of parsed JSON values; the validator accepts more, such as 3.0 as an integer."""


class _Parameter(NamedTuple):
    """Types of the values of a parameter, and all its values if they are texts."""

    types: frozenset[type]
    texts: frozenset[Json] | None


class PlainParameters:
    """Plain parameters of an object's schema."""

    def __init__(self, schema: Schema) -> None:
        self._others_fit = False
        properties, required = schema.get("properties"), schema.get("required", [])
        self._parameters: dict[str, _Parameter] = {}
        self._unplain: Set[str] = frozenset()
        self._required: list[Json] = required if isinstance(required, list) else []
        if isinstance(properties, dict) and schema.get("type") == "object" and schema.keys() <= _OBJECT_KEYWORDS:
            found = {name: _parameter(sub) for name, sub in properties.items()}
            self._parameters = {name: parameter for name, parameter in found.items() if parameter}
            self._unplain = properties.keys() - self._parameters.keys()
            self._others_fit = schema.get("additionalProperties", True) is True

    def accept(self, arguments: Mapping[str, Json]) -> bool:
        """Return True for valid arguments of plain parameters, False for those that the validator has to check."""
        for name, value in arguments.items():
            parameter = self._parameters.get(name)
            if parameter is None:
                if self._others_fit and name not in self._unplain:
                    continue
                return False
            if type(value) not in parameter.types:
                return False
            if parameter.texts is not None and value not in parameter.texts:
                return False
        return bool(arguments) and all(name in arguments for name in self._required)


def is_valid_and_plain(schema: Schema) -> bool:
    """Return True for a schema of type object with plain parameters alone that is certainly valid, defaults included.

    False for every other schema, which the validator has to check.
    """
    properties, required = schema.get("properties", {}), schema.get("required", [])
    return (
        schema.keys() <= _OBJECT_KEYWORDS - {"default", "examples"}
        and _are_texts(schema)
        and isinstance(schema.get("additionalProperties", True), bool)
        and isinstance(required, list)
        and all(isinstance(name, str) for name in required)
        and len(set(map(str, required))) == len(required)
        and isinstance(properties, dict)
        and all(map(_is_valid_parameter, properties.values()))
    )


def _is_valid_parameter(schema: Json) -> bool:
    parameter = _parameter(schema)
    if not isinstance(schema, dict) or parameter is None or "examples" in schema or not _are_texts(schema):
        return False
    if not isinstance(schema.get("type"), str) or not parameter.types:
        return False
    if parameter.texts is not None and len(parameter.texts) != len(_list(schema["enum"])):
        return False
    default = schema.get("default")
    if default is None:
        return True
    return type(default) in parameter.types and (parameter.texts is None or default in parameter.texts)


def _are_texts(schema: Mapping[str, Json]) -> bool:
    return all(isinstance(schema.get(name, ""), str) for name in ("description", "title"))


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _parameter(schema: Json) -> _Parameter | None:
    """Return the parameter of a plain schema; None for another schema."""
    if not isinstance(schema, dict) or not schema.keys() <= _PARAMETER_KEYWORDS:
        return None
    names = schema.get("type")
    types: frozenset[type] = frozenset(
        each for name in (names if isinstance(names, list) else [names]) for each in _TYPES.get(str(name), ())
    )
    if "enum" not in schema:
        return _Parameter(types, None)
    texts = schema["enum"]
    if types != frozenset({str}) or not isinstance(texts, list):
        return None
    return _Parameter(types, frozenset(text for text in texts if isinstance(text, str)))
