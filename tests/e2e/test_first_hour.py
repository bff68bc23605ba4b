"""The first hour of a user: the commands of the quickstart, in its order, with servers in place of the real ones.

The commands of the README are in `test_readme.py`. One process serves the protocols of OpenAI and of Ollama.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from tests.documents import code_blocks
from tests.e2e.commands import run_flexchat
from tests.e2e.demo_server import demo_server
from tests.e2e.followed import assert_shown, followed

QUICKSTART = Layout.here().root / "docs" / "quickstart.md"

TITLE = "Quickstart with a real model"
KEY = "With an OpenAI key"
COMPATIBLE = "With a server that speaks OpenAI's protocol"
OLLAMA = "With Ollama"
BACK = "Back to the demo model"
FOLLOWED = (KEY, COMPATIBLE, OLLAMA, BACK)

SECRET = "sk-of-the-first-hour"

CAPABLE = "openai:skill-95"
"""Model of the server that passes a validation, as the quickstart's does."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with demo_server(tmp_path / "server.log") as url:
        yield url


@pytest.fixture
def shell(layout: Layout, stack: StackState, tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """Variables of the shell, with an `ollama` that downloads nothing; the stack is as before afterwards."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "ollama").write_text('#!/bin/sh\necho "pulled $2"\n')
    (programs / "ollama").chmod(0o755)
    yield {"PATH": os.pathsep.join((str(programs), str(layout.venv_bin), os.defpath))}
    run_flexchat("secrets", "delete", "OPENAI_API_KEY", "--stage", "local")
    run_flexchat("local", "up", "--config", stack.config)
    run_flexchat("validate", "forget", CAPABLE, "--yes")


def test_every_command_of_the_quickstart_prints_the_shown_output(
    layout: Layout, shell: Mapping[str, str], server: str
) -> None:
    blocks = [block for block in code_blocks(QUICKSTART) if block.headings[-1] in FOLLOWED]
    # The first section has the address of OpenAI, which is that of the server here.
    own = {**shell, "OPENAI_BASE_URL": f"{server}/v1", "OLLAMA_HOST": server}
    places = {
        "sk-…": SECRET,
        "http://127.0.0.1:8000": server,
        "http://127.0.0.1:11434": server,
        "the real model of OpenAI": f"the model at {server}/v1",
        "openai:gpt-4o-mini": CAPABLE,
    }

    def adapted(text: str) -> str:
        for shown, here in places.items():
            text = text.replace(shown, here)
        return text

    outputs_of: dict[str, list[str]] = {}
    with closing(followed(layout.root, blocks, own=own, adapted=adapted)) as outputs:
        shown: list[str] = []
        for block in blocks:
            if block.language == "sh":
                shown = [next(outputs) for _ in block.commands()]
                outputs_of.setdefault(block.headings[-1], []).extend(shown)
            elif block.language == "text":
                assert_contains(adapted(block.text), shown)

    for section in (KEY, COMPATIBLE):
        assert f"✓ llm 'openai' (gpt-4o, gpt-4o-mini) at {server}/v1: ok" in "\n".join(outputs_of[section])
    assert f"llm 'ollama' (qwen3:8b) at {server}: ok" in "\n".join(outputs_of[OLLAMA])
    assert "✓ calculate" in outputs_of[KEY][2]
    assert re.search(r"stopped early +above 80%", outputs_of[KEY][-1])
    assert "✓ calculate" in outputs_of[OLLAMA][-1]
    assert "llm 'openai': the demo model, because OPENAI_API_KEY is not set" in outputs_of[BACK][-1]


def test_every_section_with_commands_is_run() -> None:
    sections = {block.headings[-1] for block in code_blocks(QUICKSTART) if block.language == "sh"}

    assert sections == set(FOLLOWED)


def test_the_text_of_the_first_section_is_that_of_the_stack(stack: StackState) -> None:
    (first,) = (block for block in code_blocks(QUICKSTART) if block.headings[-1] == TITLE)

    assert_contains(first.text, [run_flexchat("local", "up", "--config", stack.config).stdout])


def assert_contains(text: str, outputs: list[str]) -> None:
    """Compare each shown line with a line of the outputs."""
    lines = [line for output in outputs for line in output.splitlines()]
    for wanted in text.rstrip().splitlines():
        found = [line for line in lines if line.strip() == wanted.strip()]
        assert_shown(wanted.strip(), found[0].strip() if found else "\n".join(lines))
