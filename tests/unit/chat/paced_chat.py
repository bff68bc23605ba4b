"""Chat on a manual clock, with a model and a tool of given durations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flexchat.config.model_names import ModelName
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ToolsConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError, ToolError
from flexchat.messages import Completion, Json, Message, Text, ToolCall, Usage, user
from flexchat.tools import CallTool, ToolReply
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint
from functions.chat.generation.events import Event
from functions.chat.generation.loop import ResponseGenerator
from functions.chat.generation.model_calls import GenerationContext
from functions.chat.generation.result import GenerationResult
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta, report_completion
from functions.chat.providers.fallback import Candidate, Candidates
from functions.chat.providers.profiles import ModelProfile
from functions.chat.tools.executor import ToolInvoker
from functions.chat.tools.manager import ToolManager
from tests.clock import Clock
from tests.unit.chat.executor_fakes import unaudited


@dataclass(frozen=True)
class Step:
    """Step of a model or a tool that takes `seconds`, which may exceed the deadline."""

    seconds: float
    outcome: Completion | ModelError | Json


@dataclass
class PacedModel:
    clock: Clock
    script: list[Step]
    name: str = "llm"
    type: ProviderType = "openai"
    seen: list[tuple[Message, ...]] = field(default_factory=list[tuple[Message, ...]])
    options: list[ChatOptions] = field(default_factory=list[ChatOptions])

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        self.seen.append(tuple(messages))
        self.options.append(options)
        step = self.script.pop(0)
        left = options.deadline.remaining()
        self.clock.now += min(step.seconds, left)
        if step.seconds > left:
            raise ModelError("late", type="timeout", provider=self.name)
        if isinstance(step.outcome, ModelError):
            raise step.outcome
        assert isinstance(step.outcome, Completion)
        return step.outcome if on_delta is None else report_completion(step.outcome, on_delta)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        return ()


@dataclass
class PacedTool:
    """Tool Lambda that stops itself after `timeout_ms`."""

    clock: Clock
    script: list[Step]
    types: tuple[str, ...] = ("mock",)
    calls: list[CallTool] = field(default_factory=list[CallTool])

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        self.calls.append(call)
        step = self.script.pop(0)
        allowed = call.timeout_ms / 1000
        self.clock.now += min(step.seconds, allowed)
        if step.seconds > allowed:
            raise ToolError("Tool execution timed out", type="timeout")
        assert not isinstance(step.outcome, Completion | ModelError)
        return ToolReply(ok=True, result=step.outcome)


@dataclass
class PacedChat:
    """A chat with one tool, `look`, on the script of its model and its tool, or of another `invoker`."""

    models: list[Step]
    tools: list[Step]
    max_iterations: int = 10
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    offers_tools: bool = True
    waiting: tuple[ModelName, ...] = ()
    profile: ModelProfile = field(default_factory=ModelProfile)
    events: list[Event] = field(default_factory=list[Event])
    invoker: ToolInvoker | None = None

    def __post_init__(self) -> None:
        self.clock = Clock()
        self.model = PacedModel(self.clock, list(self.models))
        self.tool = PacedTool(self.clock, list(self.tools))

    def run_chat(self, seconds: float, checkpoint: Checkpoint = EMPTY_CHECKPOINT) -> GenerationResult:
        """The answer within `seconds`."""
        deadline = Deadline.after(seconds, clock=self.clock)
        config = ToolsConfig.model_validate(
            {"enabled": True, "registry": [LOOKUP], "max_iterations": self.max_iterations, **self.limits}
        )
        rule = ResponseRule.model_validate(
            {"llm": "llm", "model": "m", "prompt": "You help.", "tools": {"enabled": self.offers_tools}}
        )
        tools = ToolManager(config=config, invoker=self.invoker or self.tool, clock=self.clock)
        result = ResponseGenerator(tool_manager=tools).generate_response(
            profile={},
            rule=rule,
            models=Candidates(
                (ModelName("llm", "m"), *self.waiting), lambda name: Candidate(self.model, name.model, self.profile)
            ),
            user_message=user("Look it up."),
            previous_messages=(),
            context=GenerationContext(deadline, "request", self.events.append, unaudited),
            checkpoint=checkpoint,
        )
        assert self.clock.now <= deadline.at + 1e-9
        return result


LOOKUP: Mapping[str, Any] = {
    "name": "look",
    "description": "Looks something up",
    "parameters": {"type": "object", "properties": {"at": {"type": "string"}}},
    "implementation": {"type": "mock"},
}


def text_completion(text: str) -> Completion:
    return Completion(Message("assistant", (Text(text),)), "stop", Usage(10, 5), "m")


def lookup_call(at: str, *, text: str = "") -> Completion:
    """A turn with one call of `look` at `at`; its id is `call_` and the value."""
    call = ToolCall(id=f"call_{at}", name="look", arguments={"at": at}, raw=f'{{"at":"{at}"}}')
    parts = (Text(text), call) if text else (call,)
    return Completion(Message("assistant", parts), "tool_calls", Usage(10, 5), "m")
