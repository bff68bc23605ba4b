"""Configuration of tools of type internal."""

import pytest

from flexchat.errors import Problem
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from functions.retrieval.implementation import Implementation


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"handler": "rag_qery"},
            Problem("handler", "Internal handler 'rag_qery' not found; did you mean 'rag_query'?"),
        ),
        ({"handler": "sql"}, Problem("handler", "Internal handler 'sql' not found; the handlers are rag_query")),
        (
            {"collections": []},
            Problem("collections", "must not be empty; omit it, or list the searchable names"),
        ),
        (
            {"collections": ["Our Docs"]},
            Problem("collections[0]", "'Our Docs' does not match ^[a-z0-9][a-z0-9_-]{0,62}$"),
        ),
        ({"max_bytes": 10}, Problem("max_bytes", "must be greater than or equal to 1000")),
        ({"colection": ["docs"]}, Problem("colection", "unknown key 'colection'; did you mean 'collections'?")),
    ],
)
def test_invalid_implementation_is_reported_with_the_correct_form(change: dict[str, Json], problem: Problem) -> None:
    implementation: dict[str, Json] = {"type": "internal", "handler": "rag_query", **change}

    assert TOOL_TYPES["internal"].problems(implementation) == (problem,)


def test_minimal_documented_implementation_is_valid() -> None:
    assert TOOL_TYPES["internal"].problems({"type": "internal", "handler": "rag_query"}) == ()


def test_headers_of_an_inline_service_are_not_shown() -> None:
    service: Json = {"name": "x", "type": "http", "url": "https://x.example", "headers": {"Authorization": "canary"}}

    implementation = Implementation.model_validate({"type": "internal", "handler": "rag_query", "service": service})

    assert "canary" not in repr(implementation)
