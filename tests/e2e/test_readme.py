"""Commands of the README, run line by line on the local stack."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from tests.documents import code_blocks
from tests.e2e.commands import run_flexchat
from tests.e2e.followed import assert_shown, followed

README = Layout.here().root / "README.md"

FOLLOWED = ("Use it", "Configure it", "Add documents", "Add a tool")
"""Sections whose commands are run, in this order."""

NOT_RUN: Mapping[str, str] = {
    "Flexchat": "`make run` keeps its terminal; `make up` starts the same stack",
    "Deploy to AWS": "needs an AWS account",
    "Tests": "runs this test",
}
"""The other sections with commands, and the reason why they are not run here."""


@pytest.fixture
def checkout(layout: Layout, stack: StackState, tmp_path: Path) -> Iterator[Path]:
    """Copy of the checkout that shares the running stack; changes of the README are undone afterwards."""
    for entry in layout.root.iterdir():
        if entry.name != "config":
            (tmp_path / entry.name).symlink_to(entry)
    copytree(layout.root / "config", tmp_path / "config")
    yield tmp_path
    run_flexchat("local", "up", "--config", stack.config)
    run_flexchat("collections", "delete", "handbook", "--stage", "local", "--yes")
    run_flexchat("sessions", "delete", "trip", "--yes")
    run_flexchat("validate", "forget", "openai:skill-95", "--yes")


def test_every_command_of_the_readme_prints_the_shown_output(checkout: Path) -> None:
    blocks = [block for block in code_blocks(README) if block.headings[-1] in FOLLOWED]
    commands = [command for block in blocks if block.language == "sh" for command in block.commands()]

    shown: list[str] = []
    with closing(followed(checkout, blocks)) as outputs:
        for block in blocks:
            if block.language == "sh":
                shown = [next(outputs) for _ in block.commands()]
            elif block.language == "text":
                assert_shown(block.text, shown[-1])
    assert len(commands) >= 20


def test_every_section_with_commands_is_run_or_listed() -> None:
    sections = {block.headings[-1] for block in code_blocks(README) if block.language == "sh"}

    assert sections == {*FOLLOWED, *NOT_RUN}


def test_every_code_block_of_the_readme_is_a_command_an_output_or_an_entry_to_add() -> None:
    assert {block.language for block in code_blocks(README)} == {"sh", "text", "json"}


def test_the_readme_shows_the_same_answer_for_run_and_for_chat() -> None:
    first, second = [block.text for block in code_blocks(README) if "15% of 45 is 6.75" in block.text]

    assert first.partition("\n\n")[2].splitlines() == second.removesuffix("…\n").splitlines()
