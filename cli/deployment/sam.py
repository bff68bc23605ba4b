"""`sam build` and `sam deploy` for a stage on AWS, with their output on the terminal."""

import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from cli.deployment.settings import StageSettings
from cli.errors import DeploymentError
from cli.layout import Layout


class RunCommand(Protocol):
    """Runs a command in a folder and an environment; returns its exit code."""

    def __call__(self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> int: ...


def run_command(command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> int:
    """Run `command` on the terminal of this process."""
    return subprocess.run(command, env=dict(env), cwd=cwd, check=False).returncode


REGIONAL: Final = (
    ". In a region without streamed responses of Lambda, which reject ChatStreamFunction or the API, deploy with "
    "StreamingEnabled=false; in one without SnapStart, with SnapStartEnabled=false"
)
"""Hint for features that some regions lack, of which AWS documents no list.

https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sam:
    """SAM CLI in the folder `tool`. Every method raises DeploymentError when SAM fails."""

    tool: Path
    layout: Layout
    environ: Mapping[str, str]
    run: RunCommand = run_command

    def build(self, settings: StageSettings) -> None:
        """Build into `.aws-sam/build`, every package compared with its hash, with bytecode."""
        locks = {"PIP_CONSTRAINT": package_locks(self.layout.root)}
        build = self.layout.root / ".aws-sam" / "build"
        with reliable_cache(build):
            self._sam("build", "--cached", "--parallel", *settings.build_options, *settings.overrides, variables=locks)
        command = compile_command(self.layout, build)
        if self.run(command, env=self.environ, cwd=self.layout.root):
            raise DeploymentError("the build could not be compiled; the output above has the reason")

    def deploy(self, settings: StageSettings, *, confirmed: bool = False) -> None:
        """Deploy the build; `confirmed` executes the change set without a question."""
        answer = ("--no-confirm-changeset",) if confirmed and settings.confirms else ()
        options = (*settings.deploy_options, *settings.overrides, *answer)
        self._sam("deploy", "--no-progressbar", *options, hint=REGIONAL)

    def _sam(self, command: str, *options: str, variables: Mapping[str, str] | None = None, hint: str = "") -> None:
        status = self.run(
            [str(self.tool / "sam"), command, *options],
            env={**self._environment(), **(variables or {})},
            cwd=self.layout.root,
        )
        if status:
            raise DeploymentError(
                f"`sam {command}` failed with exit code {status}; its output above has the reason{hint}"
            )

    def _environment(self) -> dict[str, str]:
        """Return the operator's environment, with this project's Python first on PATH: SAM's builder needs its pip."""
        path = f"{self.layout.venv_bin}{os.pathsep}{self.environ.get('PATH', os.defpath)}"
        return {**self.environ, "PATH": path, "SAM_CLI_TELEMETRY": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@contextmanager
def reliable_cache(build: Path) -> Generator[None]:
    """Run SAM's builder in a block that leaves its cache to the next build only when it ends well.

    A build that fails or is killed records packages as downloaded whose folder is empty, and the next build of the same
    cache succeeds without them.
    """
    record, unfinished = build.with_name("build.toml"), build.with_name("unfinished")
    if unfinished.exists():
        record.unlink(missing_ok=True)
    build.parent.mkdir(parents=True, exist_ok=True)
    unfinished.touch()
    yield
    unfinished.unlink()


def compile_command(layout: Layout, build: Path) -> list[str]:
    """Return the command that adds bytecode to a finished build; this process has the functions' version of Python."""
    return [sys.executable, str(layout.root / "scripts" / "compile.py"), str(build)]


def package_locks(root: Path) -> str:
    """Return the lock files of the layer and of the functions for PIP_CONSTRAINT, relative to `root`: a path may have
    spaces.

    SAM's builder downloads wheels for another processor by name and version alone. With the locks as constraints pip
    compares their hashes as well.
    """
    files = (
        root / "layers" / "common" / "src" / "requirements.txt",
        *sorted(root.glob("functions/**/requirements.txt")),
    )
    return " ".join(file.relative_to(root).as_posix() for file in files)
