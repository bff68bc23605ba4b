"""Suites of cases: a message, the tools that are offered, and what a model that knows its work does with them."""

from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field

from flexchat.api.request import HistoryMessage
from flexchat.config.models.base import SUITE_NAME_PATTERN as SUITE_NAME_PATTERN
from flexchat.config.models.tools import TOOL_NAME_PATTERN, ToolDefinition
from flexchat.messages import Json
from flexchat.strict_numbers import StrictNumberModel

Category = Literal[
    "single",
    "choice",
    "parallel",
    "parallel_choice",
    "irrelevance",
    "multi_turn",
    "error_recovery",
    "types",
    "clarification",
]
"""What a case tries: one tool; one of several; several calls at once, of one tool or of several; no tool that fits;
a result that the next call needs; a call that fails first; arguments of every type; information that is missing."""

CATEGORIES: tuple[Category, ...] = get_args(Category)

CASE_ID_PATTERN = r"^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$"

DEFAULT_PROMPT = "You are a helpful assistant with access to tools. Use them when appropriate."
"""System prompt of a case without its own."""


class SuiteModel(StrictNumberModel):
    """Frozen, unknown keys refused; a `comment` is allowed anywhere and read by nobody."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    comment: Annotated[Json, Field(exclude=True, repr=False)] = None


class ExpectedCall(SuiteModel):
    """A call that is expected: for each argument the values that are right.

    `""` among the values of an argument says that it may be left out. An argument that is not named must not be given.
    """

    tool: Annotated[str, Field(pattern=TOOL_NAME_PATTERN)]
    arguments: dict[str, tuple[Json, ...]] = Field(default_factory=dict[str, tuple[Json, ...]])


class ExpectedTurn(SuiteModel):
    """Calls that belong together. `together` wants them in one turn of the model, `order` "strict" in this order."""

    calls: Annotated[tuple[ExpectedCall, ...], Field(min_length=1)]
    order: Literal["any", "strict"] = "any"
    together: bool = False


class Expectation(SuiteModel):
    """What is right: the calls of `turns`, one after another, and no other; without any, no call at all.

    `any_call` only wants that some tool is called. `failed_calls` is how many calls may fail on the way besides, such
    as the first try of a case about recovery. `answer_contains` are texts of which the final answer must hold one,
    whatever the case of its letters.
    """

    turns: tuple[ExpectedTurn, ...] = ()
    any_call: bool = False
    failed_calls: Annotated[int, Field(ge=0, le=10)] = 0
    answer_contains: tuple[str, ...] = ()


class ValidationCase(SuiteModel):
    """One chat and what is expected of it.

    `tools` are names of the suite's tools, in the order they are offered; left out, all of them. `message` follows
    `history`.
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
    """Cases and the tools they share, all of type `mock`: trying a model changes nothing in the world."""

    schema_reference: Annotated[str | None, Field(alias="$schema", exclude=True, repr=False)] = None
    name: Annotated[str, Field(pattern=SUITE_NAME_PATTERN)]
    description: str = ""
    prompt: str = DEFAULT_PROMPT
    tools: Annotated[tuple[ToolDefinition, ...], Field(min_length=1)]
    cases: Annotated[tuple[ValidationCase, ...], Field(min_length=1, max_length=20_000)]
