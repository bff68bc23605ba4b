"""Rewriting of keywords that a provider does not accept with equivalent ones that it accepts."""

from collections.abc import Iterable
from math import ceil, floor

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema.wording import requirement
from functions.chat.tools.schema_compiler.alternatives import conjunction
from functions.chat.tools.schema_compiler.dialects import Dialect, Keywords, SubschemaLosses
from functions.chat.tools.schema_compiler.traversal import SchemaObject, named, names, schemas, types

_BOOLEANS = "true is sent as {}, false is left out"

_OTHER_KINDS: dict[type, str] = {bool: "boolean", type(None): "null", list: "array", dict: "object"}


def rewritten(schema: SchemaObject, dialect: Dialect, takes: Keywords, losses: SubschemaLosses) -> SchemaObject:
    """Return `schema` in keywords of `takes` as far as possible; other keywords can only be dropped.

    Subschemas are not changed. The result accepts every value that `schema` accepts.
    """
    schema = _all_of(dict(schema), takes, losses)
    _tuple(schema, takes, losses)
    if not dialect.boolean_schemas:
        _booleans(schema, losses)
    _const(schema, takes, losses)
    _one_of(schema, takes, losses)
    _exclusive_bounds(schema, takes, losses)
    _pattern_properties(schema, takes, losses)
    if not dialect.any_enum:
        _enum_of_kinds(schema, losses)
    if not dialect.undefined_required:
        _required(schema, losses)
    if not dialect.bare_arrays and "array" in types(schema) and "items" not in schema:
        schema["items"] = {}
        losses.rewritten("items", "an array must have it; any item fits")
    return schema


def _all_of(schema: SchemaObject, takes: Keywords, losses: SubschemaLosses) -> SchemaObject:
    while "allOf" in schema and "allOf" not in takes:
        branches = schemas(schema, "allOf")
        schema = {name: value for name, value in schema.items() if name != "allOf"}
        waiting: list[Json] = []
        for branch in branches:
            if isinstance(branch, dict):
                waiting += schemas(branch, "allOf")
                plain = {name: value for name, value in branch.items() if name != "allOf"}
                schema = conjunction(schema, plain, lambda name: losses.dropped(name, "only one of two values is sent"))
        if waiting:
            schema["allOf"] = waiting
        losses.rewritten("allOf", "merged into one schema")
    return schema


def _booleans(schema: SchemaObject, losses: SubschemaLosses) -> None:
    """Replace `true` by a schema without keywords, and remove `false`."""
    for keyword in ("anyOf", "oneOf"):
        forms = schemas(schema, keyword)
        if any(isinstance(form, bool) for form in forms):
            losses.rewritten(keyword, _BOOLEANS)
            schema[keyword] = [_shown(form) for form in forms if form is not False]
            if not schema[keyword]:
                del schema[keyword]
    if any(isinstance(sub, bool) for sub in schemas(schema, "prefixItems")):
        losses.rewritten("prefixItems", _BOOLEANS)
        schema["prefixItems"] = [{} if isinstance(sub, bool) else sub for sub in schemas(schema, "prefixItems")]
    properties = named(schema, "properties")
    if any(isinstance(sub, bool) for sub in properties.values()):
        losses.rewritten("properties", _BOOLEANS)
        schema["properties"] = {name: _shown(sub) for name, sub in properties.items() if sub is not False}
    if isinstance(schema.get("items"), bool):
        losses.rewritten("items", _BOOLEANS)
        if schema.pop("items"):
            schema["items"] = {}


def _shown(schema: Json) -> Json:
    return {} if schema is True else schema


def _const(schema: SchemaObject, takes: Keywords, losses: SubschemaLosses) -> None:
    if "const" in schema and "const" not in takes and "enum" in takes:
        schema["enum"] = [schema.pop("const")]
        losses.rewritten("const", "an enum of one value")


def _one_of(schema: SchemaObject, takes: Keywords, losses: SubschemaLosses) -> None:
    if "oneOf" in schema and "oneOf" not in takes and "anyOf" in takes and "anyOf" not in schema:
        schema["anyOf"] = schema.pop("oneOf")
        losses.rewritten("oneOf", "sent as anyOf")


def _exclusive_bounds(schema: SchemaObject, takes: Keywords, losses: SubschemaLosses) -> None:
    """Rewrite exclusive bounds of integers as inclusive ones; those of other numbers go into the description."""
    if types(schema) != ("integer",):
        return
    if "exclusiveMinimum" not in takes and isinstance(limit := schema.get("exclusiveMinimum"), int | float):
        lowest = schema.get("minimum")
        reached = floor(limit) + 1
        schema["minimum"] = max(reached, lowest) if isinstance(lowest, int | float) else reached
        del schema["exclusiveMinimum"]
        losses.rewritten("exclusiveMinimum", "sent as minimum")
    if "exclusiveMaximum" not in takes and isinstance(limit := schema.get("exclusiveMaximum"), int | float):
        highest = schema.get("maximum")
        reached = ceil(limit) - 1
        schema["maximum"] = min(reached, highest) if isinstance(highest, int | float) else reached
        del schema["exclusiveMaximum"]
        losses.rewritten("exclusiveMaximum", "sent as maximum")


def _tuple(schema: SchemaObject, takes: Keywords, losses: SubschemaLosses) -> None:
    """Rewrite `prefixItems` as items of any of the schemas."""
    if "prefixItems" not in schema or "prefixItems" in takes:
        return
    forms = [*schemas(schema, "prefixItems")]
    del schema["prefixItems"]
    rest = schema.pop("items", True)
    if isinstance(rest, dict) and rest:
        forms.append(rest)
    if rest is not True and rest != {}:
        schema["items"] = {"anyOf": forms} if len(forms) > 1 else forms[0]
    losses.rewritten("prefixItems", "sent as items of any of these forms")


def _pattern_properties(schema: SchemaObject, takes: Keywords, losses: SubschemaLosses) -> None:
    """Drop `additionalProperties` where `patternProperties` is not accepted: it would refuse their names."""
    if "patternProperties" in schema and "patternProperties" not in takes and "additionalProperties" in schema:
        del schema["additionalProperties"]
        losses.dropped("additionalProperties", "it would refuse what patternProperties allows")


def _enum_of_kinds(schema: SchemaObject, losses: SubschemaLosses) -> None:
    """Keep texts and numbers as an enum; `null` and other values become alternatives by type."""
    values = schemas(schema, "enum")
    others = [*dict.fromkeys(_OTHER_KINDS[type(value)] for value in values if type(value) in _OTHER_KINDS)]
    if not others:
        return
    del schema["enum"]
    if "anyOf" in schema:
        losses.dropped("enum", "it has values other than texts and numbers")
        return
    plain: list[Json] = [value for value in values if type(value) not in _OTHER_KINDS]
    schema["anyOf"] = [*([{"enum": plain}] if plain else []), *({"type": kind} for kind in others)]
    losses.rewritten("enum", "values other than texts and numbers are alternatives by type")


def _required(schema: SchemaObject, losses: SubschemaLosses) -> None:
    wanted = [*names(schema, "required")]
    known: list[Json] = [name for name in wanted if name in named(schema, "properties")]
    if len(known) < len(wanted):
        losses.dropped("required", "it names parameters that the properties do not")
        schema["required"] = known
        if not known:
            del schema["required"]


_REQUIREMENTS = frozenset(
    (
        "enum",
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    )
)

_MAX_VALUE_CHARACTERS = 200
"""Maximum length of a default or example in a sentence."""


def sentence(keyword: str, value: Json) -> str | None:
    """Return a sentence such as `Must be at least 3.`; `None` for a keyword without a short one."""
    match keyword:
        case "default":
            return _value("Default", value)
        case "format":
            return f"Format: {value}."
        case "examples" if isinstance(value, list):
            return _value("Examples", *value)
        case "uniqueItems":
            return "Must not contain the same item twice." if value is True else None
        case _ if keyword in _REQUIREMENTS and (wanted := requirement(keyword, value)):
            return f"{wanted[0].upper()}{wanted[1:]}."
        case _:
            return None


def parameter_sentence(name: str, schema: Json, *, required: bool) -> str:
    """Return a sentence about a parameter with a name that the provider refuses."""
    kind = " or ".join(types(schema)) if isinstance(schema, dict) else ""
    text = schema.get("description") if isinstance(schema, dict) else None
    needed = "Needs" if required else "Also takes"
    return described(f"{needed} the parameter {dumps(name)}{f' ({kind})' if kind else ''}", [str(text)] if text else [])


def described(text: str, sentences: Iterable[str]) -> str:
    """Return `text` with the sentences after it, each with a final punctuation mark."""
    return " ".join(part if part[-1] in ".!?:;" else f"{part}." for part in (text, *sentences) if part)


def with_sentences(schema: SchemaObject, sentences: Iterable[str]) -> None:
    """Add sentences to a schema's description."""
    if texts := [*sentences]:
        description = schema.get("description")
        schema["description"] = described(description if isinstance(description, str) else "", texts)


def _value(label: str, *values: Json) -> str | None:
    text = ", ".join(value if isinstance(value, str) and value else dumps(value) for value in values)
    return f"{label}: {text}." if text and len(text) <= _MAX_VALUE_CHARACTERS else None
