from collections.abc import Sequence

import pytest

from functions.chat.providers.tool_calls import WireCall, parse_text_calls

OFFERED = frozenset({"get_weather", "lookup"})
OSLO_TEXT = '{"name": "get_weather", "arguments": {"location": "Oslo"}}'
KEY_TEXT = '{"name": "lookup", "arguments": {"key": "a"}}'
OSLO = WireCall(name="get_weather", arguments={"location": "Oslo"})
KEY = WireCall(name="lookup", arguments={"key": "a"})


@pytest.mark.parametrize(
    ("text", "remaining", "calls"),
    [
        ('{"name": "get_weather", "arguments": {"location": "Oslo"}}', "", [OSLO]),
        ('\n {"name": "get_weather", "parameters": {"location": "Oslo"}} \n', "", [OSLO]),
        ('```json\n{"name": "get_weather", "arguments": {"location": "Oslo"}}\n```', "", [OSLO]),
        ('```\n{"name": "get_weather", "arguments": {"location": "Oslo"}}\n```\n', "", [OSLO]),
        (
            f"[{OSLO_TEXT}, {KEY_TEXT}]",
            "",
            [OSLO, KEY],
        ),
        (
            'Let me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"location": "Oslo"}}\n</tool_call>',
            "Let me see.",
            [OSLO],
        ),
        (
            f"<tool_call>{OSLO_TEXT}</tool_call><tool_call>{KEY_TEXT}",
            "",
            [OSLO, KEY],
        ),
        (
            '<tool_call>{"name": "lookup", "arguments": {"key": "a"}}</tool_call> <tool_call>{oops</tool_call>',
            "<tool_call>{oops</tool_call>",
            [KEY],
        ),
    ],
)
def test_a_call_in_the_text_is_parsed_and_removed(text: str, remaining: str, calls: Sequence[WireCall]) -> None:
    assert parse_text_calls(text, OFFERED) == (remaining, calls)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It is cold in Oslo.",
        "[]",
        "{}",
        "7",
        '"get_weather"',
        '{"name": "get_weather"}',
        '{"name": "get_weather", "arguments": "Oslo"}',
        '{"name": 7, "arguments": {}}',
        '{"name": "delete_all", "arguments": {}}',
        '[{"name": "lookup", "arguments": {"key": "a"}}, {"name": "delete_all", "arguments": {}}]',
        '{"name": "get_weather", "arguments": {"location": "Os',
        'Write {"name": "lookup", "arguments": {"key": "a"}} to look a key up.',
        '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>',
        "<tool_call></tool_call>",
        "[" * 100_000,
        "```" + "\n" * 1_000_000 + "x",
        "<tool_call>" * 100_000,
    ],
)
def test_any_other_text_is_unchanged(text: str) -> None:
    assert parse_text_calls(text, OFFERED) == (text, ())
