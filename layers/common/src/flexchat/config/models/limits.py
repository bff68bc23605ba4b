"""The `sessions` and `limits` sections."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from flexchat.config.models.base import ConfigModel, Count, Flag, allow_comment, without_comment
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
    """Limits of one caller or one session; `null` means no limit.

    Minutes and days are those of the clock in UTC.
    """

    requests_per_minute: Count | None = None
    tool_calls_per_minute: Count | None = None
    tokens_per_day: Count | None = None


class LimitsConfig(ConfigModel):
    """The `limits` section: limits of callers and sessions.

    `caller` applies to each API token. `roles`, then `principals` (by token id), override single limits of it.
    `session` applies to each session in addition. `reserved_tokens` are reserved for a chat until its usage is
    reported.
    """

    caller: Limits = Limits.model_construct()
    roles: Annotated[
        dict[RoleName, Limits], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, Limits])
    principals: Annotated[
        dict[str, Limits], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, Limits])
    session: Limits = Limits.model_construct()
    reserved_tokens: Count = 2_000
