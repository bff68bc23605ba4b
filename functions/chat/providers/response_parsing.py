"""Reading a provider's answer: what it must have, and what is said when it has not."""

from typing import Annotated, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError


class Wire(BaseModel):
    """What is read of an answer; everything else in it is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def _object_or_empty(value: object) -> object:
    return cast("object", value) if isinstance(value, dict) else {}


T = TypeVar("T", bound=Wire)
OrEmpty = Annotated[T, BeforeValidator(_object_or_empty)]
"""A part of a tool call; anything but an object is read as an empty one, so that it does not fail the whole answer."""


MAX_TOKENS = 1_000_000_000
"""The most tokens of one kind that an answer may report; no model reads as many."""

Tokens = Annotated[int, AfterValidator(lambda count: max(0, min(count, MAX_TOKENS)))]
"""A count of tokens as a provider reports it, brought into range: limits and costs are counted by it."""


def read_answer[T: Wire](type: type[T], body: bytes) -> T:
    """`body` as `type`. Raises ValueError with the first thing that is wrong, without quoting the body."""
    try:
        return type.model_validate_json(body)
    except ValidationError as exc:
        problem = exc.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(step) for step in problem["loc"])
        raise ValueError(f"{where}: {problem['msg']}" if where else problem["msg"]) from exc
