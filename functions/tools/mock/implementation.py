"""What the configuration says about a tool of type mock."""

from typing import Annotated, Literal

from pydantic import Field

from flexchat.config.models import ConfigModel, Milliseconds
from flexchat.messages import Json


class Implementation(ConfigModel):
    """A prepared answer (document 003, line 654): `mock_response`, after `delay_ms`; or a failure, with `error`."""

    type: Literal["mock"]
    mock_response: Json = None
    delay_ms: Annotated[int, Field(ge=0, le=900_000, strict=True)] = 0
    error: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    timeout_ms: Milliseconds | None = None
