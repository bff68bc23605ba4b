"""Recorded stack of this checkout: its state, and its stop."""

import contextlib
import shutil
from pathlib import Path

from cli.deployment.environment_file import environment_file
from cli.errors import LocalError
from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import StackState, read_state
from cli.lock import undisturbed
from cli.processes import Processes


def running_stack(layout: Layout) -> StackState | None:
    """Return the running stack; None without one or with a dead part."""
    state = recorded_stack(layout)
    if state is None:
        return None
    alive = {process.pid for process in Processes(layout.processes).running}
    return state if state.pids and alive.issuperset(state.pids) else None


def recorded_stack(layout: Layout) -> StackState | None:
    """Return the stack that this checkout started last and has not stopped, running or not."""
    return _own_state(layout.state, layout)


def last_stack(layout: Layout) -> StackState | None:
    """Return the record of the last stack of this checkout, stopped or not."""
    return recorded_stack(layout) or _own_state(layout.last, layout)


def _own_state(path: Path, layout: Layout) -> StackState | None:
    state = read_state(path)
    return None if state is None or is_of_another_checkout(state, layout) else state


def is_of_another_checkout(state: StackState, layout: Layout) -> bool:
    """Return true for a record that was copied here with its folder from a checkout that still exists."""
    root = Path(state.root or layout.root)
    return root != layout.root and root.exists()


def own_processes(layout: Layout) -> Processes:
    """Return the processes of this checkout's stack; a record copied from another checkout is removed."""
    state = read_state(layout.state)
    if state is not None and is_of_another_checkout(state, layout):
        layout.processes.unlink(missing_ok=True)
    return Processes(layout.processes)


def tear_down(layout: Layout, processes: Processes, *, keep_logs: bool = False, delete_data: bool = False) -> None:
    """Stop every process of the stack and remove its files, except the data of its stage and caches."""
    from dev.local_stack.emulator import NAME as EMULATOR
    from dev.local_stack.emulator import save_data

    with undisturbed():
        state = recorded_stack(layout)
        if state is not None and not delete_data and EMULATOR in {process.name for process in processes.running}:
            # Without it, the data is that of the last second; the emulator saves it when it stops, too.
            with contextlib.suppress(LocalError):
                save_data(state.endpoint, state.access_key_id)
        processes.stop_all()
        shutil.rmtree(layout.run, ignore_errors=True)
        layout.state.unlink(missing_ok=True)
        environment_file(layout.root, LOCAL_STAGE).unlink(missing_ok=True)
        if not keep_logs:
            shutil.rmtree(layout.logs, ignore_errors=True)
        if delete_data:
            shutil.rmtree(layout.data, ignore_errors=True)
    if layout.run.exists():
        raise LocalError(f"{layout.run} could not be removed")
