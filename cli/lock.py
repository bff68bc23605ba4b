"""Lock of the local stack, and signal handlers of its commands."""

import fcntl
import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from cli.console import Console
from cli.files import make_private_folder
from cli.layout import Layout

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def exclusive(layout: Layout, console: Console) -> Generator[None]:
    """Hold the lock of the local stack; a second command prints a message and waits.

    The directory itself is locked, so no lock file can be left behind.
    """
    make_private_folder(layout.local)
    descriptor = os.open(layout.local, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.print("another command is at work on the local stack; waiting for it")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def stoppable() -> Generator[None]:
    """Turn SIGTERM and SIGHUP into KeyboardInterrupt, like Ctrl-C."""
    previous = [signal.signal(number, _interrupt) for number in STOP_SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(STOP_SIGNALS, previous, strict=True):
            signal.signal(number, handler)


@contextmanager
def undisturbed() -> Generator[None]:
    """Ignore stop signals during a cleanup of seconds."""
    previous = [signal.signal(number, signal.SIG_IGN) for number in STOP_SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(STOP_SIGNALS, previous, strict=True):
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature is signal.signal's
    raise KeyboardInterrupt
