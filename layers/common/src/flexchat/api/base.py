"""Base of the models of the API."""

from typing import Annotated, TypeVar

from pydantic import ConfigDict, Field

from flexchat.strict_numbers import StrictNumberModel


def _is_none(value: object) -> bool:
    return value is None


class ApiModel(StrictNumberModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


T = TypeVar("T")
Optional = Annotated[T | None, Field(exclude_if=_is_none)]
"""Optional key, left out of a response where it is None."""
