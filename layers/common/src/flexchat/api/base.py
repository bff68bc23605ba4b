"""What every model of the API has in common."""

from typing import Annotated, TypeVar

from pydantic import ConfigDict, Field

from flexchat.strict_numbers import StrictNumberModel


def _is_none(value: object) -> bool:
    return value is None


class ApiModel(StrictNumberModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


T = TypeVar("T")
Optional = Annotated[T | None, Field(exclude_if=_is_none)]
"""A key that is left out of an answer where it does not apply."""
