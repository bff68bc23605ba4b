"""Checks of the settings of requests: extra bodies, reasoning efforts, and features of models."""

from typing import Any

import pytest

from flexchat.messages import Json
from tests.unit.config.sources import source
from tests.unit.config_check.checked import errors, with_rule

PROMPT = "the conversation is sent; write instructions into `prompt` of the rule"
NAME = "name the model in `model` of the rule"
TOOLS = "name the tools in `tools.allowed_tools` of the rule"
STREAM = "a client asks for a stream; list 'stream' or 'non_streaming' in `unsupported` of a profile"


def with_llm(**settings: Json) -> dict[str, Any]:
    document: dict[str, Any] = source()
    document["llms"]["main"].update(settings)
    return document


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"model": "m"}, f"'model' cannot be replaced: {NAME}"),
        ({"modelId": "m"}, f"'modelId' cannot be replaced: {NAME}"),
        ({"messages": None}, f"'messages' cannot be replaced: {PROMPT}"),
        ({"contents": []}, f"'contents' cannot be replaced: {PROMPT}"),
        ({"top_k": 1, "tools": []}, f"'tools' cannot be replaced: {TOOLS}"),
        ({"toolConfig": {"tools": []}}, f"'toolConfig.tools' cannot be replaced: {TOOLS}"),
        ({"stream": True}, f"'stream' cannot be replaced: {STREAM}"),
        ({"metadata": {"key": "${TOKEN}"}}, "a secret cannot be named here; put it into api_key or headers"),
        ([], "must be an object"),
    ],
)
def test_an_extra_body_cannot_replace_what_the_service_sends(body: Json, message: str) -> None:
    assert errors(with_llm(extra_body=body)) == [f"llms.main.extra_body: {message}"]
    assert errors(with_llm(profiles={"*": {"extra_body": body}})) == [f'llms.main.profiles["*"].extra_body: {message}']
    assert errors(with_rule(extra_body=body)) == [f"responses[1].extra_body: {message}"]


def test_other_fields_are_accepted_everywhere() -> None:
    body: Json = {"toolConfig": {"functionCallingConfig": {}}, "options": {"model": 1}, "seed": 7}

    assert errors(with_llm(extra_body=body, profiles={"*": {"extra_body": body}})) == []
    assert errors(with_rule(extra_body=body)) == []


def test_an_unknown_effort_or_feature_is_reported_with_the_valid_ones() -> None:
    efforts = "'none', 'minimal', 'low', 'medium', 'high', 'xhigh' or 'max'"

    (effort,) = errors(with_llm(reasoning_effort="highest"))
    (feature,) = errors(with_llm(profiles={"*": {"unsupported": ["topp"]}}))

    assert efforts in effort
    assert feature.startswith('llms.main.profiles["*"].unsupported[0]: ')
    assert all(name in feature for name in ("'top_p'", "'non_streaming'", "'unsigned_calls'"))


def test_a_feature_in_both_lists_is_an_error() -> None:
    profile: Json = {"unsupported": ["stop"], "supported": ["stop"]}

    assert errors(with_llm(profiles={"m": profile})) == [
        "llms.main.profiles.m: 'stop' must be in only one of `unsupported` and `supported`"
    ]
