"""Lifecycle of the local stack: start, repair, configuration change, stop."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cli.configuration import PushSummary
from cli.deployment.toolchain import SAM, ensure_tool
from cli.errors import LocalError
from cli.files import make_private_folder
from cli.invocation import flexchat
from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import REGION, StackState, point_at_emulator, write_state
from cli.lock import undisturbed
from cli.processes import Processes
from dev.local_stack.code import fingerprint
from dev.local_stack.current import MAKE_UP, UNKNOWN, published_version, read_current
from dev.local_stack.demo_model import NAME as DEMO_MODEL
from dev.local_stack.demo_model import demo_model_answers, start_demo_model
from dev.local_stack.environment import DATA_FILE, STACK
from dev.local_stack.local_gateway import NAME as LOCAL_GATEWAY
from dev.local_stack.local_gateway import start_local_gateway
from dev.local_stack.models import needs_demo
from dev.local_stack.progress import Progress
from dev.local_stack.seeding import Authored, issue_token, push, read_authored, wait_until_answering, wait_until_served
from dev.local_stack.servers import is_free
from flexchat.aws.parameters import operator_store
from flexchat.errors import ConfigError

if TYPE_CHECKING:
    from cli.configuration import Parameters
    from dev.local_stack.emulator import Emulator
    from dev.local_stack.model_check import ModelCheck

HISTORY = flexchat("config", "history", "--stage", LOCAL_STAGE)
"""Command that lists the versions of the stage."""

MINISTACK = Path(__file__).parent / "requirements" / "ministack.txt"

# Modules of deployment are imported where they are used: a push to a running stack imports none of them.


@dataclass(frozen=True, slots=True)
class StackBuilder:
    """Starts and repairs one stack; steps are reported to `progress`, processes started by `processes`."""

    layout: Layout
    progress: Progress
    processes: Processes

    def start(self, config: Path | None, last: StackState | None = None) -> StackState:
        """Start everything and return once the service answers; after a failure, stop what was started.

        The stage gets the data that it had, with the address and the token of the `last` stack, as far as both are
        usable. Without `config`, it keeps the configuration that it had, or gets that of the last file.
        """
        path = config or self._last_file(last)
        commands = self._commands(path, last, is_named=config is not None)
        make_private_folder(self.layout.tmp)
        make_private_folder(self.layout.data)
        code = fingerprint(self.layout.root)
        with ThreadPoolExecutor(max_workers=2) as side_by_side:
            try:
                building = side_by_side.submit(self._build)
                emulating = side_by_side.submit(self._emulate)
                emulator, sam = emulating.result(), building.result()
                # From here on, AWS clients of this process use the emulator.
                point_at_emulator(os.environ, emulator.endpoint, emulator.access_key_id)
                api = self._deploy(sam, emulator, commands)
                self._restore(emulator, anew=last is None)
                store = operator_store()
                authored, published = self._chosen(path, last, store, is_named=config is not None)
                demo = self._start_demo_model(last) if needs_demo(authored.choices) else None
                url = self._start_gateway(api, emulator, last=last.url if last else None)
                self._push(authored, demo, store)
                published = published or published_version(store)
                self._fill_collection()
                token = self._usable_token(url, last)
            except BaseException:
                with undisturbed():
                    self.processes.stop_all()
                raise
        return self._save(
            StackState(
                url=url,
                token=token,
                region=REGION,
                endpoint=emulator.endpoint,
                access_key_id=emulator.access_key_id,
                pids=self._pids(),
                stage=LOCAL_STAGE,
                stack=STACK,
                config=str(authored.path),
                published=published,
                demo_model=demo,
                root=str(self.layout.root),
                code=code,
                emulated_url=api,
                mcp_commands=commands,
            )
        )

    def repair(self, state: StackState, config: Path | None) -> StackState:
        """Repair the stack with the running emulator to serve `config`, by default its last file.

        Restarts the gateway and the demo model, deploys code that has changed or does not answer, replaces a rejected
        token and pushes the configuration. Working parts are not changed.
        """
        from dev.local_stack.health import service_answers, token_is_refused

        point_at_emulator(os.environ, state.endpoint, state.access_key_id)
        code = fingerprint(self.layout.root)
        state = self._with_gateway(state)
        if state.code != code or not service_answers(state):
            api = self._deploy(self._build(), state, state.mcp_commands)
            state = self._replace_gateway(state, api)
            state = self._save(state.model_copy(update={"code": code, "root": str(self.layout.root)}))
            self._wait_until_answering(state.url, state.token)
        if token_is_refused(state):
            token = self.progress.step("token is created", issue_token)
            state = self._save(state.model_copy(update={"token": token}))
        state, _ = self.push(state, config)
        return self._save(self._with_demo_model(state, needed=state.demo_model is not None))

    def push(self, state: StackState, config: Path | None, *, comment: str = MAKE_UP) -> tuple[StackState, PushSummary]:
        """Push a file, by default the present configuration, and return once every function serves it."""
        point_at_emulator(os.environ, state.endpoint, state.access_key_id)
        store = operator_store()
        authored, published = self._chosen(config or Path(state.config), state, store, is_named=config is not None)
        state = self._with_commands(state, authored.mcp_commands)
        state = self._with_demo_model(state, needed=needs_demo(authored.choices))
        summary = self._push(authored, state.demo_model, store, comment=comment)
        published = published or published_version(store)
        state = self._save(state.model_copy(update={"config": str(authored.path.absolute()), "published": published}))
        if summary.changed:
            self.progress.step("configuration is served", wait_until_served)
        return state, summary

    def allow_command(self, state: StackState, command: str) -> StackState:
        """Allow MCP servers of the running stack to be started with a command."""
        point_at_emulator(os.environ, state.endpoint, state.access_key_id)
        return self._with_commands(state, (command,))

    def check_models(self, state: StackState) -> "tuple[ModelCheck, ...]":
        """Test the models of the pushed configuration at their servers."""
        from dev.local_stack.seeding import check_stage_models

        point_at_emulator(os.environ, state.endpoint, state.access_key_id)
        store = operator_store()
        authored = read_current(state, os.environ, store=store).authored
        if not any(choice.model != "demo" for choice in authored.choices):
            return ()
        return self.progress.step(
            "models are tested", lambda: check_stage_models(authored, demo=state.demo_model, store=store)
        )

    def _last_file(self, last: StackState | None) -> Path:
        """Return the file of the last stack, unless it is gone and nothing is stored, or the default one."""
        path = Path(last.config) if last is not None else None
        if path is not None and (path.is_file() or (self.layout.data / DATA_FILE).is_file()):
            return path
        return self.layout.root / "config" / "flexchat.json"

    def _commands(self, path: Path, last: StackState | None, *, is_named: bool) -> tuple[str, ...]:
        """Return the commands that MCP servers may be started with. Raises ConfigError for an unusable file."""
        former = last.mcp_commands if last is not None else ()
        try:
            authored = read_authored(path, os.environ)
        except ConfigError:
            if is_named or last is None or not (self.layout.data / DATA_FILE).is_file():
                raise
            return former  # the stored configuration may not be that of the file
        return tuple(sorted({*authored.mcp_commands, *former}))

    def _chosen(
        self, path: Path, state: StackState | None, store: "Parameters", *, is_named: bool
    ) -> tuple[Authored, str]:
        """Return the configuration to publish, and `StackState.published` of one that is not the file's; else empty.

        A file that `is_named` replaces the published configuration.
        """
        if state is None:
            return read_authored(path, os.environ, store=store), ""
        if not is_named:
            current = read_current(state, os.environ, store=store)
            if current.kept:
                self.progress.note(current.note)
            return current.authored, (state.published or UNKNOWN) if current.kept else ""
        authored = read_authored(path, os.environ, store=store)
        with suppress(ConfigError):
            if kept := read_current(state, os.environ, store=store).kept:
                self.progress.note(f"{path} replaces {kept.removesuffix(',')}; `{HISTORY}` lists the versions")
        return authored, ""

    def _with_commands(self, state: StackState, commands: tuple[str, ...]) -> StackState:
        """Deploy again when a command of an MCP server is not allowed yet; allowed ones stay allowed."""
        from dev.local_stack.deployment import LOCAL_COMMANDS

        if set(commands) <= {*LOCAL_COMMANDS, *state.mcp_commands}:
            return state
        wanted = tuple(sorted({*commands, *state.mcp_commands}))
        api = self._deploy(self.progress.step("SAM is installed", lambda: self._tool(SAM)), state, wanted)
        state = self._save(self._replace_gateway(state, api).model_copy(update={"mcp_commands": wanted}))
        self._wait_until_answering(state.url, state.token)
        return state

    def _with_gateway(self, state: StackState) -> StackState:
        """Start the gateway if it does not run, at its last address if that is free."""
        if LOCAL_GATEWAY in {process.name for process in self.processes.running}:
            return state
        return self._replace_gateway(state, state.emulated_url or state.url)

    def _replace_gateway(self, state: StackState, api: str) -> StackState:
        """Start the gateway again, for the functions that are deployed now; `api` is the API at the emulator."""
        url = self._start_gateway(api, state, last=state.url)
        return self._save(state.model_copy(update={"url": url, "emulated_url": api, "pids": self._pids()}))

    def _start_gateway(self, api: str, emulator: "Emulator | StackState", last: str | None = None) -> str:
        return self.progress.step(
            "local gateway is up",
            lambda: start_local_gateway(
                api, emulator.access_key_id, last=last, layout=self.layout, processes=self.processes
            ),
        )

    def _with_demo_model(self, state: StackState, *, needed: bool) -> StackState:
        """Start the demo model if it is needed and does not run, at its last address if that is free."""
        running = next((process for process in self.processes.running if process.name == DEMO_MODEL), None)
        if not needed or (running is not None and demo_model_answers(state)):
            return state
        if running is not None:
            self.processes.stop(running)
        demo = self._start_demo_model(state)
        return state.model_copy(update={"demo_model": demo, "pids": self._pids()})

    def _start_demo_model(self, last: StackState | None) -> str:
        """Start the demo model, at its last address if that is free."""
        wanted = urlsplit((last and last.demo_model) or "").port or 0
        port = wanted if is_free(wanted) else 0
        return self.progress.step(
            "demo model is up", lambda: start_demo_model(layout=self.layout, processes=self.processes, port=port)
        )

    def _build(self) -> Path:
        from dev.local_stack.deployment import build

        sam = self.progress.step("SAM is installed", lambda: self._tool(SAM))
        self.progress.step("functions are built", lambda: build(sam, layout=self.layout, processes=self.processes))
        return sam

    def _emulate(self) -> "Emulator":
        from dev.local_stack.emulator import start_emulator

        tool = self.progress.step("AWS emulator is installed", lambda: self._tool(MINISTACK))
        return self.progress.step(
            "AWS emulator is up", lambda: start_emulator(tool, layout=self.layout, processes=self.processes)
        )

    def _deploy(self, sam: Path, emulator: "Emulator | StackState", mcp_commands: tuple[str, ...]) -> str:
        from dev.local_stack.deployment import deploy

        return self.progress.step(
            "template is deployed",
            lambda: deploy(
                sam,
                emulator.endpoint,
                emulator.access_key_id,
                mcp_commands=mcp_commands,
                layout=self.layout,
                processes=self.processes,
            ),
        )

    def _restore(self, emulator: "Emulator", *, anew: bool) -> None:
        """Restore the data of the stage; `anew` for a first start, which has none."""
        from dev.local_stack.emulator import restore_data

        def restore() -> None:
            try:
                restore_data(emulator.endpoint, emulator.access_key_id)
            except LocalError as error:
                message = f"{error}; `{flexchat('local', 'down', '--delete-data')}` deletes it for a new start"
                raise LocalError(message, log=self.layout.log("emulator")) from error

        self.progress.step("data is stored in .local/data" if anew else "data of the last stack is restored", restore)

    def _usable_token(self, url: str, last: StackState | None) -> str:
        """Return the token of the last stack, or a new one if it is refused, once the service answers."""
        log = self.layout.log("emulator")
        if last is not None and self.progress.step(
            "service answers", lambda: wait_until_answering(url, last.token, log=log, may_be_refused=True)
        ):
            return last.token
        token = self.progress.step("token is created", issue_token)
        self._wait_until_answering(url, token)
        return token

    def _wait_until_answering(self, url: str, token: str) -> None:
        log = self.layout.log("emulator")
        self.progress.step("service answers", lambda: wait_until_answering(url, token, log=log))

    def _push(
        self, authored: Authored, demo: str | None, store: "Parameters", *, comment: str = MAKE_UP
    ) -> PushSummary:
        from cli.audit import operator_audit

        summary = self.progress.step(
            f"configuration {authored.path.name} is pushed",
            lambda: push(
                authored,
                demo=demo,
                environ=os.environ,
                store=store,
                comment=comment,
                audit=operator_audit(LOCAL_STAGE),
            ),
        )
        for choice in authored.choices:
            self.progress.note(f"llm {choice.llm!r}: {choice.reason}")
        for secret in summary.missing_secrets:
            self.progress.note(f"${{{secret}}} is not set, so what names it is disabled")
        for secret, hosts in summary.unbound_secrets.items():
            for host in hosts:
                bind = flexchat("secrets", "bind", secret, "--host", host, "--stage", LOCAL_STAGE)
                self.progress.note(f"secret {secret} is not bound to {host}, so it is not sent there: {bind}")
        for warning in authored.warnings:
            self.progress.note(f"warning: {warning}")
        return summary

    def _fill_collection(self) -> None:
        from cli.collections import collections_of
        from dev.local_stack.documents import COLLECTION, fill

        with collections_of(LOCAL_STAGE) as collections:
            report = self.progress.step(
                f"collection {COLLECTION} is filled", lambda: fill(collections, self.layout.root)
            )
        for failure in report.failed:
            self.progress.note(f"{failure.source} was left out: {failure.reason}")

    def _tool(self, requirements: Path) -> Path:
        return ensure_tool(requirements, layout=self.layout, processes=self.processes)

    def _pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self.processes.running)

    def _save(self, state: StackState) -> StackState:
        write_state(self.layout.last, state)
        write_state(self.layout.state, state)
        return state
