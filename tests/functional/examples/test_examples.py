"""Example configurations: weather assistant and documentation assistant."""

from pathlib import Path

import pytest

from flexchat.aws.objects import ObjectStore
from functions.retrieval.ingest.documents import SourceFile
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.examples.example_chat import Service, outcome


def test_weather_assistant_uses_its_tool_and_rejects_other_topics(objects: ObjectStore, tmp_path: Path) -> None:
    weather = call_completion(("get_weather", {"location": "Paris", "units": "celsius"}))
    service = Service("weather-assistant", objects, tmp_path).deploy(
        text_completion("weather_forecast"),
        weather,
        text_completion("22 degrees and sunny."),
        text_completion("other"),
        text_completion("Only the weather."),
    )

    forecast = service.post({"message": "Will it rain in Paris?"}).body
    sums = service.post({"message": "What is 12 * 12?"}).body

    assert outcome(forecast) == ("weather", "weather_forecast", ["get_weather"])
    assert forecast["tool_calls"][0]["result"]["result"] == {"temperature": 22, "condition": "sunny"}
    assert outcome(sums) == ("anything_else", "other", [])


MANUAL = """# Tokens

## Create a token

A token is created by an operator and shown once. Any holder of it may call the service.

## Revoke a token

An operator revokes a token within seconds: `flexchat tokens revoke ID`. It is not taken away from its holder by force.
"""


@pytest.fixture
def documentation(objects: ObjectStore, tmp_path: Path) -> Service:
    service = Service("documentation-assistant", objects, tmp_path)
    service.fill("flexchat-docs", (0.6, 0.95), SourceFile("tokens.md", MANUAL.encode()))
    return service


def test_documentation_assistant_answers_from_a_match(documentation: Service) -> None:
    chat = documentation.deploy(text_completion("With flexchat tokens revoke [1]."))

    body = chat.post({"message": "How do I revoke a token?", "selected_collections": ["flexchat-docs"]}).body

    assert (body["rule"], body["rag"]["result"]) == ("found", "match")
    assert "] Tokens > Revoke a token (tokens.md#revoke-a-token)" in chat.model.seen[0][0].text


def test_documentation_assistant_searches_again_after_a_partial_result(documentation: Service) -> None:
    search = call_completion(("search_docs", {"query": "revoke a token"}))
    chat = documentation.deploy(search, text_completion("flexchat tokens revoke"), search, text_completion("The same."))
    nearly = {"message": "Can tokens be taken away by the police?", "selected_collections": ["flexchat-docs"]}

    partial = chat.post(nearly).body
    unselected = chat.post({"message": "How do I revoke a token?"}).body

    assert (partial["rule"], partial["rag"]["result"]) == ("nearly_found", "partial")
    assert (unselected["rule"], "rag" in unselected) == ("not_found", False)
    for body in (partial, unselected):
        found = body["tool_calls"][0]["result"]["result"]["results"]
        assert any("revoke" in passage["text"] for passage in found)
