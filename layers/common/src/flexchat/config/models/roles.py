"""The `roles` section: what people with a role of their own may use."""

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from flexchat.config.models.base import ConfigModel
from flexchat.tokens import ROLE_PATTERN

Right = Literal["configure", "validate"]
"""Right of an operator that a role may have: to change the configuration, or to run validations and change suites."""

View = Literal["chat", "tools-testing", "validation", "traces", "usage", "retrieval"]
"""View of the page for people without the role `operator`."""

VIEWS: tuple[View, ...] = get_args(View)

RESERVED_ROLES = frozenset(("operator", "service"))
"""Built-in roles whose rights no configuration changes."""


def _configurable(name: str) -> str:
    if name in RESERVED_ROLES:
        raise ValueError(f"the rights of the role {name!r} cannot be configured; use another name")
    return name


RoleName = Annotated[str, Field(pattern=ROLE_PATTERN)]

ConfiguredRoleName = Annotated[str, Field(pattern=ROLE_PATTERN), AfterValidator(_configurable)]

_Names = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=256, pattern=r"^[^?\[\]]+$")], ...], Field(max_length=100)
]
"""Names; `*` in one stands for any characters."""


class RoleConfig(ConfigModel):
    """One role: names of response rules, models (`llm:model`), tools and collections that people with it may use.

    In a name, `*` stands for any characters; a list that is left out has everything, an empty one nothing. `views` are
    the views of the page. `may` has rights of operators. The rights of several roles add up.
    """

    rules: _Names = ("*",)
    models: _Names = ("*",)
    tools: _Names = ("*",)
    collections: _Names = ("*",)
    views: tuple[View, ...] = VIEWS
    may: tuple[Right, ...] = ()
