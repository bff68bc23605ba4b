"""Commands of a document, run line by line in one shell, and the outputs that it shows."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from threading import Timer
from typing import Any

from tests.documents import CodeBlock

MARK = "--- finished"
SECONDS = 900
"""Limit for all commands together."""

VARYING = re.compile(r"\b\d+(?:\.\d+)? ms\b|\b\d\.\d{3}\b")
"""Durations and distances."""


def followed(
    checkout: Path,
    blocks: Sequence[CodeBlock],
    *,
    own: Mapping[str, str] | None = None,
    adapted: Callable[[str], str] = str,
) -> Generator[str]:
    """Yield the output of each command, run in one shell; fail at the first failed command.

    `own` are variables of the shell, and `adapted` returns the command that is run in place of one of a document.
    """
    environment = {
        "HOME": os.environ.get("HOME", str(checkout)),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "COLUMNS": "120",
        **(own or {}),
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
                    yield run_in_shell(shell, adapted(command))
        finally:
            stop.cancel()
            if shell.stdin:
                shell.stdin.close()


def run_in_shell(shell: subprocess.Popen[str], command: str) -> str:
    assert shell.stdin
    assert shell.stdout
    # The command must not read the next commands from the shell's input.
    shell.stdin.write(f"{{ {command}\n}} </dev/null; code=$?; echo; echo '{MARK}' $code\n")
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
