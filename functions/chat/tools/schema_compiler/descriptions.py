"""What a schema's keywords ask for, in sentences for a description."""

from collections.abc import Iterable

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.schema.wording import requirement
from functions.chat.tools.schema_compiler.traversal import SchemaObject, types

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
"""A longer default or example is not repeated in words."""


def sentence(keyword: str, value: Json) -> str | None:
    """`Must be at least 3.`, or `None` for a keyword that no short sentence can say."""
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
    """What a parameter is that only words can name."""
    kind = " or ".join(types(schema)) if isinstance(schema, dict) else ""
    text = schema.get("description") if isinstance(schema, dict) else None
    needed = "Needs" if required else "Also takes"
    return described(f"{needed} the parameter {dumps(name)}{f' ({kind})' if kind else ''}", [str(text)] if text else [])


def described(text: str, sentences: Iterable[str]) -> str:
    """`text` with more sentences after it, each with an end."""
    return " ".join(part if part[-1] in ".!?:;" else f"{part}." for part in (text, *sentences) if part)


def with_sentences(schema: SchemaObject, sentences: Iterable[str]) -> None:
    """Put sentences into a schema's description."""
    if texts := [*sentences]:
        description = schema.get("description")
        schema["description"] = described(description if isinstance(description, str) else "", texts)


def _value(label: str, *values: Json) -> str | None:
    text = ", ".join(value if isinstance(value, str) and value else dumps(value) for value in values)
    return f"{label}: {text}." if text and len(text) <= _MAX_VALUE_CHARACTERS else None
