"""Runs a function no longer than its time, and really stops it."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Never

AGAIN_SECONDS = 0.2
"""An interrupt that came where Python swallows exceptions (a finaliser, a weak reference's callback) comes again."""


class _TimeIsUpError(BaseException):
    """Not an `Exception`, so that no `except Exception` on the way takes it for one of its own."""


def run_within[T](seconds: float, run: Callable[[], T]) -> T:
    """What `run()` returns or raises, or `TimeoutError` after `seconds`.

    In the main thread, where a Lambda runs its handler, an alarm interrupts Python code at once. Elsewhere, or where
    somebody else's alarm is set, the work goes to a thread that is left behind when its time is up. C code that does
    not return to Python is interrupted only when it does.
    """
    if seconds <= 0:
        raise TimeoutError
    alarm_is_free = signal.getitimer(signal.ITIMER_REAL)[0] == 0
    if threading.current_thread() is threading.main_thread() and alarm_is_free:
        return _run_under_alarm(seconds, run)
    return _run_in_thread(seconds, run)


def _run_under_alarm[T](seconds: float, run: Callable[[], T]) -> T:
    previous = signal.signal(signal.SIGALRM, _interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
        try:
            return run()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TimeIsUpError as exc:
        raise TimeoutError from exc
    finally:
        signal.signal(signal.SIGALRM, previous)


def _interrupt(signum: int, frame: FrameType | None) -> Never:
    del signum, frame
    raise _TimeIsUpError


def _run_in_thread[T](seconds: float, run: Callable[[], T]) -> T:
    returned: list[T] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            returned.append(run())
        except BaseException as exc:  # noqa: BLE001 # raised again below, in the caller's thread
            raised.append(exc)

    thread = threading.Thread(target=work, name="cut-off", daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    if not returned:
        raise TimeoutError
    return returned[0]
