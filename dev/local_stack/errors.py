"""What can go wrong on this machine, in words."""

from pathlib import Path

from flexchat.errors import FlexchatError


class LocalError(FlexchatError):
    """The local stack could not do what was asked; `log` is the file that tells more."""

    def __init__(self, message: str, *, log: Path | None = None) -> None:
        super().__init__(f"{message}\n  log: {log}" if log else message)
        self.log = log


class StoppedError(LocalError):
    """A step ended because everything is being stopped, so there is nothing to report about it."""
