"""Commands of the README, run line by line on the local stack."""

import json
import os
import re
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from shutil import copytree
from threading import Timer
from typing import Any

import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from tests.documents import CodeBlock, code_blocks
from tests.e2e.commands import run_flexchat

README = Layout.here().root / "README.md"

FOLLOWED = ("Use it", "Configure it", "Add documents", "Add a tool")
"""Sections whose commands are run, in this order."""

NOT_RUN: Mapping[str, str] = {
    "Flexchat": "`make run` keeps its terminal; `make up` starts the same stack",
    "Deploy to AWS": "needs an AWS account",
    "Tests": "runs this test",
}
"""The other sections with commands, and the reason why they are not run here."""

MARK = "--- finished"
SECONDS = 900
"""Limit for all commands together."""

VARYING = re.compile(r"\b\d+(?:\.\d+)? ms\b|\b\d\.\d{3}\b")
"""Durations and distances."""


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


def followed(checkout: Path, blocks: Sequence[CodeBlock]) -> Generator[str]:
    """Yield the output of each command, run in one shell; fail at the first failed command."""
    environment = {
        "HOME": os.environ.get("HOME", str(checkout)),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "COLUMNS": "120",
    }
    with subprocess.Popen(
        ["/bin/bash", "--noprofile", "--norc"],
        cwd=checkout,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as shell:
        stop = Timer(SECONDS, shell.kill)
        stop.start()
        try:
            for block in blocks:
                if block.language == "json":
                    add_tool(checkout / "config" / "mine.json", json.loads(block.text))
                    continue
                if block.language != "sh":
                    continue
                for command in block.commands():
                    yield run_in_shell(shell, command)
        finally:
            stop.cancel()
            if shell.stdin:
                shell.stdin.close()


def run_in_shell(shell: subprocess.Popen[str], command: str) -> str:
    assert shell.stdin
    assert shell.stdout
    # The command must not read the next commands from the shell's input.
    shell.stdin.write(f"{{ {command}\n}} </dev/null; echo; echo '{MARK}' $?\n")
    shell.stdin.flush()
    lines: list[str] = []
    for line in shell.stdout:
        if line.startswith(MARK):
            output = "".join(lines).removesuffix("\n")
            assert line == f"{MARK} 0\n", f"{command}\n{output}"
            return output
        lines.append(line)
    raise AssertionError(f"the shell ended at: {command}\n{''.join(lines)}")


def add_tool(path: Path, entry: dict[str, Any]) -> None:
    """Add the tool entry of the README to the configuration."""
    configuration = json.loads(path.read_text(encoding="utf-8"))
    configuration["tools"]["registry"].append(entry)
    path.write_text(json.dumps(configuration), encoding="utf-8")


def assert_shown(expected: str, output: str) -> None:
    """Compare line by line, except for durations and distances; `…` as the last line matches any further lines."""
    wanted = [VARYING.sub("#", line.rstrip()) for line in expected.rstrip().splitlines()]
    got = [VARYING.sub("#", line.rstrip()) for line in output.rstrip().splitlines()]
    if wanted[-1] == "…":
        wanted = wanted[:-1]
        got = got[: len(wanted)]
    assert got == wanted
