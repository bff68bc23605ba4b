"""Lines on which an operator approves a definition: nothing of it is missing, and every change is in them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from flexchat.mcp_listings import DEFINITION_KEYS, McpDefinition
from flexchat.messages import Json
from functions.tools.mcp.discovery.definition_diff import definition_diff

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"path": {"type": "string", "description": "Path of the file", "enum": ["a", "b"]}},
    "required": ["path"],
    "minProperties": 1,
}
TOOL: dict[str, Json] = {
    "name": "read",
    "title": "Read a file",
    "description": "Reads a file. " * 200,
    "inputSchema": SCHEMA,
    "outputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "annotations": {"readOnlyHint": True, "title": "Reader"},
}


def diff(before: Mapping[str, Json] | None, after: Mapping[str, Json]) -> tuple[str, ...]:
    return definition_diff(None if before is None else McpDefinition.of(before), McpDefinition.of(after))


def changed_texts(value: Json, change: Callable[[str], str]) -> Iterator[Any]:
    """Yield a copy of `value` for each of its texts, numbers and flags, with that one changed."""
    match value:
        case str():
            yield change(value)
        case bool():
            yield not value
        case int():
            yield float(value)
        case list():
            for place, each in enumerate(value):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in changed_texts(each, change))
        case dict():
            for name, each in value.items():
                yield {change(other) if other == name else other: found for other, found in value.items()}
                yield from ({**value, name: other} for other in changed_texts(each, change))
        case _:
            pass


def test_a_new_definition_is_shown_whole() -> None:
    lines = diff(None, {"name": "read", "description": "Reads.", "inputSchema": {"type": "object"}})

    assert lines == (
        "+{",
        '+  "description": "Reads.",',
        '+  "inputSchema": {',
        '+    "type": "object"',
        "+  },",
        '+  "name": "read"',
        "+}",
    )


def test_the_lines_have_every_field_that_the_hash_covers() -> None:
    shown = "\n".join(diff(None, TOOL))

    assert set(TOOL) == set(DEFINITION_KEYS)
    assert [key for key in DEFINITION_KEYS if f'"{key}"' not in shown] == []


@pytest.mark.parametrize("character", ["x", " ", "\u202e", "\u200b", "\U000e0041", "\u00a0", "\u0430", "\u0301", "\r"])
def test_a_single_character_changed_anywhere_is_in_the_diff(character: str) -> None:
    def change(text: str) -> str:
        return text + character

    changed = [other for other in changed_texts({**TOOL}, change) if other.get("name") == "read"]

    assert len(changed) > 20
    for other in changed:
        before, after = McpDefinition.of(TOOL), McpDefinition.of(other)
        lines = definition_diff(before, after)
        removed, added = ({line[1:] for line in lines[2:] if line[0] == sign} for sign in "-+")
        assert removed != added, other
        assert before.hash != after.hash


@pytest.mark.parametrize("separators", ["\u2028\u2029", "\x85\u2028", "\x1c\x1d", "\x0b\x0c"])
def test_one_line_separator_in_place_of_another_is_a_change(separators: str) -> None:
    before, after = ({**TOOL, "description": f"a{separator}b"} for separator in separators)

    lines = [line for line in diff(before, after) if line[:1] in ("-", "+")]

    assert len(lines) == 4  # with the two headings
    assert lines[2][1:] != lines[3][1:]


def test_a_note_names_the_place_and_the_characters_of_a_change() -> None:
    before, after = ({**TOOL, "description": f"{'Reads a file. ' * 30}{end}"} for end in ("end", "\u0435nd"))

    (note,) = [line for line in diff(before, after) if line.startswith("?")]

    assert note == (
        "?  from character 439: 'end\",' is now '\\u0435nd\",'; new characters: U+0435 CYRILLIC SMALL LETTER IE"
    )


def test_swapped_lookalikes_are_named_with_their_place() -> None:
    before, after = ({"name": "read", "description": text} for text in ("a \u0430", "\u0430 a"))

    assert diff(before, after)[-3] == "?  from character 19: 'a \\u0430\",' is now '\\u0430 a\",'"


def test_a_long_change_is_shortened_in_the_note_alone() -> None:
    after = {**TOOL, "description": "B" * 5000}

    lines = diff(TOOL, after)

    assert f'+  "description": "{"B" * 5000}",' in lines
    assert max(len(line) for line in lines if line.startswith("?")) < 200
