"""Models whose numbers are not booleans: pydantic reads `false` as 0 and `true` as 1."""

from typing import Any, Final, cast

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

_NO_SCHEMAS: Final = frozenset({"config", "default", "metadata", "serialization"})
"""Keys of a core schema that hold no schema of an input."""


def _refused_as_int(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


def _refused_as_float(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticKnownError("float_type")
    return value


_CHECKS: Final = {"int": _refused_as_int, "float": _refused_as_float}


def _strict(part: Any) -> Any:
    """A core schema, or a part of one, with a check before every number in it. Objects are changed in place."""
    if isinstance(part, list | tuple):
        parts = cast("list[Any]", part)
        return type(parts)(map(_strict, parts))
    if not isinstance(part, dict):
        return part
    schema = cast("dict[str, Any]", part)
    function: Any = schema.get("function")
    if isinstance(function, dict) and cast("dict[str, Any]", function).get("function") in _CHECKS.values():
        return schema
    if check := _CHECKS.get(schema.get("type", "")):
        return core_schema.no_info_before_validator_function(check, cast("CoreSchema", schema))
    for key in schema.keys() - _NO_SCHEMAS:
        if key == "fields" and isinstance(schema[key], dict):
            # By their own names, which may be any.
            fields = cast("dict[str, Any]", schema[key])
            fields.update({name: _strict(field) for name, field in fields.items()})
        else:
            schema[key] = _strict(schema[key])
    return schema


class StrictNumberModel(BaseModel):
    """Base of the models of the API and the configuration: a boolean is refused where a number is expected."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        _strict(handler.resolve_ref_schema(schema))
        return schema
