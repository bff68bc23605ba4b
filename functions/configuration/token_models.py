"""Requests and responses of the token routes."""

from datetime import datetime
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from flexchat.api.base import ApiModel, Optional
from flexchat.config.models.roles import RoleName
from flexchat.redaction import contains_key
from flexchat.tokens import checked_name

MAX_DAYS: Final = 365
"""Most days of a token that the API creates; `flexchat tokens create` accepts more."""

DEFAULT_DAYS: Final = 90


def _without_key(name: str) -> str:
    """Return the name of a token. Raises ValueError for a key, which the list of tokens would show."""
    if contains_key(name):
        raise ValueError("must be a name, and looks like a key or a token")
    return name


type LimitValues = dict[str, int | float | None]


class TokenLimits(ApiModel):
    """Limits of a token by their names; null means no limit.

    `own` are those of `limits.principals` in the configuration, `inherited` those of all callers and of the token's
    roles, and `effective` those that apply: the inherited ones, each replaced by its own.
    """

    own: LimitValues
    inherited: LimitValues
    effective: LimitValues


class TokenView(ApiModel):
    """A token without its secret; `hint` is the end of the secret.

    `id` is the principal of its requests. `created_by` is the caller of the API that created it, missing for a token of
    `flexchat tokens create`. `limits` is missing while no configuration can be read.
    """

    id: str
    name: str
    roles: tuple[str, ...]
    hint: str
    state: Literal["live", "expired"]
    created_at: datetime
    expires_at: datetime
    created_by: Optional[str] = None
    limits: Optional[TokenLimits] = None


class TokenList(ApiModel):
    """Tokens of the stage, the newest first; DynamoDB deletes an expired one within days.

    `roles` are those that a token may have: the built-in ones, and those of the configuration.
    `managed` is false where the stage does not create or revoke tokens by the API, for the reason `managed_problem`.
    """

    stage: str
    managed: bool
    managed_problem: Optional[str] = None
    max_days: int
    roles: tuple[str, ...]
    tokens: tuple[TokenView, ...]


class NewToken(ApiModel):
    """A token to create, valid for `days`.

    An operator may give any role that is built in or in the section `roles` of the configuration. `service` needs the
    role of its end users beside it: `user`, or one of the configuration.
    """

    name: Annotated[str, AfterValidator(checked_name), AfterValidator(_without_key)]
    roles: Annotated[tuple[RoleName, ...], Field(min_length=1, max_length=8)] = ("user",)
    days: Annotated[int, Field(ge=1, le=MAX_DAYS, strict=True)] = DEFAULT_DAYS

    @model_validator(mode="after")
    def check_roles(self) -> Self:
        """Raise ValueError for a service that could name end users without the right to chat."""
        if "service" in self.roles and {"service", "operator"}.issuperset(self.roles):
            raise ValueError("the role 'service' needs the role 'user' beside it: its end users have that role")
        return self


class CreatedToken(ApiModel):
    """A new token; `token` is its only copy, since the stage stores a hash of the secret."""

    token: str
    record: TokenView
