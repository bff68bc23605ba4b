"""The `tools` section of the configuration and of a response rule."""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from flexchat.config.models.base import CallsPerIteration, ConfigModel, Flag, Iterations, Milliseconds, ToolCalls
from flexchat.messages import Json

TOOL_NAME_PATTERN = r"^[a-zA-Z0-9_./:-]{1,128}$"
"""Names of tools, such as `github/search` or `files.read`. No provider accepts all of them, so a request carries a name
derived from it (decision C22)."""


ToolApproval = Literal["never", "always", "when_untrusted"]
"""When a call of a tool waits for the approval of a person."""

InjectionPolicy = Literal["off", "approve", "block"]
"""Handling of calls that could send private data out on behalf of untrusted content."""


class DeclaredTraits(ConfigModel):
    """Traits of a tool, as far as the configuration states them; None for that of the tool's type (`traits_of`).

    A tool that `reads_private` returns data that is not public. One with `egress` sends its arguments to another party,
    one that `writes` has an effect there or here. The results of an `untrusted` tool have texts of other parties.
    """

    reads_private: Flag | None = None
    egress: Flag | None = None
    writes: Flag | None = None
    untrusted: Flag | None = None


class ToolDefinition(DeclaredTraits):
    """Definition of one tool.

    `parameters` is a JSON Schema of type object. `implementation` belongs to the tool's type and is opaque here, except
    for its `type` and the optional `timeout_ms` (decision C08). `implementation.handler` selects the handler; without
    it `handler` does, which is a label otherwise (decision C21). Only an `idempotent` tool may be called again after a
    lost call. Equal calls of a `repeatable` tool are never counted as repeated (decision C09). Calls of `sequential`
    tools in one iteration run one after another in the order of the calls; other calls of the iteration run at the same
    time. The function of a `per_principal` tool receives a hash of the caller, and shares no cached result between
    callers. A call of a tool with the `approval` `always` waits until a person approves it: one with one of the roles
    in `approvers`, or without them the caller of the chat. `max_result_size` is the maximum number of characters of one
    result sent to the model (decision C50).
    """

    name: Annotated[str, Field(pattern=TOOL_NAME_PATTERN)]
    description: Annotated[str, Field(min_length=1, max_length=4096)]
    type: Literal["function"] = "function"
    handler: str | None = None
    parameters: dict[str, Json]
    implementation: dict[str, Json]
    enabled: Flag = True
    idempotent: Flag = False
    repeatable: Flag = False
    sequential: Flag = False
    per_principal: Flag = False
    approval: ToolApproval = "never"
    approvers: tuple[str, ...] = ()
    max_result_size: Annotated[int, Field(ge=64, strict=True)] | None = None

    @cached_property
    def implementation_type(self) -> str:
        return str(self.implementation.get("type", ""))

    @cached_property
    def timeout_ms(self) -> int | None:
        """Timeout of the tool in milliseconds, if its implementation has one."""
        value = self.implementation.get("timeout_ms")
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


class ToolsConfig(ConfigModel):
    """The `tools` section.

    `max_iterations`, `max_calls_per_turn` and `max_tool_calls` (of one chat) are defaults; a rule may raise or lower
    them. A call that nobody approves within `approval_seconds` never runs. With the `injection_policy` `block`, no tool
    that lets data out or writes is run in a conversation that has read private data and untrusted content; with
    `approve`, each of its calls waits for an approval. With `mark_untrusted`, the model receives the results of
    untrusted tools between tags.
    """

    enabled: Flag = False
    max_iterations: Iterations = 5
    max_calls_per_turn: CallsPerIteration = 32
    max_tool_calls: ToolCalls = 100
    default_timeout_ms: Milliseconds = 30_000
    max_parallel: Annotated[int, Field(ge=1, le=32, strict=True)] = 8
    max_result_size: Annotated[int, Field(ge=64, strict=True)] = 32_768
    result_format: Literal["json", "text"] = "json"
    approval_seconds: Annotated[int, Field(ge=60, le=86_400, strict=True)] = 3_600
    disabled_types: tuple[str, ...] = ()
    injection_policy: InjectionPolicy = "off"
    mark_untrusted: Flag = True
    registry: tuple[ToolDefinition, ...] = ()


class ResponseToolsConfig(ConfigModel):
    """Tools of a response rule: without `allowed_tools` every registered tool, with `[]` none (decision C14)."""

    enabled: Flag = False
    allowed_tools: tuple[str, ...] | None = None
    max_iterations: Iterations | None = None
    max_calls_per_turn: CallsPerIteration | None = None
    max_tool_calls: ToolCalls | None = None
