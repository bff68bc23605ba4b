"""Guardrails have the fields of their type, and rules name entries that exist."""

from collections.abc import Mapping

import pytest

from flexchat.config.document import parse
from flexchat.messages import Json
from tests.unit.config.sources import rule, source
from tests.unit.config_check.checked import errors, warnings

HOOK: dict[str, Json] = {"type": "http", "url": "https://moderation.example.com/check"}
BEDROCK: dict[str, Json] = {"type": "bedrock", "guardrail_id": "abc123", "guardrail_version": "2"}


def document(entries: Mapping[str, Json], **guardrails: Json) -> dict[str, Json]:
    named: dict[str, Json] = {"input": [*entries], **guardrails}
    return source(guardrails=dict(entries), responses=[rule(guardrails=named)])


def own(lines: list[str]) -> list[str]:
    return [line for line in lines if "guardrails" in line]


@pytest.mark.parametrize(
    "entry",
    [
        HOOK,
        {
            **HOOK,
            "format": "openai_moderation",
            "model": "omni-moderation-latest",
            "headers": {"Authorization": "${KEY}"},
        },
        BEDROCK,
        {**BEDROCK, "region": "eu-central-1", "message": "Not here.", "comment": "of the security team"},
        {**BEDROCK, "guardrail_id": "arn:aws:bedrock:eu-central-1:123456789012:guardrail/abc123"},
    ],
)
def test_a_complete_entry_has_no_problem(entry: dict[str, Json]) -> None:
    checked = document({"main": entry}, output=["main"], chunk_characters=500)

    assert (own(errors(checked)), own(warnings(checked))) == ([], [])


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"type": "http"}, "a guardrail of type 'http' must have 'url'"),
        ({"type": "bedrock", "guardrail_id": "abc123"}, "must have 'guardrail_version'"),
        ({**HOOK, "region": "eu-central-1"}, "'region' is for a guardrail of type 'bedrock'"),
        ({**BEDROCK, "url": "https://x.example.com"}, "'url' is for a guardrail of type 'http'"),
        ({**BEDROCK, "guardrail_version": "latest"}, "guardrail_version"),
        ({**BEDROCK, "guardrail_id": "arn:aws:s3:::bucket"}, "guardrail_id"),
        ({**HOOK, "on_error": "ignore"}, "on_error"),
        ({**HOOK, "timeout_ms": 0}, "timeout_ms"),
        ({**HOOK, "type": "lakera"}, "type"),
        ({**HOOK, "url": "ftp://x.example.com"}, "must be an http or https address"),
        ({**HOOK, "url": "https://user:pw@x.example.com"}, "without a user"),
        ({**HOOK, "url": "https://x.example.com/${KEY}"}, "a secret cannot be named here"),
        ({**HOOK, "url": "https://169.254.169.254/"}, "must have a public IP address"),
        ({**HOOK, "headers": {"Authorization": "Bearer sk-proj-CanaryCanaryCanary0123456789"}}, "the key itself"),
        ({**HOOK, "headers": {"X": "${AWS_SECRET_ACCESS_KEY}"}}, "belongs to the function itself"),
    ],
)
def test_an_entry_that_cannot_check_is_an_error(entry: dict[str, Json], problem: str) -> None:
    (line,) = own(errors(document({"main": entry})))

    assert line.startswith("guardrails.main")
    assert problem in line


def test_names_of_a_rule_must_exist_once() -> None:
    checked = document({"hate": HOOK}, output=["hat", "hate", "hate"])

    assert own(errors(checked)) == [
        "responses[0].guardrails.output[0]: no guardrail named 'hat'; did you mean 'hate'?",
        "responses[0].guardrails.output[2]: the guardrail 'hate' is listed twice",
    ]


def test_a_broken_entry_is_reported_once_and_still_has_a_name() -> None:
    (line,) = own(errors(document({"main": {"type": "http"}})))

    assert line.startswith("guardrails.main:")
    parsed = parse(document({"main": {"type": "http"}}))
    assert (parsed.configuration.guardrails, [entry.name for entry in parsed.broken]) == ({}, ["main"])
    assert parsed.configuration.responses[0].guardrails is not None


def test_settings_that_let_unchecked_texts_pass_are_warnings() -> None:
    entries: dict[str, Json] = {
        "draft": {**BEDROCK, "guardrail_version": "DRAFT"},
        "open": {**HOOK, "on_error": "allow"},
    }
    unused = source(guardrails={"spare": HOOK})

    assert own(warnings(document(entries))) == [
        "guardrails.draft.guardrail_version: changes with each edit; name a version, as '1'",
        "guardrails.open.on_error: texts pass unchecked while the guardrail does not answer",
    ]
    assert own(warnings(unused)) == [
        "guardrails.spare: is not used: no rule names it in guardrails.input or guardrails.output"
    ]


@pytest.mark.parametrize("size", [49, 25_001, "1000"])
def test_the_size_of_the_pieces_is_bounded(size: Json) -> None:
    assert own(errors(document({"main": HOOK}, chunk_characters=size))) != []
