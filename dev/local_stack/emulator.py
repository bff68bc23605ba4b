"""AWS emulator (ministack) on a free port of the loopback interface."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

import httpx2

from cli.errors import LocalError
from cli.layout import Layout
from cli.local_stack import new_access_key_id
from cli.processes import OwnedProcess, Processes, last_words
from cli.system import wait_until
from dev.local_stack.environment import emulator_environment
from dev.local_stack.launcher.emulator_access import KEY_HEADER
from dev.local_stack.launcher.saved_data import RESTORE, SAVE

NAME = "emulator"
LAUNCHER = Path(__file__).parent / "launcher" / "launch_ministack.py"
START_SECONDS = 30.0
ATTEMPTS = 3
DATA_SECONDS = 60.0
"""Limit for reading or writing the data of the stage."""


@dataclass(frozen=True, slots=True)
class Emulator:
    """A running emulator, its address, and the access key id of requests to it."""

    process: OwnedProcess
    endpoint: str
    access_key_id: str


def start_emulator(tool: Path, *, layout: Layout, processes: Processes) -> Emulator:
    """Start ministack from the folder `tool` and wait until it answers.

    Another process may bind the free port meanwhile, so several ports are tried.
    """
    log = layout.log("emulator")
    key = new_access_key_id()
    for _ in range(ATTEMPTS):
        port = free_port()
        process = processes.start(
            NAME,
            [tool / "python", "-P", LAUNCHER],
            env=emulator_environment(port, key, layout=layout, environ=os.environ),
            cwd=layout.tmp,
            log=log,
        )
        emulator = Emulator(process, f"http://127.0.0.1:{port}", key)
        wait_until(lambda emulator=emulator: not emulator.process.alive or is_healthy(emulator), seconds=START_SECONDS)
        if process.alive and is_healthy(emulator):
            return emulator
        processes.stop(process)
    raise LocalError(f"the AWS emulator did not start: {last_words(log)}", log=log)


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def is_healthy(emulator: Emulator) -> bool:
    """Return true when the emulator answers."""
    return endpoint_answers(emulator.endpoint)


def endpoint_answers(endpoint: str) -> bool:
    """Return true when an emulator answers at `endpoint`."""
    return answers(f"{endpoint}/_ministack/health", timeout=2)


def answers(url: str, *, timeout: float) -> bool:
    """Return true when an address of the local stack answers. `timeout` is in seconds."""
    try:
        # Plain HTTP: loading certificates takes 20 ms.
        return httpx2.get(url, timeout=timeout, trust_env=False, verify=False).is_success
    except httpx2.HTTPError:
        return False


def restore_data(endpoint: str, access_key_id: str) -> int:
    """Put the saved data of the stage into the emulator, which saves its changes from now on.

    Returns the number of entries. Raises LocalError.
    """
    return sum(_data_request(endpoint, access_key_id, RESTORE).values())


def save_data(endpoint: str, access_key_id: str) -> None:
    """Save the changes of the last second. Raises LocalError."""
    _data_request(endpoint, access_key_id, SAVE)


def _data_request(endpoint: str, access_key_id: str, path: str) -> dict[str, int]:
    headers = {KEY_HEADER.decode(): access_key_id}
    try:
        response = httpx2.post(
            f"{endpoint}{path}", headers=headers, timeout=DATA_SECONDS, trust_env=False, verify=False
        )
        body = response.json()
    except (httpx2.HTTPError, ValueError) as error:
        raise LocalError(f"the AWS emulator does not answer: {error}") from error
    if not response.is_success:
        raise LocalError(f"the data of the stage is not readable: {body.get('error')}")
    return body
