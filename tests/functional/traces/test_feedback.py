"""Feedback on answers."""

from typing import Any

import pytest

from functions.traces.aws import index
from tests.functional.traces.harness import NOW, TABLE, Service, chat


@pytest.fixture
def rated(service: Service) -> Service:
    """Service with the chats `r1` and `r2` of ana, of which `r1` is rated, and `r3` of bob."""
    service.store(chat("r1", session_id="s1", at=NOW - 90), chat("r2", at=NOW - 80), chat("r3", caller="bob"))
    assert rate(service, "r1", "down", comment="wrong city").status == 200
    return service


def rate(service: Service, id: str, rating: str, *, caller: str = "ana", **fields: Any) -> Any:
    return service.request("POST", f"/api/runs/{id}/feedback", caller=caller, body={"rating": rating, **fields})


def test_feedback_is_part_of_the_trace_and_its_rating_of_every_list(rated: Service) -> None:
    feedback = {"rating": "down", "comment": "wrong city", "by": "ana", "created_at": "2026-11-27T03:00:00Z"}

    view = rated.get("/api/traces/r1").body

    assert (view["rating"], view["feedback"]) == ("down", [feedback])
    for query in ({}, {"caller": "ana"}, {"session": "s1"}, {"model": "demo:good"}, {"tool": "get_weather"}):
        traces = rated.get("/api/traces", **query).body["traces"]
        assert {trace["id"]: trace.get("rating") for trace in traces}["r1"] == "down", query


def test_list_is_filtered_by_rating(rated: Service) -> None:
    rate(rated, "r2", "up")
    rate(rated, "r3", "down", caller="bob")

    assert rated.ids(rating="down") == ["r3", "r1"]
    assert rated.ids(rating="up") == ["r2"]
    assert rated.ids(rating="down", caller="ana") == ["r1"]
    assert rated.ids(rating="down", session="s1") == ["r1"]
    assert rated.get("/api/traces", caller="bob", rating="down").body["traces"][0]["id"] == "r3"


def test_later_feedback_replaces_the_earlier_one(rated: Service) -> None:
    rated.now += 60
    assert rate(rated, "r1", "up").body == {
        "rating": "up",
        "comment": "",
        "by": "ana",
        "created_at": "2026-11-27T03:01:00Z",
    }

    assert rated.ids(rating="down") == []
    assert rated.ids(rating="up") == ["r1"]
    assert [each["rating"] for each in rated.get("/api/traces/r1").body["feedback"]] == ["up"]


def test_operator_does_not_rate_the_answer_of_another_caller(rated: Service) -> None:
    answer = rate(rated, "r2", "up", caller="root")

    assert (answer.status, answer.body["message"]) == (403, "only the caller of a chat rates its answer")


def test_chat_without_a_trace_cannot_be_rated(rated: Service) -> None:
    assert rate(rated, "r9", "up").status == 404


def test_rating_of_a_trace_of_which_a_part_has_been_deleted_changes_nothing(rated: Service) -> None:
    (item,) = [item for item in rated.items() if "D#2026-11-27" in item["pk"]["S"] and item["sk"]["S"].endswith("r2")]
    rated.dynamodb.delete_item(TableName=TABLE, Key={name: item[name] for name in ("pk", "sk")})

    assert rate(rated, "r2", "up").status == 404
    assert rated.ids(rating="up") == []
    assert rated.get("/api/traces/r2").body["feedback"] == []


def test_trace_of_a_version_without_partitions_is_listed_counted_and_rated(service: Service) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "PARTITIONS", 1)
        service.store(*(chat(f"r{number}", at=NOW - number) for number in range(1, 5)))
    for item in service.items():
        if "partition" in item:  # an attribute that the earlier version did not store
            key = {name: item[name] for name in ("pk", "sk")}
            service.dynamodb.update_item(
                TableName=TABLE, Key=key, UpdateExpression="REMOVE #p", ExpressionAttributeNames={"#p": "partition"}
            )
    service.store(*(chat(f"n{number}", at=NOW) for number in range(1, 5)))

    assert service.get("/api/usage").body["rows"][0]["chats"] == 8
    assert service.ids(tool="get_weather")[4:] == [f"r{number}" for number in range(1, 5)]
    for number in range(1, 5):
        assert rate(service, f"r{number}", "up").status == 200
        assert rate(service, f"n{number}", "up").status == 200
    assert len(service.ids(rating="up")) == 8
    assert len(service.ids(rating="up", caller="ana")) == 8


@pytest.mark.parametrize(
    "body", [{}, {"rating": "good"}, {"rating": "up", "comment": "x" * 2_001}, {"rating": "up", "by": "x"}]
)
def test_wrong_feedback_is_a_request_error(rated: Service, body: Any) -> None:
    assert rated.request("POST", "/api/runs/r1/feedback", caller="ana", body=body).status == 400
