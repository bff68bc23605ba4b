"""Injection policy: which calls run after which, in every order."""

from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.config.models.tools import InjectionPolicy, ResponseToolsConfig, ToolApproval, ToolDefinition, ToolsConfig
from flexchat.deadline import Deadline
from flexchat.messages import Message, ToolCall, ToolOutput
from flexchat.sessions import Exposure
from flexchat.tool_types import EVERY_TRAIT, ToolTraits
from flexchat.tools import ToolResult
from functions.chat.tools.executor import ExecutionContext
from functions.chat.tools.manager import ToolManager
from functions.chat.tools.policy import ExposureTracker, exposure_of, exposure_to, verdict_on
from functions.chat.tools.registry import ToolRegistry
from tests.unit.chat.executor_fakes import OK, Clock, Invoker

TOOLS: dict[str, ToolTraits] = {
    "private": ToolTraits(reads_private=True),
    "untrusted": ToolTraits(untrusted=True),
    "egress": ToolTraits(egress=True),
    "write": ToolTraits(writes=True),
    "plain": ToolTraits(),
    "fetch": ToolTraits(untrusted=True, egress=True),
    "search": ToolTraits(reads_private=True, untrusted=True),
    "mail": EVERY_TRAIT,
}
WAYS_OUT = {"egress", "write", "fetch", "mail"}
ORDERS = list(permutations(("private", "untrusted", "egress", "write")))
EXPOSURES = [Exposure(*each) for each in product((False, True), repeat=2)]


class Conversation:
    """Conversation of one exposure whose iterations of calls run by the executor."""

    def __init__(self, exposure: Exposure | None = None, **settings: Any) -> None:
        self.clock = Clock()
        registry = tuple(_tool(name, traits) for name, traits in TOOLS.items())
        fields: dict[str, Any] = {"injection_policy": "block", **settings}
        config = ToolsConfig(enabled=True, registry=registry, **fields)
        self.invoker = Invoker([OK])
        offered = ToolManager(config=config, invoker=self.invoker).offer(ResponseToolsConfig(enabled=True))
        assert offered is not None
        self.offered = offered
        self.tracker = ExposureTracker(exposure or Exposure())

    def call(self, *names: str, seconds: float = 60, **arguments: Any) -> tuple[ToolResult, ...]:
        calls = tuple(ToolCall(f"c{index}", name, arguments, "") for index, name in enumerate(names))
        context = ExecutionContext(
            Deadline.after(seconds, clock=self.clock),
            "r",
            _not_audited,
            self.offered.names,
            exposure=self.tracker,
        )
        return self.offered.executor.execute_all(calls, context)

    def run(self, *iterations: Sequence[str]) -> list[list[str]]:
        """Return the names of the calls that ran, for each iteration."""
        ran: list[list[str]] = []
        for names in iterations:
            before = len(self.invoker.calls)
            results = self.call(*names)
            ran.append([call.tool for call in self.invoker.calls[before:]])
            assert {result.error_type for result in results if not result.success} <= {"blocked_by_policy"}
            assert [result.tool_name for result in results if result.success] == [
                name for name in names if name in ran[-1]
            ]
        return [sorted(names) for names in ran]


def _not_audited(*_call: object) -> None:
    pass


def _tool(name: str, traits: ToolTraits) -> ToolDefinition:
    definition = ToolDefinition(
        name=name,
        description="A tool",
        parameters={"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False},
        implementation={"type": "mock", "mock_response": name},
    )
    return definition.model_copy(update=traits._asdict())


def expected(iterations: Sequence[Sequence[str]], *, exposure: Exposure | None = None) -> list[list[str]]:
    """Return the calls that may run, by the rule as it is documented."""
    private, untrusted = (exposure.private, exposure.untrusted) if exposure else (False, False)
    ran: list[list[str]] = []
    for names in iterations:
        closed = private and untrusted
        ran.append(sorted(name for name in names if not (closed and name in WAYS_OUT)))
        private = private or any(TOOLS[name].reads_private for name in ran[-1])
        untrusted = untrusted or any(TOOLS[name].untrusted for name in ran[-1])
    return ran


ALWAYS = {"off": "ask", "approve": "ask", "block": "ask"}
VERDICTS: dict[str, dict[str, str]] = {
    "never": {"off": "allow", "approve": "ask", "block": "refuse"},
    "when_untrusted": {"off": "ask", "approve": "ask", "block": "ask"},
    "always": ALWAYS,
}
"""Verdict on a way out after both readings, by the approval of its tool and the policy."""


@pytest.mark.parametrize("traits", [ToolTraits(*each) for each in product((False, True), repeat=4)])
@pytest.mark.parametrize("exposure", EXPOSURES)
def test_a_way_out_is_decided_by_policy_and_approval_once_private_data_and_untrusted_content_were_read(
    traits: ToolTraits, exposure: Exposure
) -> None:
    is_dangerous = exposure == Exposure(private=True, untrusted=True) and (traits.egress or traits.writes)
    expected_of = VERDICTS if is_dangerous else {each: {} for each in VERDICTS} | {"always": ALWAYS}
    approvals: tuple[ToolApproval, ...] = ("never", "when_untrusted", "always")
    policies: tuple[InjectionPolicy, ...] = ("off", "approve", "block")

    for approval, policy in product(approvals, policies):
        expected = expected_of[approval].get(policy, "allow")
        assert verdict_on(traits, exposure, approval=approval, policy=policy) == expected


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_of_iterations_closes_the_ways_out_after_the_second_reading(order: tuple[str, ...]) -> None:
    iterations = [[name] for name in order]
    last_read = max(order.index("private"), order.index("untrusted"))

    assert Conversation().run(*iterations) == [
        [name] if name in ("private", "untrusted") or place < last_read else [] for place, name in enumerate(order)
    ]


@pytest.mark.parametrize("order", ORDERS)
def test_calls_of_one_iteration_were_written_before_any_result_and_all_run(order: tuple[str, ...]) -> None:
    conversation = Conversation()

    assert conversation.run(order, ("egress",), ("write",), ("private", "untrusted", "plain")) == [
        sorted(order),
        [],
        [],
        ["plain", "private", "untrusted"],
    ]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("split", range(1, 4))
def test_every_order_over_two_iterations(order: tuple[str, ...], split: int) -> None:
    iterations = [order[:split], order[split:], ("fetch", "mail")]

    assert Conversation().run(*iterations) == expected(iterations)


@given(st.lists(st.lists(st.sampled_from(sorted(TOOLS)), max_size=4), max_size=6), st.sampled_from(EXPOSURES))
def test_any_conversation_runs_exactly_the_calls_of_the_rule(iterations: list[list[str]], exposure: Exposure) -> None:
    conversation = Conversation(exposure)

    assert conversation.run(*iterations) == expected(iterations, exposure=exposure)


@given(st.lists(st.lists(st.sampled_from(sorted(TOOLS)), max_size=4), max_size=6))
def test_exposure_only_grows(iterations: list[list[str]]) -> None:
    conversation = Conversation()
    before = conversation.tracker.current
    for names in iterations:
        conversation.call(*names)
        assert before.joined(conversation.tracker.current) == conversation.tracker.current
        before = conversation.tracker.current


def test_without_the_policy_every_call_runs_and_is_tracked() -> None:
    conversation = Conversation(injection_policy="off")

    assert conversation.run(["search"], ["mail", "write"]) == [["search"], ["mail", "write"]]
    assert conversation.tracker.current == Exposure(private=True, untrusted=True)


def test_a_refused_call_is_explained_to_the_model() -> None:
    conversation = Conversation(Exposure(private=True, untrusted=True))
    (result,) = conversation.call("mail")

    assert (result.success, result.error_type) == (False, "blocked_by_policy")
    assert result.error is not None
    assert result.error.startswith("Not run: 'mail' sends data out or changes something")
    assert conversation.invoker.calls == []


@pytest.mark.parametrize(
    ("exposure", "tool", "seconds", "arguments"),
    [
        (Exposure(private=True, untrusted=True), "mail", 60, {}),
        (Exposure(), "search", 60, {"n": "no number"}),
        (Exposure(), "search", 60, {"other": 1}),
        (Exposure(), "search", 0.01, {}),
        (Exposure(), "unknown", 60, {}),
    ],
)
def test_a_call_that_does_not_run_adds_nothing(
    exposure: Exposure, tool: str, seconds: float, arguments: dict[str, Any]
) -> None:
    conversation = Conversation(exposure)
    (result,) = conversation.call(tool, seconds=seconds, **arguments)

    assert not result.success
    assert conversation.invoker.calls == []
    assert conversation.tracker.current == exposure


def test_a_failed_call_adds_what_its_tool_reads() -> None:
    conversation = Conversation()
    conversation.invoker.answers = [OK.model_copy(update={"ok": False})]
    conversation.call("search")

    assert conversation.tracker.current == Exposure(private=True, untrusted=True)


def outputs(*names: str) -> list[Message]:
    return [Message("tool", (ToolOutput("c", name, "a result"),)) for name in names]


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_a_result_in_earlier_messages_counts_as_one_of_its_tool(name: str) -> None:
    registry = Conversation().offered.registry

    assert exposure_of(outputs("plain", name), registry.traits) == exposure_to(TOOLS[name])


def test_a_result_of_an_unknown_tool_counts_as_both() -> None:
    registry = Conversation().offered.registry

    assert exposure_of(outputs("plain"), registry.traits) == Exposure()
    assert exposure_of(outputs("plain", "removed"), registry.traits) == Exposure(private=True, untrusted=True)


def test_a_result_has_the_name_of_its_tool_in_requests() -> None:
    registry = ToolRegistry()
    registry.register(_tool("files.read/all", ToolTraits(untrusted=True)))
    name = registry.names.wire_name("files.read/all")

    assert name != "files.read/all"
    assert exposure_of(outputs(name), registry.traits) == Exposure(untrusted=True)
