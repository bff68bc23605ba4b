"""Tool calls that wait for an approval, on the deployed stack: over HTTP, in the background and by command."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cli.layout import Layout
from tests.e2e.commands import flexchat
from tests.e2e.test_background_runs import LATER, ended

QUESTION = {"message": "How is the weather in Paris?"}


@pytest.fixture
def _asking(default_configuration: None, layout: Layout, tmp_path: Path) -> None:
    """The default configuration, whose weather tool needs an approval."""
    configuration = json.loads((layout.root / "config" / "flexchat.json").read_text())
    for tool in configuration["tools"]["registry"]:
        tool["approval"] = "always" if tool["name"] == "get_weather" else "never"
    path = tmp_path / "flexchat.json"
    path.write_text(json.dumps(configuration))
    flexchat("local", "up", "--config", str(path))


def decide(api: httpx2.Client, waiting: dict[str, Any], *, approve: bool) -> dict[str, Any]:
    decisions = [
        {"call_id": call["call_id"], "digest": call["digest"], "approve": approve} for call in waiting["calls"]
    ]
    response = api.post(f"/api/runs/{waiting['id']}/approvals", json={"decisions": decisions})
    assert response.status_code == 202, response.text
    assert response.headers["location"].endswith(f"/api/runs/{response.json()['run_id']}")
    return response.json()


@pytest.mark.usefixtures("_asking")
def test_an_approved_call_runs_and_a_denied_one_does_not(api: httpx2.Client) -> None:
    answers: dict[bool, Any] = {}
    for approve in (True, False):
        waiting = api.post("/api/chat", json=QUESTION).json()
        assert (waiting["outcome"], waiting["tool_calls"]) == ("waiting", [])
        assert waiting["approvals"]["calls"][0]["tool"] == "get_weather"
        assert waiting["approvals"] in api.get("/api/approvals").json()["approvals"]
        run = ended(api, decide(api, waiting["approvals"], approve=approve)["run_id"])
        assert run.status == "succeeded"
        assert run.answer is not None
        answers[approve] = run.answer.tool_calls[0].result

    assert answers[True].success
    assert answers[False].error_type == "approval_denied"
    assert api.get("/api/approvals").json() == {"approvals": []}


@pytest.mark.usefixtures("_asking")
def test_a_background_run_waits_and_is_decided_by_command(api: httpx2.Client) -> None:
    run = api.post("/api/chat", json={**QUESTION, "session_id": "approvals-e2e"}, headers=LATER).json()["id"]
    waiting = ended(api, run)
    listed = flexchat("approvals", "list")
    decided = json.loads(flexchat("approvals", "approve", run, "--yes", "--json"))
    answer = ended(api, decided["run_id"]).answer
    messages = api.get("/api/sessions/approvals-e2e/messages").json()["messages"]

    assert waiting.status == "waiting"
    assert run in listed
    assert answer is not None
    assert answer.tool_calls[0].result.success
    assert (messages[-1]["content"], messages[-1]["outcome"]) == (answer.content, "answered")
