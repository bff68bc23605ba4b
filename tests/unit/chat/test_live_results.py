"""Results of parallel calls: each is reported when its call ends, the record has the order of the calls."""

import threading
from collections.abc import Callable

import pytest

from flexchat.messages import Completion, Message, ToolCall, Usage
from flexchat.threads import WorkerThreads
from flexchat.tools import CallTool, ToolReply, ToolResult
from functions.chat.generation.events import Event, IterationFinished, ToolFinished, ToolStarted, Trace
from tests.unit.chat.executor_fakes import OK, Clock, call, context, executor, outcome
from tests.unit.chat.paced_chat import PacedChat, Step, text_completion


class Held:
    """Invoker whose call of `argument` True waits until it is released."""

    types = ("mock",)

    def __init__(self) -> None:
        self.released = threading.Event()

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        if call.arguments["held"] and not self.released.wait(30):
            return ToolReply(ok=False)
        return OK


def test_a_result_is_reported_before_a_parallel_call_ends() -> None:
    invoker, reported = Held(), list[tuple[int, str | None]]()

    def on_result(index: int, result: ToolResult) -> None:
        reported.append((index, result.error_type))
        if index == 1:
            invoker.released.set()

    results = executor(invoker).execute_all([call(0, held=True), call(1, held=False)], context(), on_result)

    assert reported == [(1, None), (0, None)]
    assert [outcome(result) for result in results] == [(True, "done", None)] * 2


def test_a_call_that_is_not_run_is_reported_before_the_others() -> None:
    invoker, reported = Held(), list[tuple[int, str | None]]()
    invoker.released.set()

    results = executor(invoker).execute_all(
        [call(0, held=True), call(1, "nothing")],
        context(),
        lambda index, result: reported.append((index, result.error_type)),
    )

    assert reported == [(1, "tool_not_found"), (0, None)]
    assert [result.error_type for result in results] == [None, "tool_not_found"]


def test_every_result_is_reported_in_the_thread_of_the_turn() -> None:
    invoker, threads = Held(), set[threading.Thread]()

    executor(invoker).execute_all(
        [call(number, held=False) for number in range(12)],
        context(),
        lambda _index, _result: threads.add(threading.current_thread()),
    )

    assert threads == {threading.current_thread()}


def test_an_exception_of_the_receiver_ends_the_turn_and_abandons_running_calls() -> None:
    invoker = Held()

    def lose(_index: int, _result: ToolResult) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        executor(invoker).execute_all([call(0, held=True), call(1, held=False)], context(), lose)

    invoker.released.set()


def test_a_call_that_ends_while_a_result_is_reported_has_no_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    invoker, clock = Held(), Clock()
    start, threads = threading.Thread.start, list[threading.Thread]()

    def start_recorded(thread: threading.Thread) -> None:
        threads.append(thread)
        start(thread)

    def report_slowly(index: int, _result: ToolResult) -> None:
        if index == 0:
            return
        clock.now = 50
        invoker.released.set()
        for thread in threads:
            thread.join()

    monkeypatch.setattr(threading.Thread, "start", start_recorded)
    results = executor(invoker, clock=clock, threads=WorkerThreads(max_idle=0)).execute_all(
        [call(0, held=True), call(1, held=False)], clock.context(100), report_slowly
    )

    assert [outcome(result) for result in results] == [(True, "done", None)] * 2


class Places:
    """Invoker that ends its calls from the last to the first; `ended` is called by the chat at each end."""

    types = ("mock",)

    def __init__(self, *places: str) -> None:
        self.may_end = {place: threading.Event() for place in places}
        self.places = places
        self.may_end[places[-1]].set()

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        place = str(call.arguments["at"])
        assert self.may_end[place].wait(30)
        return ToolReply(ok=True, result=place)

    def ended(self, event: Event) -> None:
        if isinstance(event, ToolFinished):
            before = self.places.index(str(event.execution.result.result)) - 1
            if before >= 0:
                self.may_end[self.places[before]].set()


def test_calls_end_live_and_their_records_keep_the_order_of_the_calls() -> None:
    tool, trace, seen = Places("a", "b", "c"), Trace(clock=lambda: 1.0), list[Event]()
    chat = chat_of(tool, lambda event: (trace.emit(event), seen.append(event), tool.ended(event)))

    result = chat.run_chat(60)

    finished = [event.execution.call_id for event in seen if isinstance(event, ToolFinished)]
    [turn] = [event for event in seen if isinstance(event, IterationFinished)]
    outputs = [message.parts[0] for message in chat.model.seen[-1] if message.role == "tool"]
    assert finished == ["call_c", "call_b", "call_a"]
    assert [each.call_id for each in result.tool_calls or ()] == ["call_a", "call_b", "call_c"]
    assert turn.executions == result.tool_calls
    assert [getattr(output, "call_id", None) for output in outputs] == ["call_a", "call_b", "call_c"]
    assert [step.call_id for step in trace.timings().steps if step.step == "tool"] == ["call_a", "call_b", "call_c"]


def test_a_refused_call_of_a_turn_is_finished_before_the_others_start() -> None:
    tool, seen = Places("a"), list[Event]()
    chat = chat_of(tool, seen.append, calls=("a", "b"), max_calls_per_turn=1)

    result = chat.run_chat(60)

    marks = [
        (type(event).__name__, event.call_id if isinstance(event, ToolStarted) else event.execution.call_id)
        for event in seen
        if isinstance(event, ToolStarted | ToolFinished)
    ]
    assert marks == [("ToolFinished", "call_b"), ("ToolStarted", "call_a"), ("ToolFinished", "call_a")]
    assert [(each.call_id, each.result.error_type) for each in result.tool_calls or ()] == [
        ("call_a", None),
        ("call_b", "too_many_calls"),
    ]


def chat_of(
    tool: Places, receive: Callable[[Event], object], *, calls: tuple[str, ...] = ("a", "b", "c"), **limits: int
) -> PacedChat:
    """Return a chat whose first turn has parallel `calls`; `receive` observes its events."""

    class Events(list[Event]):
        def append(self, event: Event, /) -> None:
            receive(event)

    script = [Step(0, turn_of(*calls)), Step(0, text_completion("Done."))]
    return PacedChat(script, [], limits=limits, events=Events(), invoker=tool)


def turn_of(*places: str) -> Completion:
    calls = tuple(ToolCall(id=f"call_{place}", name="look", arguments={"at": place}, raw="{}") for place in places)
    return Completion(Message("assistant", calls), "tool_calls", Usage(10, 5), "m")
