"""The `choices` section."""

from typing import Annotated

from pydantic import Field

from flexchat.config.models.base import ConfigModel
from flexchat.config.models.openai_api import Names
from flexchat.config.models.roles import RoleName


class ChoicesConfig(ConfigModel):
    """Response rules and models that a caller may choose for a message of `POST /api/chat`, in place of those that the
    service selects.

    `rules` are names of response rules, `models` are models of llms, as `llm:model`. `roles` are the roles of the
    callers who may choose; the role `operator` includes `user`.
    """

    roles: Annotated[tuple[RoleName, ...], Field(max_length=32)] = ("user", "operator")
    rules: Names = ()
    models: Names = ()
