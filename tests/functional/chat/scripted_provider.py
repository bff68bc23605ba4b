"""Provider that returns the steps of a script."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, FinishReason, Json, Message, Text, ToolCall, Usage
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, ListedModel, OnDelta, TextDelta

type Step = Completion | ModelError | Callable[[Sequence[Message], ChatOptions], Completion]


def text_completion(text: str, finish_reason: FinishReason = "stop") -> Completion:
    return Completion(Message("assistant", (Text(text),)), finish_reason, Usage(10, 5), "scripted")


def call_completion(*calls: tuple[str, Mapping[str, Json] | str], turn: int = 1) -> Completion:
    """Return a turn with tool calls; arguments are an object, or a text that is no JSON object."""
    parts = tuple(
        ToolCall(id=f"call_{turn}_{index}", name=name, arguments=None, raw=arguments, problem="not valid JSON")
        if isinstance(arguments, str)
        else ToolCall(id=f"call_{turn}_{index}", name=name, arguments=arguments, raw=json.dumps(dict(arguments)))
        for index, (name, arguments) in enumerate(calls)
    )
    return Completion(Message("assistant", parts), "tool_calls", Usage(10, 5), "scripted")


@dataclass
class ScriptedProvider:
    """Provider that returns the steps of a script in order and records its requests."""

    script: list[Step]
    name: str = "openai"
    type: ProviderType = "openai"
    seen: list[tuple[Message, ...]] = field(default_factory=list[tuple[Message, ...]])
    options: list[ChatOptions] = field(default_factory=list[ChatOptions])
    listed: Sequence[ListedModel] | ModelError = ()
    times_listed: int = 0

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        self.seen.append(tuple(messages))
        self.options.append(options)
        step = self.script.pop(0)
        if isinstance(step, ModelError):
            raise step
        completion = step if isinstance(step, Completion) else step(messages, options)
        return completion if on_delta is None else _streamed(completion, on_delta)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        self.times_listed += 1
        if isinstance(self.listed, ModelError):
            raise self.listed
        return self.listed


def _streamed(completion: Completion, on_delta: OnDelta) -> Completion:
    """Report the words of the text one by one, then each call with the text of its arguments in two pieces."""
    for words in re.findall(r"\s*\S+|\s+", completion.message.text):
        on_delta(TextDelta(words))
    for index, call in enumerate(completion.message.tool_calls):
        on_delta(CallDelta(index, call.name))
        half = len(call.raw) // 2
        for piece in filter(None, (call.raw[:half], call.raw[half:])):
            on_delta(ArgumentsDelta(index, piece))
    return completion
