"""The local stack as a whole: start it, change its configuration, stop it."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cli.collections_commands import collections_of
from cli.deployment.environment_file import environment_file
from cli.local.demo_model import start_demo_model
from cli.local.deployment import build, deploy
from cli.local.documents import COLLECTION, fill
from cli.local.emulator import Emulator, start_emulator
from cli.local.environment import REGION, STACK, STAGE, point_at_emulator
from cli.local.errors import LocalError
from cli.local.layout import Layout
from cli.local.lock import undisturbed
from cli.local.models import needs_demo
from cli.local.processes import Processes
from cli.local.progress import Progress
from cli.local.seeding import Authored, issue_token, push, read_authored, wait_until_answering, wait_until_served
from cli.local.state import StackState, read_state, write_state
from cli.local.toolchain import Tool, ensure_tool


@dataclass(frozen=True, slots=True)
class StackBuilder:
    """Starts one stack; every step goes through `progress` and every process through `processes`."""

    layout: Layout
    progress: Progress
    processes: Processes

    def start(self, config: Path) -> StackState:
        """Start everything and return once the service answers; what was started is stopped when that fails."""
        authored = read_authored(config, os.environ)
        self.layout.tmp.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(max_workers=2) as side_by_side:
            try:
                building = side_by_side.submit(self._build)
                emulating = side_by_side.submit(self._emulate)
                demo = self._demo_model(authored, running=None)
                emulator, sam = emulating.result(), building.result()
                # From here on this process's own AWS clients are the emulator's.
                point_at_emulator(os.environ, emulator.endpoint)
                url = self._deploy(sam, emulator)
                state = self._open(url, emulator.endpoint, authored, demo)
            except BaseException:
                with undisturbed():
                    self.processes.stop_all()
                raise
        write_state(self.layout.state, state)
        return state

    def reconfigure(self, state: StackState, config: Path) -> StackState:
        """Push another configuration to the running stack and return once every function serves it."""
        authored = read_authored(config, os.environ)
        point_at_emulator(os.environ, state.endpoint)
        demo = self._demo_model(authored, running=state.demo_model)
        self._push(authored, demo)
        changed = state.model_copy(update={"config": str(config), "demo_model": demo, "pids": self._pids()})
        write_state(self.layout.state, changed)
        self.progress.step("configuration is served", wait_until_served)
        return changed

    def _build(self) -> Path:
        sam = self.progress.step("SAM is installed", lambda: self._tool("sam"))
        self.progress.step("functions are built", lambda: build(sam, layout=self.layout, processes=self.processes))
        return sam

    def _emulate(self) -> Emulator:
        tool = self.progress.step("AWS emulator is installed", lambda: self._tool("ministack"))
        return self.progress.step(
            "AWS emulator is up", lambda: start_emulator(tool, layout=self.layout, processes=self.processes)
        )

    def _deploy(self, sam: Path, emulator: Emulator) -> str:
        return self.progress.step(
            "template is deployed",
            lambda: deploy(sam, emulator.endpoint, layout=self.layout, processes=self.processes),
        )

    def _open(self, url: str, endpoint: str, authored: Authored, demo: str | None) -> StackState:
        self._push(authored, demo)
        self._fill_collection()
        token = self.progress.step("token is created", issue_token)
        log = self.layout.log("emulator")
        self.progress.step("service answers", lambda: wait_until_answering(url, token, log=log))
        return StackState(
            url=url,
            token=token,
            region=REGION,
            endpoint=endpoint,
            pids=self._pids(),
            stage=STAGE,
            stack=STACK,
            config=str(authored.path),
            demo_model=demo,
        )

    def _push(self, authored: Authored, demo: str | None) -> None:
        summary = self.progress.step(
            f"configuration {authored.path.name} is pushed", lambda: push(authored, demo=demo, environ=os.environ)
        )
        for choice in authored.choices:
            self.progress.note(f"llm {choice.llm!r}: {choice.reason}")
        for secret in summary.missing_secrets:
            self.progress.note(f"${{{secret}}} is not set, so what names it is disabled")
        for warning in authored.warnings:
            self.progress.note(f"warning: {warning}")

    def _fill_collection(self) -> None:
        with collections_of(STAGE) as collections:
            report = self.progress.step(
                f"collection {COLLECTION} is filled", lambda: fill(collections, self.layout.root)
            )
        for failure in report.failed:
            self.progress.note(f"{failure.source} was left out: {failure.reason}")

    def _demo_model(self, authored: Authored, *, running: str | None) -> str | None:
        if running or not needs_demo(authored.choices):
            return running
        return self.progress.step(
            "demo model is up", lambda: start_demo_model(layout=self.layout, processes=self.processes)
        )

    def _tool(self, name: Tool) -> Path:
        return ensure_tool(name, layout=self.layout, processes=self.processes)

    def _pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self.processes.running)


def running_stack(layout: Layout) -> StackState | None:
    """The stack that runs now; None when there is none or a part of it is gone."""
    state = read_state(layout.state)
    if state is None:
        return None
    alive = {process.pid for process in Processes(layout.processes).running}
    return state if state.pids and alive.issuperset(state.pids) else None


def tear_down(layout: Layout, processes: Processes, *, keep_logs: bool = False) -> None:
    """Stop every process of the stack and remove its files; what makes the next start fast stays."""
    with undisturbed():
        processes.stop_all()
        shutil.rmtree(layout.run, ignore_errors=True)
        layout.state.unlink(missing_ok=True)
        environment_file(layout.root, STAGE).unlink(missing_ok=True)
        if not keep_logs:
            shutil.rmtree(layout.logs, ignore_errors=True)
    if layout.run.exists():
        raise LocalError(f"{layout.run} could not be removed")
