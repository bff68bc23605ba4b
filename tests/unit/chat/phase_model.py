"""Scripted model of the chat phases that records its requests."""

from collections.abc import Callable, Sequence
from copy import replace
from dataclasses import dataclass, field

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, ModelError, Problem
from flexchat.messages import Completion, Message, Usage, assistant
from functions.chat.generation.events import Event, PhaseFinished
from functions.chat.phases.llm_call import PhaseModel
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta
from functions.chat.providers.fallback import Candidate
from functions.chat.providers.profiles import ModelProfile
from tests.clock import Clock


def ended(events: Sequence[Event]) -> list[Event]:
    """Return the events, without the request and the message of a phase's model call."""
    return [
        replace(event, request=None, completion=None) if isinstance(event, PhaseFinished) else event for event in events
    ]


type Reply = str | ModelError | Callable[[str], str]


@dataclass
class ScriptedModel:
    """Return `reply`: a text, a function of the request, or an error to raise; each call takes `seconds`."""

    reply: Reply = ""
    clock: Clock = field(default_factory=Clock)
    seconds: float = 0.5
    profile: ModelProfile = field(default_factory=ModelProfile)
    name: str = "openai"
    type: ProviderType = "openai"
    questions: list[str] = field(default_factory=list[str])
    models: list[str] = field(default_factory=list[str])
    options: list[ChatOptions] = field(default_factory=list[ChatOptions])

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        (question,) = messages
        assert question.role == "user"
        self.questions.append(question.text)
        self.models.append(model)
        self.options.append(options)
        self.clock.now += self.seconds
        if isinstance(self.reply, ModelError):
            raise self.reply
        text = self.reply if isinstance(self.reply, str) else self.reply(question.text)
        return Completion(assistant(text), "stop", Usage(20, 4), model)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        raise NotImplementedError

    def deadline(self, seconds: float = 20.0) -> Deadline:
        return Deadline.after(seconds, clock=self.clock)

    def candidate(self, llm: str, model: str) -> Candidate:
        """The candidate of the only llm there is."""
        if llm != self.name:
            raise ConfigError((Problem(f"llms.{llm}", f"Provider {llm} not found"),))
        return Candidate(self, model, self.profile)

    def as_phase_model(self) -> PhaseModel:
        return PhaseModel(f"{self.name}:small", self.candidate(self.name, "small"))
