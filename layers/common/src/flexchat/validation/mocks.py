"""Prepared answers of tools of type mock, used by their function and by the check of suites."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from flexchat.config.models.base import ConfigModel
from flexchat.messages import Json
from flexchat.tool_implementation import ToolImplementation

MAX_ANSWERS = 200

ErrorText = Annotated[str, Field(min_length=1, max_length=1_000)]


class MockAnswer(ConfigModel):
    """Answer to calls with certain arguments: `response`, or a failure with `error`.

    `when` has the arguments that must match: text ignoring case and surrounding whitespace, numbers by value.
    `user_message` is the text of the failure for users.
    """

    when: Annotated[dict[str, Json], Field(min_length=1)]
    response: Json = None
    error: ErrorText | None = None
    user_message: ErrorText | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if ("response" in self.model_fields_set) == (self.error is not None):
            raise PydanticCustomError("response_or_error", "needs either 'response' or 'error'")
        if self.user_message is not None and self.error is None:
            raise PydanticCustomError("user_message_alone", "has a 'user_message', which is allowed only with 'error'")
        return self

    def is_for(self, arguments: Mapping[str, Json]) -> bool:
        """Return true when every argument in `when` has its value."""
        return all(name in arguments and _same(arguments[name], value) for name, value in self.when.items())


class MockImplementation(ToolImplementation):
    """Prepared answers, returned after `delay_ms`: the first of `answers` whose condition matches, else a failure with
    `error`, else `mock_response`."""

    type: Literal["mock"]
    mock_response: Json = None
    answers: Annotated[tuple[MockAnswer, ...], Field(max_length=MAX_ANSWERS)] = ()
    delay_ms: Annotated[int, Field(ge=0, le=900_000, strict=True)] = 0
    error: ErrorText | None = None

    def answer_to(self, arguments: Mapping[str, Json]) -> MockAnswer | None:
        """Return the answer prepared for these arguments; None for the default answer."""
        return next((answer for answer in self.answers if answer.is_for(arguments)), None)


def _same(given: Json, wanted: Json) -> bool:
    match given, wanted:
        case str(), str():
            return given.strip().casefold() == wanted.strip().casefold()
        case (bool(), _) | (_, bool()):
            return given is wanted
        case list(), list():
            return len(given) == len(wanted) and all(map(_same, given, wanted))
        case dict(), dict():
            return given.keys() == wanted.keys() and all(_same(given[name], wanted[name]) for name in wanted)
        case _:
            return given == wanted
