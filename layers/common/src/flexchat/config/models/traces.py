"""The `traces` section: which chats leave a trace, with which content, for how long."""

from typing import Annotated, Literal

from pydantic import Field

from flexchat.config.models.base import ConfigModel

type TraceContent = Literal["none", "errors", "all"]
"""Chats whose messages, arguments and results are in their traces: of none, of those that failed, of all."""


class TracesConfig(ConfigModel):
    """The `traces` section.

    `sample` is the share of chats that leave a trace; chats that fail always do unless it is 0. `days` is the
    retention, at most that of the stage.
    """

    sample: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 1.0
    content: TraceContent = "errors"
    days: Annotated[int, Field(ge=1, le=365, strict=True)] = 7
