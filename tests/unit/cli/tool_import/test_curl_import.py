"""Tools from command lines of curl."""

import json
from typing import Any

import pytest

from cli.tool_import.curl import import_curl
from flexchat.errors import ConfigError
from functions.tools.http.implementation import Implementation
from functions.tools.http.requests import build_request
from tests.unit.cli.tool_import.documents import implementation, properties

KEY = "sk_test_" + "4eC39HqLyjWDarj"


def test_a_get_line_becomes_a_tool_whose_query_values_are_defaults() -> None:
    tool = import_curl("curl -s 'https://api.example.com/v1/forecast?city=Bonn&days=3&metric=true&zip=01234'")

    assert tool.definition == {
        "name": "get_v1_forecast",
        "description": "GET api.example.com/v1/forecast",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "default": "Bonn"},
                "days": {"type": "integer", "default": 3},
                "metric": {"type": "boolean", "default": True},
                "zip": {"type": "string", "default": "01234"},
            },
            "additionalProperties": False,
        },
        "implementation": {"type": "http", "url": "https://api.example.com/v1/forecast", "method": "GET"},
        "idempotent": True,
    }


def test_a_json_body_becomes_required_arguments() -> None:
    tool = import_curl(
        'curl https://api.example.com/tickets/42/notes \\\n  --json \'{"title": "Hi", "tags": ["a"], "n": 1.5}\'',
        name="add_note",
        description="Add a note to a ticket",
    )
    arguments: dict[str, Any] = {"ticket_id": 7, "title": "x", "tags": [], "n": 2}
    request = build_request(Implementation.model_validate(implementation(tool)), arguments)

    assert properties(tool) == {
        "ticket_id": {"type": "integer", "examples": [42]},
        "title": {"type": "string", "examples": ["Hi"]},
        "tags": {"type": "array", "items": {"type": "string", "examples": ["a"]}},
        "n": {"type": "number", "examples": [1.5]},
    }
    assert (request.method, request.url) == ("POST", "https://api.example.com/tickets/7/notes")
    assert request.body == b'{"title":"x","tags":[],"n":2}'
    assert (tool.name, tool.suggestions) == ("add_note", ())


def test_a_form_is_sent_as_a_form() -> None:
    tool = import_curl("curl https://api.example.com/a -d 'amount=200&currency=usd' --data-urlencode 'note=a b&c'")
    arguments: dict[str, Any] = {"amount": 1, "currency": "eur", "note": "x y"}
    request = build_request(Implementation.model_validate(implementation(tool)), arguments)

    assert request.body == b"amount=1&currency=eur&note=x%20y"
    assert properties(tool)["note"] == {"type": "string", "examples": ["a b&c"]}


def test_data_with_get_goes_into_the_query() -> None:
    tool = import_curl("curl -G https://api.example.com/a -d q=x --data-urlencode 'r=a b'")

    assert implementation(tool)["method"] == "GET"
    assert properties(tool) == {"q": {"type": "string", "default": "x"}, "r": {"type": "string", "default": "a b"}}


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (f"-H 'Authorization: Bearer {KEY}'", ["EXAMPLE_TOKEN"]),
        (f"--oauth2-bearer {KEY}", ["EXAMPLE_TOKEN"]),
        (f"-u {KEY}:", ["EXAMPLE_USERNAME", "EXAMPLE_PASSWORD"]),
        (f"-H 'Authorization: Basic {KEY}'", ["EXAMPLE_USERNAME", "EXAMPLE_PASSWORD"]),
        (f"-H 'X-API-Key: {KEY}'", ["EXAMPLE_API_KEY"]),
        (f"-H 'X-Custom: {KEY}'", ["EXAMPLE_CUSTOM"]),
        (f"-G -d api_key={KEY}", ["EXAMPLE_API_KEY"]),
        (f"-G -d q={KEY}", ["EXAMPLE_Q"]),
        (f"-b session={KEY}", []),
        (f"-x http://user:{KEY}@proxy", []),
        (f"-d password={KEY} -d a=1", []),
        (f'--json \'{{"a": {{"deep": "{KEY}"}}}}\'', []),
    ],
)
def test_secrets_become_references_and_are_nowhere_in_the_report(options: str, names: list[str]) -> None:
    tool = import_curl(f"curl https://api.example.com/a {options}")

    assert KEY not in json.dumps(tool.definition)
    assert KEY not in repr(tool)
    assert [*tool.secrets] == names
    assert tool.hosts == (("api.example.com",) if names else ())


def test_fields_with_the_name_of_a_secret_are_arguments_without_their_values() -> None:
    body = json.dumps({"page_token": "hunter2", "user": {"password": "hunter2", "name": "n"}})
    tool = import_curl(f"curl https://api.example.com/a --json '{body}'")

    assert properties(tool) == {
        "page_token": {"type": "string"},
        "user": {
            "type": "object",
            "properties": {"password": {"type": "string"}, "name": {"type": "string", "examples": ["n"]}},
        },
    }
    assert tool.notes == ("the value of 'page_token' in the body is left out: it may be a secret",)
    assert "hunter2" not in repr(tool)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("curl", "the line has no URL"),
        ("curl 'https://a.example.com", "a quotation mark is not closed"),
        ("curl https://a.example.com https://b.example.com", "the line has more than one URL"),
        ("curl https://a.example.com -F file=@x", "http tools send no multipart forms (-F)"),
        ("curl https://a.example.com -d @secret", "a body from a file cannot be imported; write it into the line"),
        ("curl https://a.example.com --unknown x", "the option '--unknown' is not supported"),
        ("curl https://a.example.com -H", "the option '-H' has no value"),
        ("curl https://a.example.com -X BREW", "http tools have no method 'BREW'"),
        ("curl https://a.example.com -d '{\"a\"'", "the body is not valid JSON: ':' expected"),
        ("curl https://a.example.com -d text", "the body is neither JSON nor a form"),
        (
            f"curl https://user:{KEY}@a.example.com",
            "the URL cannot be used: the URL must not contain credentials; use `auth`",
        ),
    ],
)
def test_lines_that_cannot_be_imported_are_refused_without_their_values(line: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        import_curl(line)

    assert str(raised.value).startswith(f"curl: {message}".partition(" ':'")[0])
    assert KEY not in str(raised.value)


def test_other_options_become_settings_or_notes() -> None:
    tool = import_curl("curl -kLsS -m 2.5 -A me -H 'Accept: text/plain' -H 'Cookie: a=b' https://api.example.com")
    own: Any = implementation(tool)

    assert (own["timeout_ms"], own["follow_redirects"], own["url"]) == (2_500, 3, "https://api.example.com/")
    assert own["headers"] == {"User-Agent": "me", "Accept": "text/plain"}
    assert tool.notes == (
        "-k is left out: certificates are always checked",
        "the header Cookie is left out",
    )
