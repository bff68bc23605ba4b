"""Versions of the configuration on the deployed stack: pushed with a comment, and rolled back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cli.layout import Layout
from dev.local_stack.seeding import wait_until_served
from tests.e2e.commands import flexchat, run_flexchat
from tests.e2e.test_traces import trace

STAGE = ("--stage", "local")
PUSHED = "Pushed with a comment."


@pytest.fixture(scope="module", autouse=True)
def restored(layout: Layout) -> Iterator[None]:
    """Serve the project's configuration again after these tests, whatever they published."""
    yield
    flexchat("local", "up", "--config", str(layout.root / "config" / "flexchat.json"))


def versions(api: httpx2.Client) -> list[dict[str, Any]]:
    """Return the published versions, the newest first."""
    return api.get("/api/configuration/versions").json()["versions"]


def push(api: httpx2.Client, folder: Path, layout: Layout, *, prompt: str, comment: str) -> int:
    """Push the project's configuration with another prompt of the last rule; return the number of the version.

    Chats record their messages in their traces.
    """
    authored = json.loads((layout.root / "config" / "flexchat.json").read_text())
    authored["responses"][-1]["prompt"] = prompt
    authored["traces"] = {"content": "all"}
    path = folder / "mine.json"
    path.write_text(json.dumps(authored))
    flexchat("config", "push", *STAGE, "--file", str(path), "--comment", comment)
    return versions(api)[0]["number"]


def prompts(api: httpx2.Client) -> list[str]:
    """Return the prompts of the published rules."""
    entries = api.get("/api/configuration").json()["entries"]
    return [json.loads(entry["text"])["prompt"] for entry in entries if entry["section"] == "responses"]


def test_a_version_is_rolled_back_by_the_command_and_served(api: httpx2.Client, layout: Layout, tmp_path: Path) -> None:
    first = push(api, tmp_path, layout, prompt=PUSHED, comment="one")
    push(api, tmp_path, layout, prompt="Another prompt.", comment="two")

    rolled = json.loads(flexchat("config", "rollback", str(first), *STAGE, "-c", "two was wrong", "--json"))

    assert len(rolled["updated"]) == 1
    assert prompts(api)[-1] == PUSHED
    newest = versions(api)[0]
    assert (newest["number"], newest["restores"], newest["comment"]) == (first + 2, first, "two was wrong")
    wait_until_served()
    chat = api.post("/api/chat", json={"message": "Hello!"})
    assert chat.status_code == 200, chat.text
    assert PUSHED in json.dumps(trace(api, chat.json()["request_id"]))


def test_an_unknown_version_is_not_found(api: httpx2.Client) -> None:
    base = api.get("/api/configuration").json()["version"]
    unknown = versions(api)[0]["number"] + 1

    for answer in (
        api.get(f"/api/configuration/versions/{unknown}"),
        api.post(f"/api/configuration/versions/{unknown}/restore", json={"base": base}),
    ):
        assert (answer.status_code, answer.json()["error"]) == (404, "version_not_found")
    done = run_flexchat("config", "rollback", str(unknown), *STAGE)
    assert done.returncode == 1
    assert f"'local' has no version {unknown}" in done.stderr
