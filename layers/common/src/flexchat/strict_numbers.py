"""Models that reject booleans as numbers, which pydantic reads as 0 and 1."""

from typing import Any, ClassVar, Final, cast

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from flexchat.deferred_model import DeferredModel

_NO_SCHEMAS: Final = frozenset({"config", "default", "metadata", "serialization"})
"""Keys of a core schema without schemas of an input."""


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
    """Return a core schema, or a part of one, with a check before every number. Objects are changed in place."""
    if isinstance(part, list | tuple):
        parts = cast("list[Any]", part)
        return type(parts)(map(_strict, parts))
    if not isinstance(part, dict):
        return part
    schema = cast("dict[str, Any]", part)
    if schema.get("type") == "model" and hasattr(schema["cls"], "numbers_checked"):
        return schema
    function: Any = schema.get("function")
    if isinstance(function, dict) and cast("dict[str, Any]", function).get("function") in _CHECKS.values():
        return schema
    if check := _CHECKS.get(schema.get("type", "")):
        return core_schema.no_info_before_validator_function(check, cast("CoreSchema", schema))
    for key in schema.keys() - _NO_SCHEMAS:
        if key == "fields" and isinstance(schema[key], dict):
            # by their own, arbitrary names
            fields = cast("dict[str, Any]", schema[key])
            fields.update({name: _strict(field) for name, field in fields.items()})
        else:
            schema[key] = _strict(schema[key])
    return schema


class StrictNumberModel(DeferredModel):
    """Base of the models of the API and the configuration, without booleans as numbers.

    Each model adds the checks to its own fields, once. Nested models have their own.
    """

    numbers_checked: ClassVar = True

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        is_made = isinstance(vars(cls).get("__pydantic_core_schema__"), dict)
        schema = handler(source)
        if not is_made:
            model = cast("dict[str, Any]", handler.resolve_ref_schema(schema))
            while model["type"] != "model":  # inside validators of the whole model
                model = model["schema"]
            model["schema"] = _strict(model["schema"])
        return schema
