"""Table of built-in handlers by name, imported at their first use."""

import functools
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from flexchat.messages import Json

Handler = Callable[[Mapping[str, Json]], Json]
"""Function of a call's arguments that returns its result.

Raises `ToolInputError` for invalid arguments, `ToolError` for a failure.
"""


def echo(arguments: Mapping[str, Json]) -> Json:
    """Params: any. Result: `{"echo": params}`, for tests of the connection."""
    return {"echo": dict(arguments)}


def _math_eval() -> Handler:
    from functions.tools.builtin.math_eval import math_eval

    return math_eval


def _datetime() -> Handler:
    from functions.tools.builtin.date_time import DateTime

    return DateTime(now=lambda: datetime.now(UTC))


def _string() -> Handler:
    from functions.tools.builtin.string import string

    return string


def _uuid() -> Handler:
    from functions.tools.builtin.uuids import Uuids

    return Uuids(random_bytes=os.urandom)


HANDLERS: Mapping[str, Callable[[], Handler]] = {
    "datetime": _datetime,
    "echo": lambda: echo,
    "math_eval": _math_eval,
    "string": _string,
    "uuid": _uuid,
}


@functools.cache
def handler_named(name: str) -> Handler:
    """Return the handler `name`, one of `HANDLERS`."""
    return HANDLERS[name]()
