"""State in the conversations with the models of one llm."""

from collections.abc import Sequence

import pytest

from flexchat.errors import ModelError
from flexchat.messages import (
    Completion,
    Message,
    ProviderState,
    Reasoning,
    Stateful,
    Text,
    ToolCall,
    ToolOutput,
    Usage,
    user,
)
from functions.chat.providers.model_state import MAX_REFUSED_STATES, ModelStates

WRONG = "Invalid `signature` in `thinking` block"


def state(value: str, origin: str | None = "main:m") -> ProviderState:
    return ProviderState("anthropic", value, origin)


def thought(value: str, origin: str | None = "main:m") -> Message:
    return Message("assistant", (Reasoning(state(value, origin), "Hm."), Text("Hi")))


def completion(message: Message) -> Completion:
    return Completion(message, "stop", Usage(), "m")


HELLO = completion(Message("assistant", (Text("Hello."),)))


class Model:
    """Model that returns or raises `answers` in order, the last one for ever, and keeps its conversations."""

    def __init__(self, *answers: Completion | ModelError) -> None:
        self._answers = list(answers)
        self.conversations: list[Sequence[Message]] = []

    def __call__(self, messages: Sequence[Message]) -> Completion:
        self.conversations.append(messages)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, ModelError):
            raise answer
        return answer

    @property
    def states(self) -> list[list[str]]:
        """The values of the states of each conversation."""
        return [
            [
                str(part.state.value)
                for message in messages
                for part in message.parts
                if isinstance(part, Stateful) and part.state is not None
            ]
            for messages in self.conversations
        ]


def refusal(message: str = WRONG, *, status: int | None = 400, after_output: bool = False) -> ModelError:
    return ModelError(message, type="invalid_request", provider="main", status=status, after_output=after_output)


def test_every_part_with_state_is_tagged_with_its_llm_and_model() -> None:
    untagged = ProviderState("gemini", "a")
    call, output = ToolCall("1", "t", {}, "{}"), ToolOutput("1", "t", "x")
    parts = (Reasoning(untagged), Text("Hi", untagged), Text("!"), call, ToolCall("2", "t", {}, "{}", state=untagged))

    answer = ModelStates("main").call("m", [user("Hi")], Model(completion(Message("assistant", (*parts, output)))))

    tagged = ProviderState("gemini", "a", "main:m")
    assert answer.message.parts == (
        Reasoning(tagged),
        Text("Hi", tagged),
        Text("!"),
        call,
        ToolCall("2", "t", {}, "{}", state=tagged),
        output,
    )


@pytest.mark.parametrize("origin", [None, "main:n", "other:m", "m", "anthropic"])
def test_state_of_another_origin_is_not_sent(origin: str | None) -> None:
    model = Model(HELLO)
    own, result = thought("own"), Message("tool", (ToolOutput("1", "t", "x"),))
    foreign = Message(
        "assistant",
        (
            Reasoning(state("a", origin), "Hm."),
            Text("Hi", state("b", origin)),
            ToolCall("1", "t", {}, "{}", state=state("c", origin)),
        ),
    )

    ModelStates("main").call("m", [user("Hi"), foreign, result, own], model)

    sent = Message("assistant", (Text("Hi"), ToolCall("1", "t", {}, "{}")))
    assert model.conversations == [[user("Hi"), sent, result, own]]


@pytest.mark.parametrize(
    "error",
    [
        refusal("max_tokens is too large"),
        refusal("Unsupported value: reasoning_effort 'none'"),
        refusal(status=429),
        refusal(status=500),
        refusal(status=None),
        refusal(after_output=True),
    ],
    ids=["another reason", "a parameter", "429", "500", "no response", "after output"],
)
def test_another_error_is_raised_at_once(error: ModelError) -> None:
    model = Model(error, HELLO)

    with pytest.raises(ModelError) as caught:
        ModelStates("main").call("m", [user("Hi"), thought("a")], model)

    assert caught.value is error
    assert model.states == [["a"]]


def test_a_refusal_of_a_request_without_state_is_raised() -> None:
    model = Model(refusal(), HELLO)

    with pytest.raises(ModelError):
        ModelStates("main").call("m", [user("Hi"), thought("a", "main:n")], model)

    assert model.states == [[]]


@pytest.mark.parametrize("text", ["thinking", "Thought signature", "reasoning_content", "reasoning", "extra_content"])
def test_refused_state_is_left_out_once_and_not_sent_again(text: str) -> None:
    states, model = ModelStates("main"), Model(refusal(f"{text} is not valid", status=422), HELLO)
    conversation = [user("Hi"), thought("a")]

    for messages in (conversation, [*conversation, thought("b")]):
        assert states.call("m", messages, model) == HELLO

    assert model.states == [["a"], [], ["b"]]


def test_state_is_sent_again_after_a_request_that_failed_without_it_too() -> None:
    states, other = ModelStates("main"), refusal("overloaded", status=503)
    model = Model(refusal(), other, HELLO)

    with pytest.raises(ModelError) as caught:
        states.call("m", [user("Hi"), thought("a")], model)
    states.call("m", [user("Hi"), thought("a")], model)

    assert caught.value is other
    assert model.states == [["a"], [], ["a"]]


def test_reasoning_whose_state_is_its_text_is_refused_by_its_text() -> None:
    states, model = ModelStates("main"), Model(refusal(), HELLO)
    first, second = (
        Message("assistant", (Reasoning(ProviderState("ollama", None, "main:m"), text),)) for text in ("One", "Two")
    )

    states.call("m", [user("Hi"), first], model)
    states.call("m", [user("Hi"), first, second], model)

    assert model.conversations[2] == [user("Hi"), Message("assistant", ()), second]


def test_the_memory_of_refused_states_is_limited() -> None:
    states = ModelStates("main")
    many = [thought(str(number)) for number in range(MAX_REFUSED_STATES + 1)]
    model = Model(refusal(), HELLO)

    for _ in range(2):
        states.call("m", many, model)

    assert [len(sent) for sent in model.states] == [MAX_REFUSED_STATES + 1, 0, 1]
