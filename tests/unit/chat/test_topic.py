"""Phase 1, topic: parsed from the model's answer, or derived from the message after an error."""

from collections.abc import Sequence

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Message, ToolOutput, Usage, assistant, system, user
from functions.chat.generation.events import Event, PhaseFinished
from functions.chat.phases.llm_call import MAX_REASONING_TOKENS, MAX_TOKENS, PhaseModel
from functions.chat.phases.topic import (
    MAX_TOPIC_CHARACTERS,
    TopicDecision,
    conversation_context,
    detect_topic,
    read_topic,
)
from functions.chat.providers.profiles import ModelProfile
from tests.unit.chat.phase_model import ScriptedModel, ended

HISTORY = (user("How long does a refund take?"), assistant("14 days."))


def detected(
    model: ScriptedModel,
    message: str = "And to a gift card?",
    *,
    history: Sequence[Message] = HISTORY,
    current_topic: str | None = "refund times",
    prompt: str | None = None,
    seconds: float = 20.0,
    events: list[Event] | None = None,
) -> TopicDecision:
    return detect_topic(
        message,
        history=history,
        current_topic=current_topic,
        model=model.as_phase_model(),
        prompt=prompt,
        deadline=model.deadline(seconds),
        emit=(events if events is not None else []).append,
    )


def test_the_model_returns_the_topic_of_a_message() -> None:
    answer = '{"topic_status": "continuation", "topic_summary": "refunds to gift cards"}'
    model = ScriptedModel(answer)
    events: list[Event] = []

    decision = detected(model, events=events)

    assert decision == TopicDecision("continuation", "refunds to gift cards", "openai:small", answer, None, 500)
    assert ended(events) == [PhaseFinished("topic", "openai:small", 100.0, 500, Usage(20, 4))]


def test_the_default_prompt_contains_all_variables() -> None:
    model = ScriptedModel("refunds")

    detected(model)

    (question,) = model.questions
    assert "Current topic: refund times\n" in question
    assert "user: How long does a refund take?\nassistant: 14 days.\n" in question
    assert "<message>\nAnd to a gift card?\n</message>" in question
    assert "topic_status" in question
    assert "{{" not in question


def test_missing_variables_are_none_in_the_prompt() -> None:
    model = ScriptedModel("refunds")

    detected(model, history=(), current_topic=None)

    assert "Current topic: (none)\n\nEarlier messages:\n(none)\n" in model.questions[0]


def test_a_configured_prompt_has_the_same_variables() -> None:
    model = ScriptedModel("refunds")

    detected(model, prompt="{{currentTopic}}|{{ conversationContext }}|{{userMessage}}")

    assert model.questions == [
        "refund times|user: How long does a refund take?\nassistant: 14 days.|And to a gift card?"
    ]


def test_variables_in_user_text_are_not_expanded() -> None:
    model = ScriptedModel("refunds")

    detected(
        model,
        "{{currentTopic}} {{userMessage}}",
        history=(user("{{userMessage}}"),),
        current_topic="{{conversationContext}}",
        prompt="{{currentTopic}}|{{conversationContext}}|{{userMessage}}",
    )

    assert model.questions == ["{{conversationContext}}|user: {{userMessage}}|{{currentTopic}} {{userMessage}}"]


def test_the_model_is_called_with_few_tokens_and_temperature_zero() -> None:
    model = ScriptedModel("refunds")

    detected(model)

    (options,) = model.options
    assert (options.temperature, options.max_tokens, options.tools) == (0.0, MAX_TOKENS, ())


def test_a_thinking_model_gets_more_tokens() -> None:
    model = ScriptedModel(
        '<think>Is it {"topic_status": "continuation"}?</think>\nrefunds', profile=ModelProfile(reasoning=True)
    )

    assert detected(model).topic == "refunds"
    assert model.options[0].max_tokens == MAX_REASONING_TOKENS


@pytest.mark.parametrize(("seconds", "allowed"), [(20.0, 5.0), (400.0, 10.0), (0.9, 0.225)])
def test_the_model_gets_a_share_of_the_remaining_time(seconds: float, allowed: float) -> None:
    model = ScriptedModel("refunds")

    detected(model, seconds=seconds)

    assert model.options[0].deadline.at == pytest.approx(100.0 + allowed)


def test_the_message_is_the_topic_after_a_model_error(capsys: pytest.CaptureFixture[str]) -> None:
    model = ScriptedModel(ModelError("too many requests", type="rate_limit", provider="openai"))
    events: list[Event] = []

    decision = detected(model, events=events)

    error = "too many requests (rate_limit)"
    assert decision == TopicDecision("new_topic", "And to a gift card?", "openai:small", None, error, 500)
    assert ended(events) == [
        PhaseFinished("topic", "openai:small", 100.0, 500, Usage(), "rate_limit", message="too many requests")
    ]
    logged = capsys.readouterr().out
    assert '"level":"WARNING"' in logged
    assert "gift card" not in logged


@pytest.mark.parametrize("reply", ["", "  \n", "<think>never ends", "```json\n```"])
def test_the_message_is_the_topic_after_an_empty_answer(reply: str) -> None:
    events: list[Event] = []

    decision = detected(ScriptedModel(reply), events=events)

    error = "the model returned no text"
    assert decision == TopicDecision("new_topic", "And to a gift card?", "openai:small", None, error, 500)
    assert ended(events) == [
        PhaseFinished("topic", "openai:small", 100.0, 500, Usage(20, 4), "invalid_response", message=error)
    ]


def test_the_model_is_not_called_without_remaining_time() -> None:
    model = ScriptedModel("refunds")
    events: list[Event] = []

    decision = detected(model, seconds=0.7, events=events)

    error = "no time was left to call the model"
    assert decision == TopicDecision("new_topic", "And to a gift card?", "openai:small", None, error, 0)
    assert (model.questions, events) == ([], [])


def test_the_message_is_the_topic_without_a_model() -> None:
    decision = detect_topic(
        "Hello",
        history=(),
        current_topic="greetings",
        model=PhaseModel("mine:m", problem="Provider mine not found"),
        prompt=None,
        deadline=ScriptedModel().deadline(),
        emit=list[Event]().append,
    )

    assert decision == TopicDecision("new_topic", "Hello", "mine:m", None, "Provider mine not found", 0)


@pytest.mark.parametrize(
    ("reply", "current_topic", "topic"),
    [
        ('{"topic_status": "continuation", "topic_summary": ""}', "refund times", "refund times"),
        ('{"topic_status": "continuation", "topic_summary": null}', "refund times", "refund times"),
        ("continuation", "refund times", "refund times"),
        ("continuation", None, "And to a gift card?"),
        ('{"topic_status": "new_topic", "topic_summary": ""}', "refund times", "And to a gift card?"),
        ("new_topic", "refund times", "And to a gift card?"),
    ],
)
def test_an_empty_continuation_leaves_the_topic_unchanged(reply: str, current_topic: str | None, topic: str) -> None:
    assert detected(ScriptedModel(reply), current_topic=current_topic).topic == topic


def test_a_first_message_cannot_continue_a_topic() -> None:
    model = ScriptedModel('{"topic_status": "continuation", "topic_summary": "gift cards"}')

    decision = detected(model, history=(), current_topic=None)

    assert (decision.status, decision.topic) == ("new_topic", "gift cards")


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ('{"topic_status": "continuation", "topic_summary": "a b"}', ("continuation", "a b")),
        ('{"topic_status":"new_topic","topic_summary":"a"}', ("new_topic", "a")),
        ('{"topic_summary": "a", "topic_status": "continuation"}', ("continuation", "a")),
        ('```json\n{"topic_status": "continuation", "topic_summary": "a"}\n```', ("continuation", "a")),
        ('Sure! Here:\n```\n{"topic_status": "new_topic", "topic_summary": "a"}\n``` Bye.', ("new_topic", "a")),
        ('The answer is {"topic_status": "continuation", "topic_summary": "a"}.', ("continuation", "a")),
        ('{"topic_status": "continuation", "topic_summary": "how long refu', ("continuation", "how long refu")),
        ('{"topic_status": "continuation", "topic_summary": "a \\u00e9 \\"b\\" c\\', ("continuation", 'a é "b" c')),
        ('{"topic_status": "continuation", "topic_summary": "a \\u00', ("continuation", "a \\u00")),
        ('{"topic_status": "continuation", "topic_su', ("continuation", "")),
        ('{"topic_status": "contin', ("continuation", "")),
        ('{"topic_status": "continuation"}', ("continuation", "")),
        ('{"topic_summary": "a"}', ("new_topic", "a")),
        ('{"topic_summary": "continuation passing"}', ("new_topic", "continuation passing")),
        ('{"topic_status": "same", "topic_summary": "a"}', ("new_topic", "a")),
        ('{"topic_status": "same", "topic_summary": "a"} It is a continuation.', ("continuation", "a")),
        ('{"topic_status": "continuation|new_topic", "topic_summary": "a"}', ("new_topic", "a")),
        ('{"topic_status": "NEW TOPIC", "topic_summary": "a"}', ("new_topic", "a")),
        ('{"topic_status": "Continued", "topic_summary": "a"}', ("continuation", "a")),
        ("{'topic_status': 'continuation', 'topic_summary': 'a'}", ("continuation", "a")),
        ("{topic_status: continuation, topic_summary: a b}", ("continuation", "a b")),
        ("topic_status: continuation\ntopic_summary: a, b", ("continuation", "a")),
        ("- **Topic status:** continuation\n- **Topic summary:** a b", ("continuation", "a b")),
        ('{"topicStatus": "continuation", "topicSummary": "a"}', ("continuation", "a")),
        ('{"status": "continuation", "topic": "a"}', ("continuation", "a")),
        ("Topic: opening hours", ("new_topic", "opening hours")),
        ("opening hours", ("new_topic", "opening hours")),
        ('"opening\n hours"', ("new_topic", "opening hours")),
        ("This is a continuation: refunds", ("continuation", "This is a continuation: refunds")),
        ("This is not a continuation.", ("new_topic", "This is not a continuation.")),
        ("A new topic, no continuation", ("new_topic", "A new topic, no continuation")),
        ("continuation", ("continuation", "")),
        (" **New topic**. ", ("new_topic", "")),
        ("How to continue a subscription", ("new_topic", "How to continue a subscription")),
        ("[1, 2]", ("new_topic", "[1, 2]")),
    ],
)
def test_each_form_of_an_answer_is_parsed(answer: str, read: tuple[str, str]) -> None:
    assert read_topic(answer) == read


def test_a_plain_answer_is_truncated_to_a_short_line() -> None:
    status, topic = read_topic("refunds or\nmore " * 100)

    assert (status, len(topic)) == ("new_topic", MAX_TOPIC_CHARACTERS)
    assert topic.startswith("refunds or more refunds")
    assert topic.endswith("…")


def test_the_prompt_has_the_last_messages_and_the_first_sentence_of_long_answers() -> None:
    long = "It costs 3.50 EUR in all. " + "More " * 100
    endless = "word " * 100
    history = (
        user("left out"),
        assistant("left out as well"),
        system("rules"),
        user("one\ntwo"),
        Message("assistant", ()),
        Message("tool", (ToolOutput("call_1", "calculate", "42"),)),
        assistant(long),
        user("long " * 60),
        assistant(endless),
        user("four"),
        assistant("short. answer"),
    )

    assert conversation_context(history).split("\n") == [
        "user: one two",
        "assistant: It costs 3.50 EUR in all.",
        f"user: {('long ' * 60).strip()}",
        f"assistant: {('word ' * 40).strip()}…",
        "user: four",
        "assistant: short. answer",
    ]


def test_user_text_in_the_prompt_is_truncated() -> None:
    model = ScriptedModel("refunds")

    detected(model, "x" * 32_000, history=(user("y" * 32_000),))

    assert len(model.questions[0]) < 9_000
