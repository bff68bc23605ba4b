"""Limits of callers and their use."""

from datetime import datetime

from flexchat.api.base import ApiModel, Optional
from flexchat.errors import LimitName, LimitScope


class LimitView(ApiModel):
    """The limit that a request reached: its size, its use, and the time of its reset.

    `allowed` and `used` are numbers, or US dollars; `used` includes the reservations of running requests. `role` is
    that of a limit that all callers with a role share.
    """

    name: LimitName
    scope: LimitScope
    role: Optional[str] = None
    allowed: int | float
    used: int | float
    resets_at: datetime


class LimitUseView(ApiModel):
    """Use of one limit of a token until it resets; `used` includes what active chats have `reserved`.

    The numbers of limits of money (`usd_per_…`) are in US dollars. `role` is that of a limit that all callers with a
    role share.
    """

    name: LimitName
    allowed: int | float
    used: int | float
    reserved: int | float
    resets_at: datetime
    role: Optional[str] = None
