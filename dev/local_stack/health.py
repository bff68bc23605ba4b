"""Health of the local stack: problems of chats, and differences from the files of the checkout."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.client import Client
from cli.errors import ServiceError
from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import StackState
from cli.processes import Processes
from cli.target import Target
from dev.local_stack.code import fingerprint
from dev.local_stack.demo_model import NAME as DEMO_MODEL
from dev.local_stack.demo_model import demo_model_answers
from dev.local_stack.emulator import NAME as EMULATOR
from dev.local_stack.emulator import answers, endpoint_answers
from dev.local_stack.local_gateway import NAME as LOCAL_GATEWAY
from flexchat.api.listings import ModelList
from flexchat.errors import FlexchatError

if TYPE_CHECKING:
    from dev.local_stack.current import Current
    from dev.local_stack.model_check import ModelCheck

ANSWER_SECONDS = 60.0
"""The first request to a function may wait for its cold start on a busy machine."""


@dataclass(frozen=True, slots=True)
class Health:
    """Health of a stack.

    `problems` make chats fail, and `make up` repairs them; `changes` are files that differ from the deployed and pushed
    ones. `failed_models` do not answer for a reason outside of the stack, such as a refused key. `kept` names the
    configuration if it is not that of the file. `unusable` is the error of a file that cannot be pushed.
    """

    problems: tuple[str, ...]
    changes: tuple[str, ...]
    failed_models: "tuple[ModelCheck, ...]" = ()
    kept: str = ""
    unusable: str = ""


def health_of(state: StackState, layout: Layout) -> Health:
    """Return the health of a recorded stack. AWS clients of this process must use its emulator."""
    running = {process.name for process in Processes(layout.processes).running}
    if broken := tuple(_process_problems(state, running)):
        return Health(broken, ())
    client = Client(Target(state.url, state.token))
    current, unusable = _current(state)
    failed = _failed_models(state, current)
    problems = tuple(_service_problems(client, state, {check.llm for check in failed}))
    kept = current.note if current is not None and current.kept else ""
    return Health(problems, tuple(_changes(state, current, layout)), failed, kept, unusable)


def emulator_runs(state: StackState, layout: Layout) -> bool:
    """Return true when the emulator that this checkout started answers."""
    running = {process.name for process in Processes(layout.processes).running}
    return EMULATOR in running and endpoint_answers(state.endpoint)


def service_answers(state: StackState) -> bool:
    """Return true when the deployed API answers."""
    return answers(f"{state.url}/health", timeout=ANSWER_SECONDS)


def token_is_refused(state: StackState) -> bool:
    """Return true when the API rejects the recorded token as unknown, expired or revoked."""
    try:
        Client(Target(state.url, state.token)).tools()
    except ServiceError as error:
        return error.status in (401, 403)
    return False


def _process_problems(state: StackState, running: set[str]) -> Iterator[str]:
    if EMULATOR not in running:
        yield "the AWS emulator has stopped"
    elif not endpoint_answers(state.endpoint):
        yield f"the AWS emulator at {state.endpoint} does not answer"
    if LOCAL_GATEWAY not in running:
        yield f"the local gateway at {state.url} has stopped"
    if state.demo_model is not None and DEMO_MODEL not in running:
        yield f"the demo model at {state.demo_model} has stopped"
    elif state.demo_model is not None and not demo_model_answers(state):
        yield f"the demo model at {state.demo_model} does not answer"


def _current(state: StackState) -> "tuple[Current | None, str]":
    """Return the configuration of the stack, and the error of one that cannot be used."""
    from dev.local_stack.current import read_current
    from flexchat.aws.parameters import operator_store

    try:
        return read_current(state, os.environ, store=operator_store()), ""
    except FlexchatError as error:
        return None, str(error)


def _failed_models(state: StackState, current: "Current | None") -> "tuple[ModelCheck, ...]":
    """Return the models of the configuration that do not answer."""
    from dev.local_stack.seeding import check_stage_models
    from flexchat.aws.parameters import operator_store

    if current is None or all(choice.model == "demo" for choice in current.authored.choices):
        return ()
    try:
        checks = check_stage_models(current.authored, demo=state.demo_model, store=operator_store())
    except FlexchatError:
        return ()
    return tuple(check for check in checks if check.problem is not None)


def _service_problems(client: Client, state: StackState, failed: Collection[str]) -> Iterator[str]:
    """Yield the problems of chats, without those of llms that fail for another reason than the stack."""
    if not service_answers(state):
        yield f"the API at {state.url} does not answer"
        return
    try:
        listed = ModelList.model_validate(client.models(), extra="ignore")
    except ServiceError as error:
        yield f"the API refuses the recorded token: {error}" if error.status in (401, 403) else str(error)
        return
    yield from (f"llm {error.llm!r}: {error.error}" for error in listed.errors if error.llm not in failed)


def _changes(state: StackState, current: "Current | None", layout: Layout) -> Iterator[str]:
    from cli.configuration import diff_configuration
    from flexchat.aws.parameters import operator_store

    if state.code != fingerprint(layout.root):
        yield "the code has changed since it was deployed"
    if current is None:
        return
    try:
        source = current.authored.as_pushed(state.demo_model)
        changes = diff_configuration(source, stage=LOCAL_STAGE, store=operator_store())
    except FlexchatError as error:
        yield f"the configuration cannot be compared: {error}"
        return
    if changes and current.kept:
        yield "the models that this machine has are others than those of the published configuration"
    elif changes:
        yield f"{state.config} has changed since it was published"
