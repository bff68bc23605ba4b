"""Template variables: replaced in one pass, with dotted names, and never in user text."""

import pytest

from flexchat.messages import Json
from functions.chat.generation.model_calls import substitute_variables

PROFILE: dict[str, Json] = {
    "user_message": "hello {{secret}} {{user_message}}",
    "secret": "s3cret",
    "intent": None,
    "user": {"name": "Ada", "tags": ["a", "é"], "nested": {"depth": 2}},
    "count": 3,
}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("plain", "plain"),
        ("{{count}} {{ count }}", "3 3"),
        ("[{{intent}}]", "[]"),
        ("{{user.name}} {{user.nested.depth}}", "Ada 2"),
        ("{{user.tags}}", '["a","é"]'),
        ("{{user.nested}}", '{"depth":2}'),
        ("{{user_message}}", "hello {{secret}} {{user_message}}"),
        ("{{secret}}{{user_message}}", "s3crethello {{secret}} {{user_message}}"),
        ("{{missing}} {{user.missing}} {{count.x}}", "{{missing}} {{user.missing}} {{count.x}}"),
        ("{{}} {{ }} {count} {{user..name}}", "{{}} {{ }} {count} {{user..name}}"),
    ],
)
def test_variables_are_replaced_in_one_pass(template: str, expected: str) -> None:
    assert substitute_variables(template, PROFILE) == expected


def test_unresolved_variables_are_logged_once_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    substitute_variables("{{missing}} {{count}} {{other}}", PROFILE)
    logged = capsys.readouterr().out
    assert '"names":["missing","other"]' in logged
    assert logged.count("\n") == 1
