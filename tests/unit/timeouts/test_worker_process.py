"""Child process that answers requests and is killed on a timeout."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from flexchat.worker_process import WorkerDiedError, WorkerProcess

LARGE = bytes(range(256)) * 20_000


def serve(request: bytes) -> bytes:
    match request:
        case b"spin":
            while True:
                pass
        case b"pid":
            return str(os.getpid()).encode()
        case b"die":
            os._exit(9)  # pyright: ignore[reportPrivateUsage]
        case b"fail":
            raise ValueError
        case b"abort":
            signal.raise_signal(signal.SIGPROF)
            return b"not aborted"
        case b"sleep":
            time.sleep(60)
            return b"slept"
        case _:
            return request


def nothing() -> None:
    """Nothing is to be loaded."""


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    worker = WorkerProcess(serve)
    yield worker
    worker.stop()


def send(worker: WorkerProcess, request: bytes, seconds: float = 60) -> bytes:
    return worker.call(request, seconds, preload=nothing)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize("message", [b"", b"x", LARGE], ids=["empty", "short", "5 MB"])
def test_a_message_of_any_size_is_answered(worker: WorkerProcess, message: bytes) -> None:
    assert [send(worker, message) for _ in range(3)] == [message] * 3


def test_one_child_process_answers_every_request(worker: WorkerProcess) -> None:
    pids = {send(worker, b"pid") for _ in range(5)}

    assert len(pids) == 1
    assert pids != {str(os.getpid()).encode()}


@pytest.mark.parametrize("work", [b"spin", b"sleep"])
def test_the_child_process_of_a_slow_request_is_killed(worker: WorkerProcess, work: bytes) -> None:
    child = int(send(worker, b"pid"))

    with pytest.raises(TimeoutError):
        send(worker, work, seconds=0.05)

    assert not is_running(child)
    assert int(send(worker, b"pid")) != child


@pytest.mark.slow
def test_a_hundred_killed_requests_leave_no_process_and_no_pipe(worker: WorkerProcess) -> None:
    descriptors = open_files()
    children: list[int] = []
    for _ in range(100):
        children.append(int(send(worker, b"pid")))
        with pytest.raises(TimeoutError):
            send(worker, b"spin", seconds=0.001)

    assert not any(map(is_running, children))
    assert open_files() < descriptors + 50, "a pipe left open by each of them would be 200 more"


def test_imports_of_a_request_are_loaded_before_its_timeout_starts() -> None:
    loaded: list[str] = []
    worker = WorkerProcess(lambda _: str(len(loaded)).encode())

    answers = [worker.call(b"", 60, preload=lambda: loaded.append("module")) for _ in range(3)]

    assert answers == [b"1"] * 3
    assert loaded == ["module"], "once for each child"
    worker.stop()


@pytest.mark.parametrize(("end", "ended_by"), [(b"die", 0), (b"fail", 0), (b"abort", signal.SIGPROF)])
def test_a_child_that_ends_without_an_answer_is_an_error_with_its_signal_and_is_replaced(
    worker: WorkerProcess, end: bytes, ended_by: int
) -> None:
    with pytest.raises(WorkerDiedError) as died:
        send(worker, end)

    assert died.value.signal == ended_by
    assert send(worker, b"again") == b"again"


def test_the_text_of_an_error_is_not_logged(worker: WorkerProcess, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(WorkerDiedError):
        send(worker, b"fail")

    assert capfd.readouterr() == ("", "")


def test_a_child_that_died_while_idle_is_replaced(worker: WorkerProcess) -> None:
    child = int(send(worker, b"pid"))
    os.kill(child, signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)

    assert send(worker, b"again") == b"again"
    assert send(worker, LARGE) == LARGE
    assert not is_running(child)


def test_a_request_without_time_starts_no_process() -> None:
    worker = WorkerProcess(lambda _: pytest.fail("started"))

    with pytest.raises(TimeoutError):
        worker.call(b"", 0, preload=lambda: pytest.fail("loaded"))


def test_an_import_error_is_raised_unchanged(worker: WorkerProcess) -> None:
    def fail() -> None:
        raise ImportError("no such module")

    with pytest.raises(ImportError, match="no such module"):
        worker.call(b"", 60, preload=fail)
    assert send(worker, b"again") == b"again"


def test_requests_of_several_threads_are_answered_sequentially(worker: WorkerProcess) -> None:
    answers: dict[bytes, bytes] = {}

    def request(message: bytes) -> None:
        answers[message] = send(worker, message)

    threads = [threading.Thread(target=request, args=(str(place).encode(),)) for place in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == {message: message for message in answers}
    assert len(answers) == 20


def test_a_child_ends_with_its_worker() -> None:
    worker = WorkerProcess(serve)
    child = int(send(worker, b"pid"))

    del worker

    ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    assert (ended.si_code, ended.si_status) == (os.CLD_EXITED, 0)


def test_children_of_several_workers_end_with_their_own_pipes() -> None:
    first, second = WorkerProcess(serve), WorkerProcess(serve)
    pids = int(send(first, b"pid")), int(send(second, b"pid"))

    first.stop()

    assert [is_running(pid) for pid in pids] == [False, True]
    assert send(second, b"still") == b"still"
    second.stop()


WITHOUT_SHARED_MEMORY = """
import sys
from flexchat.worker_process import WorkerProcess
worker = WorkerProcess(bytes.upper)
print(worker.call(b"done", 60, preload=lambda: None).decode())
print(sorted({"_posixshmem", "multiprocessing.synchronize"} & sys.modules.keys()))
"""


def test_a_worker_needs_no_shared_memory() -> None:
    """Lambda has no /dev/shm."""
    command = [sys.executable, "-c", WITHOUT_SHARED_MEMORY]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 # a program of this test

    assert done.stdout == "DONE\n[]\n"


OWNER = """
import os, time
from flexchat.worker_process import WorkerProcess
worker = WorkerProcess(lambda request: str(os.getpid()).encode())
print(worker.call(b"", 60, preload=lambda: None).decode(), flush=True)
time.sleep(600)
"""


def test_a_child_ends_with_a_killed_parent_process() -> None:
    """As when a Lambda environment ends. The child shares its owner's output, which is open as long as it lives."""
    command = [sys.executable, "-c", OWNER]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as owner:  # noqa: S603 # a program of this test
        assert owner.stdout is not None
        child = int(owner.stdout.readline())
        owner.kill()
        rest, _ = owner.communicate(timeout=60)

    assert rest == b""
    assert child != owner.pid
