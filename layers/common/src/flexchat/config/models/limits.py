"""The `sessions` and `limits` sections."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from flexchat.config.models.base import ConfigModel, Count, Flag, Usd, allow_comment, without_comment
from flexchat.config.models.phases import ModelChoice
from flexchat.config.models.roles import RoleName


class SharingConfig(ConfigModel):
    """The `sessions.sharing` section: read-only links to conversations.

    Tokens with one of `roles` may create links, which are valid for at most `max_days`. While `enabled` is false, no
    link is created and none can be opened.
    """

    enabled: Flag = False
    roles: Annotated[tuple[RoleName, ...], Field(min_length=1, max_length=32)] = ("user", "operator")
    max_days: Annotated[int, Field(ge=1, le=365, strict=True)] = 30


class SessionsConfig(ConfigModel):
    """The `sessions` section.

    `ttl_days` is the retention after the last message. `max_history_tokens` is the maximum of estimated tokens of a
    session's history sent to the model. `title` is the model that writes the titles of sessions; without it, a title
    is the beginning of the first message.
    """

    ttl_days: Annotated[int, Field(ge=1, le=365, strict=True)] = 30
    max_history_tokens: Annotated[int, Field(ge=256, strict=True)] = 16_000
    title: ModelChoice | None = None
    sharing: SharingConfig = SharingConfig.model_construct()


class Limits(ConfigModel):
    """Limits of one caller, one role or one session; `null` means no limit.

    Minutes, days and months are those of the clock in UTC. Money is in US dollars, by the prices of the models.
    """

    requests_per_minute: Count | None = None
    requests_per_day: Count | None = None
    requests_per_month: Count | None = None
    tool_calls_per_minute: Count | None = None
    tool_calls_per_day: Count | None = None
    tool_calls_per_month: Count | None = None
    tokens_per_minute: Count | None = None
    tokens_per_day: Count | None = None
    tokens_per_month: Count | None = None
    usd_per_minute: Usd | None = None
    usd_per_day: Usd | None = None
    usd_per_month: Usd | None = None


LimitsByName = Annotated[dict[str, Limits], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)]
LimitsByRole = Annotated[
    dict[RoleName, Limits], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
]


class LimitsConfig(ConfigModel):
    """The `limits` section: limits of callers, roles and sessions.

    `caller` applies to each API token. `roles`, then `principals` (by token id), override single limits of it.
    `role_totals` apply to all callers with a role together, and `session` to each session, both in addition.
    `reserved_tokens` and `reserved_usd` are reserved for a chat until its usage is reported.
    """

    caller: Limits = Limits.model_construct()
    roles: LimitsByRole = Field(default_factory=dict[str, Limits])
    principals: LimitsByName = Field(default_factory=dict[str, Limits])
    role_totals: LimitsByRole = Field(default_factory=dict[str, Limits])
    session: Limits = Limits.model_construct()
    reserved_tokens: Count = 2_000
    reserved_usd: Usd = 0.01
