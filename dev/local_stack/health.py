"""Health of the local stack: problems of chats, and differences from the files of the checkout."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cli.client import Client
from cli.errors import ServiceError
from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import StackState
from cli.processes import Processes
from cli.target import Target
from dev.local_stack.code import fingerprint
from dev.local_stack.demo_model import NAME as DEMO_MODEL
from dev.local_stack.emulator import NAME as EMULATOR
from dev.local_stack.emulator import answers, endpoint_answers
from dev.local_stack.local_gateway import NAME as LOCAL_GATEWAY
from flexchat.api.listings import ModelList
from flexchat.errors import FlexchatError

if TYPE_CHECKING:
    from dev.local_stack.model_check import ModelCheck

ANSWER_SECONDS = 60.0
"""The first request to a function may wait for its cold start on a busy machine."""


@dataclass(frozen=True, slots=True)
class Health:
    """Health of a stack.

    `problems` make chats fail, and `make up` repairs them; `changes` are files that differ from the deployed and pushed
    ones. `failed_models` do not answer for a reason outside of the stack, such as a refused key.
    """

    problems: tuple[str, ...]
    changes: tuple[str, ...]
    failed_models: "tuple[ModelCheck, ...]" = ()


def health_of(state: StackState, layout: Layout) -> Health:
    """Return the health of a recorded stack. AWS clients of this process must use its emulator."""
    running = {process.name for process in Processes(layout.processes).running}
    if broken := tuple(_process_problems(state, running)):
        return Health(broken, ())
    client = Client(Target(state.url, state.token))
    failed = _failed_models(state)
    problems = tuple(_service_problems(client, state, {check.llm for check in failed}))
    return Health(problems, tuple(_changes(state, layout)), failed)


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


def _failed_models(state: StackState) -> "tuple[ModelCheck, ...]":
    """Return the models of the configuration file that do not answer."""
    from dev.local_stack.seeding import check_stage_models, read_authored
    from flexchat.aws.parameters import operator_store

    path = Path(state.config)
    try:
        store = operator_store()
        authored = read_authored(path, os.environ, store=store) if path.is_file() else None
        if authored is None or all(choice.model == "demo" for choice in authored.choices):
            return ()
        checks = check_stage_models(authored, demo=state.demo_model, store=store)
    except FlexchatError:  # reported as a change
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


def _changes(state: StackState, layout: Layout) -> Iterator[str]:
    if state.code != fingerprint(layout.root):
        yield "the code has changed since it was deployed"
    try:
        pushed = _is_pushed(state)
    except FlexchatError as error:
        yield f"the configuration cannot be compared: {error}"
        return
    if not pushed:
        yield f"the stage has another configuration than {state.config}"


def _is_pushed(state: StackState) -> bool:
    from cli.configuration import diff_configuration
    from dev.local_stack.seeding import read_authored
    from flexchat.aws.parameters import operator_store

    path = Path(state.config)
    if not path.is_file():
        return True
    store = operator_store()
    authored = read_authored(path, os.environ, store=store)
    return not diff_configuration(authored.as_pushed(state.demo_model), stage=LOCAL_STAGE, store=store)
