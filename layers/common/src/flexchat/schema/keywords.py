"""Validator for JSON Schema 2020-12: jsonschema with replaced keywords.

Patterns run in linear time (RE2), `uniqueItems` too, and `multipleOf` is exact (0.3 is a multiple of 0.1). The message
of an error about an object's names is just the name; `flexchat.schema.wording` writes the sentence.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, cast
from urllib.parse import urldefrag, urljoin

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError
from jsonschema_specifications import REGISTRY
from referencing import Registry

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema.names import additional_names, compiled
from flexchat.schema.shape import Schema

_TYPE_ALONE: Final = frozenset(("type", "description", "title", "default", "examples"))
"""Keywords of a schema that has no condition but the type."""


def _has_type_alone(validator: Any, instance: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether `instance` has the type of a schema without other conditions."""
    name = schema.get("type")
    return isinstance(name, str) and _TYPE_ALONE.issuperset(schema) and validator.is_type(instance, name)


def _type(validator: Any, types: str | list[str], instance: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    names = [types] if isinstance(types, str) else types
    if not any(validator.is_type(instance, name) for name in names):
        yield ValidationError("type")


def _required(validator: Any, names: list[str], instance: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    if validator.is_type(instance, "object"):
        yield from (ValidationError(name) for name in names if name not in instance)


def _dependent_required(
    validator: Any, dependencies: dict[str, list[str]], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    for name, names in dependencies.items():
        if validator.is_type(instance, "object") and name in instance:
            yield from _required(validator, names, instance, schema)


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    if validator.is_type(instance, "string") and not compiled(pattern).search(instance):
        yield ValidationError("pattern")


def _properties(validator: Any, properties: dict[str, Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    if validator.is_type(instance, "object"):
        for name, subschema in properties.items():
            if name in instance:
                yield from _property(validator, name, instance[name], subschema, place=name)


def _pattern_properties(
    validator: Any, patterns: dict[str, Any], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    del schema
    if validator.is_type(instance, "object"):
        for pattern, subschema in patterns.items():
            for name, value in instance.items():
                if compiled(pattern).search(name):
                    yield from _property(validator, name, value, subschema, place=pattern)


def _additional_properties(
    validator: Any, allowed: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for name in additional_names(instance, schema):
        yield from _property(validator, name, instance[name], allowed)


def _property(
    validator: Any, name: str, value: Any, subschema: Any, *, place: str | None = None
) -> Iterator[ValidationError]:
    """Yield the errors of one property. jsonschema omits the name where the subschema is `false`.

    A right value of a type without further conditions, as most are, needs no validator of its own.
    """
    if subschema is False:
        yield ValidationError(name)
    elif subschema is True or not _has_type_alone(validator, value, subschema):
        yield from validator.descend(value, subschema, path=name, schema_path=place)


def _property_names(validator: Any, names: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    if validator.is_type(instance, "object"):
        checker = validator.evolve(schema=names)
        yield from (ValidationError(name) for name in instance if not checker.is_valid(name))


def _multiple_of(validator: Any, factor: float, instance: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    if validator.is_type(instance, "number") and Fraction(str(instance)) % Fraction(str(factor)):
        yield ValidationError("multipleOf")


def _unique_items(validator: Any, unique: bool, instance: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: FBT001 # jsonschema's signature
    del schema
    if not unique or not validator.is_type(instance, "array"):
        return
    if len({dumps(_same_numbers(item), sort_keys=True) for item in instance}) < len(instance):
        yield ValidationError("uniqueItems")


def _same_numbers(value: Json) -> Json:
    """Return `value` with integral floats as integers: JSON has one type of number."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_same_numbers(item) for item in value]
        case dict():
            return {name: _same_numbers(item) for name, item in value.items()}
        case _:
            return value


SchemaValidator: Any = cast("Any", validators).extend(
    Draft202012Validator,
    {
        "additionalProperties": _additional_properties,
        "dependentRequired": _dependent_required,
        "multipleOf": _multiple_of,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "properties": _properties,
        "propertyNames": _property_names,
        "required": _required,
        "type": _type,
        "uniqueItems": _unique_items,
    },
)
"""Validator for schemas without problems in `flexchat.schema.shape` and without `$schema`, which would restore the
library's keywords."""

_NO_DOCUMENTS: Any = cast("Any", Registry)()
"""Registry without documents: references reach the schema itself only, and nothing is fetched."""


def schema_validator(schema: Schema) -> Any:
    """Return the validator of a schema, whose references reach the schema itself alone."""
    return SchemaValidator(dict(schema), registry=_NO_DOCUMENTS)


def _metaschema() -> dict[str, Any]:
    """Return the metaschema of JSON Schema 2020-12 in one document."""
    whole: Any = Draft202012Validator.META_SCHEMA
    vocabularies: list[Any] = [REGISTRY.contents(urljoin(whole["$id"], each["$ref"])) for each in whole["allOf"]]
    found: dict[str, Any] = {"type": whole["type"], "properties": {}, "$defs": {}}
    for document in (*vocabularies, whole):
        for name in ("properties", "$defs"):
            found[name] |= _local(document.get(name, {}))
    return found


def _local(part: Any) -> Any:
    """Return a part of a vocabulary with references to the one document."""
    if isinstance(part, list):
        return [_local(item) for item in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    found = {name: _local(value) for name, value in cast("dict[str, Any]", part).items()}
    if found.get("$dynamicRef") == "#meta":
        return {"$ref": "#"}
    if isinstance(reference := found.get("$ref"), str):
        found["$ref"] = f"#{urldefrag(reference).fragment}"
    return found


METASCHEMA: Any = Draft202012Validator(_metaschema(), registry=_NO_DOCUMENTS)
"""Validator of schemas. The official metaschema has eight documents with dynamic references: a sixth of the speed."""
