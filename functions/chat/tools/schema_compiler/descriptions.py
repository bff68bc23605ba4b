"""Sentences for a description about keywords that a provider does not accept."""

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
