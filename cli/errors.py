"""Errors of commands."""

from collections.abc import Collection
from pathlib import Path

from flexchat.config.suggestions import known_names
from flexchat.errors import FlexchatError


class LocalError(FlexchatError):
    """A failure of the local stack or of a local tool; `log` is the file with its output."""

    def __init__(self, message: str, *, log: Path | None = None) -> None:
        super().__init__(f"{message}\n  log: {log}" if log else message)
        self.log = log


class StoppedError(LocalError):
    """A step that ended because the local stack is being stopped; nothing is reported."""


class DeploymentError(FlexchatError):
    """A deployment cannot begin, or failed; the message has the cause and the remedy."""


class UnknownNameError(FlexchatError):
    """A name that does not exist; the message lists the existing ones."""


def unknown(kind: str, name: str, known: Collection[str], *, where: str) -> UnknownNameError:
    """Return the error for `name`; `kind` is a singular noun, `where` the stage or file that has the `known` names."""
    return UnknownNameError(f"{where} has no {kind} {name!r}; it has: {known_names(name, known)}")


class ServiceError(FlexchatError):
    """A failed request; `status` is that of the response, None without one, and `code` the `error` of its body."""

    def __init__(self, message: str, *, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class LostConnectionError(ServiceError):
    """A connection without a response, or one that broke off before its end."""
