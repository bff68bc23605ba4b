"""`python -m tests.functional.collections.read_document FILE`: reads a file as the retrieval function does for a chat.

Prints the peak of the memory of the process and its children, without pages that they share twice, in MB.
"""

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from threading import Event, Thread

ENVIRONMENT = {
    "FLEXCHAT_STAGE": "test",
    "FLEXCHAT_COLLECTIONS_BUCKET": "bucket",
    "FLEXCHAT_CHATS_TABLE": "chats",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
}
STEP_SECONDS = 0.05
TIMEOUT_MS = 600_000


def memory() -> float:
    """Return the proportional set size of this process and its children in MB."""
    children = [
        child
        for task in Path("/proc/self/task").iterdir()
        for child in (task / "children").read_text(encoding="ascii").split()
    ]
    return sum(_proportional(pid) for pid in ("self", *children)) / 1024


def _proportional(pid: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:  # a child that has ended
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def main(path: Path) -> None:
    os.environ.update(ENVIRONMENT)
    for module in ("app", "routes"):  # part of the function's memory
        import_module(f"functions.retrieval.{module}")
    from flexchat.file_text import ReadFileRequest
    from functions.retrieval.file_text import file_text

    peak, ended = 0.0, Event()

    def sample() -> None:
        nonlocal peak
        while not ended.wait(STEP_SECONDS):
            peak = max(peak, memory())

    before = memory()
    sampler = Thread(target=sample)
    sampler.start()
    began = time.monotonic()
    request = ReadFileRequest(name=path.name, key="files/f", request_id="r", timeout_ms=TIMEOUT_MS)
    response = file_text(request, lambda _key: path.read_bytes())
    seconds = time.monotonic() - began
    ended.set()
    sampler.join()
    found = {
        "before": round(before),
        "peak": round(max(peak, before)),
        "seconds": round(seconds, 1),
        "characters": response.characters,
        "error": response.error,
    }
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
