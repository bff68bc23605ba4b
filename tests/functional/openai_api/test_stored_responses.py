"""Stored responses: references to their items, GET and DELETE, and what a request declares that cannot be run."""

from typing import Any

import httpx2
import openai
import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.messages import assistant, user
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.openai_api.response_service import WEATHER, Service, client_turn


def test_a_reference_is_replaced_by_the_stored_item(dynamodb: DynamoDBClient) -> None:
    """As @ai-sdk/openai sends the second turn of a conversation by default."""
    service = Service([text_completion("Four."), text_completion("Six.")], dynamodb)
    first = service.create("2+2?")

    second = service.create(
        [
            {"role": "user", "content": "2+2?"},
            {"type": "item_reference", "id": first.output[0].id},
            {"role": "user", "content": "And 3+3?"},
        ]
    )

    assert second.output_text == "Six."
    assert [*service.model.seen[1][1:]] == [user("2+2?"), assistant("Four."), user("And 3+3?")]


def test_a_referenced_call_takes_its_result(dynamodb: DynamoDBClient) -> None:
    script = [client_turn(("get_weather", {"city": "Paris"}), text="Looking."), text_completion("Sunny.")]
    service = Service(script, dynamodb)
    first = service.create("Weather in Paris?", tools=[WEATHER])
    message, call = first.output
    assert call.type == "function_call"

    second = service.create(
        [
            {"role": "user", "content": "Weather in Paris?"},
            {"type": "item_reference", "id": "rs_0123456789"},
            {"type": "item_reference", "id": message.id},
            {"type": "item_reference", "id": call.id},
            {"type": "function_call_output", "call_id": call.call_id, "output": "22 degrees"},
        ],
        tools=[WEATHER],
    )

    assert second.output_text == "Sunny."


@pytest.mark.parametrize("principal", ["k7m2p9qx4d", "someoneelse"])
def test_a_reference_to_an_unknown_item_or_one_of_another_caller_is_refused(
    dynamodb: DynamoDBClient, principal: str
) -> None:
    own = Service([text_completion("Four.")], dynamodb)
    found = own.create("2+2?").output[0].id if principal == "someoneelse" else "msg_" + "0" * 36
    service = Service([], dynamodb, principal=principal)

    error = service.refused(input=[{"role": "user", "content": "a"}, {"type": "item_reference", "id": found}])

    assert error == {
        "param": "input[1].id",
        "message": f"Item with id '{found}' not found. Items are stored unless store is false.",
        "code": None,
    }


def test_a_stored_response_is_returned_until_it_is_deleted(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("Four.")], dynamodb)
    first = service.create("2+2?", metadata={"topic": "sums"})

    assert service.client.responses.retrieve(first.id).to_dict() == first.to_dict()

    service.client.responses.delete(first.id)
    for gone in (service.client.responses.retrieve, service.client.responses.delete):
        with pytest.raises(openai.NotFoundError, match=f"Response with id '{first.id}' not found."):
            gone(first.id)
    error = service.refused_after(previous_response_id=first.id)
    assert error["code"] == "previous_response_not_found"


def test_a_response_of_another_caller_is_not_found(dynamodb: DynamoDBClient) -> None:
    first = Service([text_completion("Four.")], dynamodb).create("2+2?")
    other = Service([], dynamodb, principal="someoneelse")

    for refused in (other.client.responses.retrieve, other.client.responses.delete):
        with pytest.raises(openai.NotFoundError):
            refused(first.id)


def test_a_response_that_is_not_stored_is_not_found(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("Four.")], dynamodb)
    first = service.create("2+2?", store=False)

    with pytest.raises(openai.NotFoundError):
        service.client.responses.retrieve(first.id)


BUILT_IN: list[dict[str, Any]] = [
    {"type": "web_search"},
    {"type": "custom", "name": "apply_patch", "format": {"type": "grammar", "syntax": "lark", "definition": "x"}},
    {"type": "namespace", "name": "x", "tools": []},
]


def test_tools_that_the_service_cannot_run_are_skipped_with_a_warning() -> None:
    service = Service([text_completion("Hi.")])

    response: Any = service.create(tools=[BUILT_IN[0], WEATHER, *BUILT_IN[1:]], store=False).to_dict()

    assert response["flexchat"]["warnings"] == [
        "tools[0] is of the type 'web_search', which this service cannot run",
        "tools[2] is of the type 'custom', which this service cannot run",
        "tools[3] is of the type 'namespace', which this service cannot run",
    ]
    offered: Any = service.model.options[0].tools
    assert [tool["function"]["name"] for tool in offered] == ["calculate", "get_weather"]


def test_items_of_other_tools_are_skipped_with_a_warning() -> None:
    service = Service([text_completion("Hi.")])
    items = [
        {"role": "user", "content": "Search."},
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"role": "user", "content": "And?"},
    ]

    response: Any = service.create(items, store=False).to_dict()

    assert response["flexchat"]["warnings"] == ["input[1] is of the type 'web_search_call' and was skipped"]
    assert [*service.model.seen[0][1:]] == [user("Search."), user("And?")]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/models/", 200),
        ("GET", "/v1//models", 200),
        ("POST", "/v1//chat/completions/", 200),
        ("POST", "/v1/responses/", 200),
        ("GET", "/v1/files", 404),
        ("POST", "/v1//assistants", 404),
    ],
)
def test_paths_of_joined_urls_reach_their_route_and_unknown_ones_have_openais_envelope(
    method: str, path: str, status: int
) -> None:
    service = Service([text_completion("Hi.")])
    body: dict[str, Any] = {"model": "flexchat", "messages": [{"role": "user", "content": "a"}], "input": "a"}
    client = httpx2.Client(transport=service.transport, base_url="http://flexchat")

    response = client.request(method, path, json=body if method == "POST" else None)

    assert response.status_code == status
    if status == 404:
        assert response.json()["error"]["type"] == "invalid_request_error"
