"""Errors about names that do not exist."""

from collections.abc import Collection

from flexchat.config.suggestions import known_names
from flexchat.errors import FlexchatError


class UnknownNameError(FlexchatError):
    """A name that does not exist; the message lists those that do."""


def unknown(kind: str, name: str, known: Collection[str], *, where: str) -> UnknownNameError:
    """The error for `name`; `kind` is a singular noun, `where` the stage or file that has the `known` names."""
    return UnknownNameError(f"{where} has no {kind} {name!r}; it has: {known_names(name, known)}")
