"""Base of the models of the API."""

from functools import partial
from operator import is_
from typing import Annotated, TypeVar

from pydantic import ConfigDict, Field

from flexchat.json import StrictNumberModel


class ApiModel(StrictNumberModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


T = TypeVar("T")
Optional = Annotated[T | None, Field(exclude_if=partial(is_, None))]
"""Optional key, left out of a response where it is None."""
