"""Responses of background runs on the deployed stack."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2

QUESTION = {"model": "flexchat", "input": "What is 15% of 45?", "background": True}
FINISHED = {"completed", "incomplete", "failed", "cancelled"}


def created(api: httpx2.Client, **parameters: Any) -> dict[str, Any]:
    response = api.post("/v1/responses", json={**QUESTION, **parameters})
    assert response.status_code == 200, response.text
    return response.json()


def ended(api: httpx2.Client, response_id: str) -> dict[str, Any]:
    for _ in range(120):
        response = api.get(f"/v1/responses/{response_id}").json()
        if response["status"] in FINISHED:
            return response
        time.sleep(0.5)
    raise AssertionError(f"{response_id} has not ended")


def events_of(response: httpx2.Response) -> Iterator[dict[str, Any]]:
    for line in response.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_a_response_is_answered_in_the_background(api: httpx2.Client) -> None:
    queued = created(api)
    done = ended(api, queued["id"])

    assert (queued["status"], queued["background"], queued["output"]) == ("queued", True, [])
    assert (done["id"], done["status"]) == (queued["id"], "completed")
    assert "6.75" in done["output"][-1]["content"][0]["text"]


def test_a_stream_of_a_background_response_is_continued_after_a_lost_connection(api: httpx2.Client) -> None:
    with api.stream("POST", "/v1/responses", json={**QUESTION, "stream": True}) as response:
        first = next(events_of(response))
    response_id = first["response"]["id"]
    received = [first]
    for _ in range(10):
        after = {"stream": "true", "starting_after": received[-1]["sequence_number"]}
        with api.stream("GET", f"/v1/responses/{response_id}", params=after) as response:
            received += events_of(response)
        if received[-1]["type"] == "response.completed":
            break

    assert [event["sequence_number"] for event in received] == list(range(len(received)))
    assert received[-1]["response"] == ended(api, response_id)


def test_a_cancelled_response_stays_cancelled(api: httpx2.Client) -> None:
    queued = created(api)
    cancelled = api.post(f"/v1/responses/{queued['id']}/cancel").json()

    assert cancelled["status"] in {"cancelled", "completed"}
    assert ended(api, queued["id"])["status"] == cancelled["status"]
    assert api.delete(f"/v1/responses/{queued['id']}").json()["deleted"] is True
    assert api.get(f"/v1/responses/{queued['id']}").status_code == 404
