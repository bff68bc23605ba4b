"""Coding agents of the terminal, unchanged but for address and key: Codex on the Responses API, opencode on chats.

The packages are those of one platform: the lock has no others.
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from cli.local_stack import StackState
from tests.e2e import npm

PACKAGES: Final = Path(__file__).parent / "packages"
ANSWER: Final = "15% of 45 is 6.75."
"""End of the answer of the demo model, which also reads the folder that agents name in their messages."""

QUESTION: Final = "What is 15% of 45?"

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="the packages are those of Linux on x86-64"
)

CODEX: Final = """\
model = "flexchat"
model_provider = "flexchat"
[model_providers.flexchat]
name = "Flexchat"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
"""


@pytest.fixture(scope="module")
def programs() -> Path:
    """Folder of the locked packages."""
    return npm.install(PACKAGES, "coding-agents")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Empty project of the user."""
    (tmp_path / "home").mkdir()
    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "--quiet", str(project)], check=True)  # noqa: S603, S607
    return project


def run(command: list[str], work: Path, stack: StackState, *, prompt: str) -> str:
    """Return the standard output of an agent in the project `work`, with the prompt on its standard input."""
    home = work.parent / "home"
    done = subprocess.run(  # noqa: S603
        command,
        cwd=work,
        input=prompt,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
        env={
            "PATH": f"{Path(npm.NODE).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "CODEX_HOME": str(home),
            "OPENAI_API_KEY": stack.token,
        },
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def codex(programs: Path, prompt: str, work: Path, stack: StackState) -> list[dict[str, str]]:
    """Return the finished items of a run of Codex without options."""
    (work.parent / "home" / "config.toml").write_text(CODEX.format(url=stack.url))
    output = run(
        [
            str(programs / "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"),
            "exec",
            "--json",
            "-",
        ],
        work,
        stack,
        prompt=prompt,
    )
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [event["item"] for event in events if event["type"] == "item.completed"]


def opencode(programs: Path, prompt: str, work: Path, stack: StackState) -> str:
    """Return the output of a run of opencode."""
    provider: dict[str, Any] = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{stack.url}/v1", "apiKey": stack.token},
        "models": {"flexchat": {}},
    }
    settings: dict[str, Any] = {"provider": {"flexchat": provider}, "model": "flexchat/flexchat", "autoupdate": False}
    (work / "opencode.json").write_text(json.dumps(settings))
    return run([str(programs / "opencode-linux-x64-baseline/bin/opencode"), "run"], work, stack, prompt=prompt)


def test_codex_answers(programs: Path, work: Path, stack: StackState) -> None:
    items = codex(programs, QUESTION, work, stack)

    (answer,) = (item["text"] for item in items if item["type"] == "agent_message")
    assert ANSWER in answer


def test_codex_runs_its_own_tool(programs: Path, work: Path, stack: StackState) -> None:
    items = codex(programs, '[demo:call=exec_command {"cmd": "echo from-the-client"}]', work, stack)

    (ran,) = (item for item in items if item["type"] == "command_execution")
    assert "from-the-client" in ran["aggregated_output"]
    (answer,) = (item for item in items if item["type"] == "agent_message")
    assert "from-the-client" in answer["text"]


def test_opencode_answers_each_conversation_alone(programs: Path, work: Path, stack: StackState) -> None:
    """It sends ids of its own in headers with every request."""
    for _ in range(2):
        assert ANSWER in opencode(programs, QUESTION, work, stack)


def test_opencode_runs_its_own_tool(programs: Path, work: Path, stack: StackState) -> None:
    (work / "notes.txt").write_text("from-the-client")

    output = opencode(programs, '[demo:call=read {"filePath": "notes.txt"}]', work, stack)

    assert "from-the-client" in output
