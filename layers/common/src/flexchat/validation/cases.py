"""Suites of validation cases: a message, the offered tools, and the expected calls."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from flexchat.api.request import HistoryMessage
from flexchat.config.models.base import SUITE_NAME_PATTERN as SUITE_NAME_PATTERN
from flexchat.config.models.tools import TOOL_NAME_PATTERN, ToolDefinition
from flexchat.json import StrictNumberModel
from flexchat.messages import Json
from flexchat.validation.verdicts import Category

CASE_ID_PATTERN = r"^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$"

DEFAULT_PROMPT = "You are a helpful assistant with access to tools. Use them when appropriate."
"""System prompt of a case that has none."""


class SuiteModel(StrictNumberModel):
    """Frozen base model that rejects unknown keys and ignores a `comment`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    comment: Annotated[Json, Field(exclude=True, repr=False)] = None


class ExpectedCall(SuiteModel):
    """An expected call: the accepted values of each argument.

    `""` among the values of an argument makes it optional. An argument that is not listed must not be passed.
    """

    tool: Annotated[str, Field(pattern=TOOL_NAME_PATTERN)]
    arguments: dict[str, tuple[Json, ...]] = Field(default_factory=dict[str, tuple[Json, ...]])


class ExpectedTurn(SuiteModel):
    """Calls of one turn or of an order.

    `together` requires them in one turn of the model, `order` "strict" in this order.
    """

    calls: Annotated[tuple[ExpectedCall, ...], Field(min_length=1)]
    order: Literal["any", "strict"] = "any"
    together: bool = False


class Expectation(SuiteModel):
    """Expected behaviour: the calls of `turns`, one turn after another, and no other; without turns, no call at all.

    `any_call` only requires some call. `failed_calls` is the number of further calls that may fail, such as the first
    attempt of a case about recovery. The final answer must contain one of `answer_contains`, ignoring case.
    """

    turns: tuple[ExpectedTurn, ...] = ()
    any_call: bool = False
    failed_calls: Annotated[int, Field(ge=0, le=10)] = 0
    answer_contains: tuple[str, ...] = ()


class ValidationCase(SuiteModel):
    """One chat and its expected behaviour.

    `tools` are names of the suite's tools in the order they are offered; by default all. `message` follows `history`.
    """

    id: Annotated[str, Field(pattern=CASE_ID_PATTERN)]
    category: Category
    description: str = ""
    history: tuple[HistoryMessage, ...] = ()
    message: Annotated[str, Field(min_length=1, max_length=32_000)]
    tools: tuple[str, ...] | None = None
    expect: Expectation
    max_iterations: Annotated[int, Field(ge=1, le=20)] = 8


class Suite(SuiteModel):
    """Cases and the tools they share, all of type `mock`, so that a validation run has no side effects."""

    schema_reference: Annotated[str | None, Field(alias="$schema", exclude=True, repr=False)] = None
    name: Annotated[str, Field(pattern=SUITE_NAME_PATTERN)]
    description: str = ""
    prompt: str = DEFAULT_PROMPT
    tools: Annotated[tuple[ToolDefinition, ...], Field(min_length=1)]
    cases: Annotated[tuple[ValidationCase, ...], Field(min_length=1, max_length=20_000)]
