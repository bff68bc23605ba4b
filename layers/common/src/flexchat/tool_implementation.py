"""Base model of the `implementation` of each tool type."""

from collections.abc import Mapping
from typing import ClassVar

from flexchat.config.models.base import ConfigModel, Milliseconds
from flexchat.messages import Json


class ToolImplementation(ConfigModel):
    """Part of a tool's configuration that belongs to its type.

    `secret_fields` are the fields whose text may name secrets, as paths with `*` for any name: `headers.*`. They stay
    unresolved in every payload; the function of the type resolves them.
    """

    secret_fields: ClassVar[tuple[str, ...]] = ()

    timeout_ms: Milliseconds | None = None

    @classmethod
    def with_handler(cls, implementation: Mapping[str, Json], handler: str | None) -> dict[str, Json]:
        """Return `implementation` with `handler` when the type has handlers and it names none (decision C21)."""
        wants_handler = "handler" in cls.model_fields and "handler" not in implementation
        return {**implementation, "handler": handler} if handler is not None and wants_handler else {**implementation}

    @classmethod
    def secret_host(cls, path: str, implementation: Mapping[str, Json]) -> str | None:
        """Return the host that a secret in the field at `path` is sent to; None for a type that binds no secrets."""
        del path, implementation
        return None

    @classmethod
    def secret_text(cls, path: str, secret: str) -> str:
        """Return `secret` as it is inserted into the field at `path`."""
        del path
        return secret
