"""Commands of the local stack: push, health and repair."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cli.layout import Layout
from cli.local_stack import StackState, aws_environment, write_state
from cli.processes import Processes
from cli.system import wait_until
from dev.local_stack.running import running_stack
from tests.e2e.commands import flexchat, run_flexchat

PROJECT = "config/flexchat.json"
PATIENCE_SECONDS = 10


@pytest.fixture
def repaired(layout: Layout) -> Iterator[None]:
    """Repair the stack after the test."""
    yield
    flexchat("local", "up", "--config", str(layout.root / PROJECT))


def chat(state: StackState) -> int:
    """Return the status of one chat."""
    request = {"message": "What is 15% of 45?"}
    headers = {"Authorization": f"Bearer {state.token}"}
    return httpx2.post(f"{state.url}/api/chat", json=request, headers=headers, timeout=60, trust_env=False).status_code


def now(layout: Layout) -> StackState:
    state = running_stack(layout)
    assert state is not None
    return state


def kill(name: str, layout: Layout) -> None:
    """End a recorded process of the running stack."""
    process = next(process for process in Processes(layout.processes).running if process.name == name)
    os.kill(process.pid, signal.SIGKILL)
    assert wait_until(lambda: not process.alive, seconds=PATIENCE_SECONDS)


@pytest.mark.usefixtures("repaired")
def test_push_to_the_local_stage_preserves_the_demo_model(layout: Layout, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    authored: dict[str, Any] = json.loads((layout.root / PROJECT).read_text())
    file.write_text(json.dumps({**authored, "comment": "pushed by hand"}))

    changes = json.loads(flexchat("config", "diff", "--stage", "local", "--file", str(file), "--json"))
    pushed = json.loads(flexchat("config", "push", "--stage", "local", "--file", str(file), "--json"))

    assert changes == [{"kind": "changed", "path": "comment", "keys": []}]
    assert (pushed["created"], pushed["updated"], pushed["deleted"]) == ([], ["comment"], [])
    assert chat(now(layout)) == 200
    assert (
        flexchat("config", "diff", "--stage", "local", "--file", str(file))
        == f"'local' has the configuration of {file}.\n"
    )
    assert now(layout).config == str(file)
    assert run_flexchat("local", "status").returncode == 0


@pytest.mark.usefixtures("repaired")
def test_overwritten_configuration_is_reported_and_repaired(layout: Layout, stack: StackState) -> None:
    elsewhere = aws_environment(stack.endpoint.replace("127.0.0.1", "localhost"), stack.access_key_id)
    flexchat("config", "push", "--stage", "local", env={**os.environ, **elsewhere})

    status = run_flexchat("local", "status")

    assert status.returncode == 1
    assert "broken: llm 'openai': secret 'OPENAI_API_KEY' is not stored" in status.stderr
    assert f"is kept; `make up CONFIG={layout.root / PROJECT}` publishes the file" in status.stderr
    assert "`make up` repairs it" in status.stderr
    flexchat("local", "up")
    assert chat(now(layout)) == 200
    assert run_flexchat("local", "status").returncode == 0


@pytest.mark.usefixtures("repaired")
def test_stopped_demo_model_is_reported_and_restarted(layout: Layout, stack: StackState) -> None:
    kill("demo model", layout)

    status = run_flexchat("local", "status")
    assert status.returncode == 1
    assert f"broken: the demo model at {stack.demo_model} has stopped\n" in status.stderr

    flexchat("local", "up")
    assert chat(now(layout)) == 200
    assert run_flexchat("local", "status").returncode == 0


@pytest.mark.usefixtures("repaired")
def test_stopped_gateway_is_reported_and_restarted_at_its_address(layout: Layout, stack: StackState) -> None:
    kill("local gateway", layout)

    status = run_flexchat("local", "status")
    assert status.returncode == 1
    assert f"broken: the local gateway at {stack.url} has stopped\n" in status.stderr

    flexchat("local", "up")
    assert now(layout).url == stack.url
    assert chat(now(layout)) == 200
    assert run_flexchat("local", "status").returncode == 0


def test_rejected_token_is_reported_and_replaced(layout: Layout, stack: StackState) -> None:
    refused = now(layout).model_copy(update={"token": f"{stack.token[:-4]}AAAA"})
    write_state(layout.state, refused)

    status = run_flexchat("local", "status")
    assert status.returncode == 1
    assert "broken: the API refuses the recorded token" in status.stderr

    flexchat("local", "up")
    assert now(layout).token not in (refused.token, stack.token)
    assert chat(now(layout)) == 200
