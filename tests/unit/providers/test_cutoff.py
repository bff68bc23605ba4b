import contextvars
import threading

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from functions.chat.providers.cutoff import run_within
from functions.chat.providers.retry import RetryPolicy

REQUEST_ID = contextvars.ContextVar("request_id", default="none")


def test_a_result_is_handed_back() -> None:
    assert run_within(10, lambda: "answer") == "answer"


def test_an_exception_is_handed_back_as_it_is() -> None:
    error = ModelError("refused", type="permission", provider="main")

    def call() -> None:
        raise error

    with pytest.raises(ModelError) as caught:
        run_within(10, call)

    assert caught.value is error


def test_the_call_sees_the_callers_context() -> None:
    REQUEST_ID.set("r-1")

    assert run_within(10, REQUEST_ID.get) == "r-1"


def test_a_call_that_its_own_timeouts_do_not_end_is_left_behind() -> None:
    release, ended = threading.Event(), threading.Event()

    def call(_seconds: float) -> str:
        release.wait(10)
        ended.set()
        return "too late"

    with pytest.raises(ModelError) as caught:
        RetryPolicy(max_retries=3).run(call, deadline=Deadline.after(30), timeout=0.02, provider="main")

    assert (caught.value.type, caught.value.message) == ("timeout", "the model did not answer within 20 ms")
    assert not ended.is_set()
    release.set()
    assert ended.wait(10)
