"""Secrets in the `implementation` of a tool, resolved in the function of its type."""

from collections.abc import Iterable, Mapping
from typing import Protocol, cast

from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.redaction import redact_in_logs
from flexchat.secret_references import SecretsError, fill, is_secret_field, references_in, texts_in
from flexchat.tool_implementation import ToolImplementation


class SecretReader(Protocol):
    """Secrets of a stage, such as StageSecrets; raises SecretsError."""

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        """Return the texts of secrets by their names."""
        ...

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        """Return the hosts that each secret may be sent to."""
        ...


def resolve_secrets(
    implementation: dict[str, Json], model: type[ToolImplementation], read: SecretReader
) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Return `implementation` with the references in the model's `secret_fields` resolved, and the secrets.

    From then on the process redacts them from its log lines. Raises ToolError, `configuration` or `unavailable`; a
    secret that is not bound to the host it would be sent to is a configuration error.
    """
    fields = model.secret_fields
    used = [
        (name, model.secret_host(path, implementation))
        for path, text in texts_in(implementation)
        if is_secret_field(path, fields)
        for name in references_in(text)
    ]
    names = tuple(dict.fromkeys(name for name, _ in used))
    if not names:
        return implementation, ()
    try:
        secrets = read(names)
        _check_hosts(used, read)
    except SecretsError as exc:
        raise ToolError(f"The tool's secrets cannot be resolved: {exc.message}", type=exc.type) from exc
    redact_in_logs(secrets.values())
    return cast("dict[str, Json]", _filled(implementation, model, secrets, "")), tuple(secrets.values())


def _check_hosts(used: Iterable[tuple[str, str | None]], read: SecretReader) -> None:
    """Raise SecretsError for a secret that is not bound to its host: a changed address must not receive it."""
    needed = [(name, host) for name, host in used if host is not None]
    if not needed:
        return
    bound = read.hosts(tuple(dict.fromkeys(name for name, _ in needed)))
    for name, host in needed:
        if host not in bound.get(name, frozenset[str]()):
            logger.error("secret rejected", reference=name, host=host)
            raise SecretsError(f"secret {name!r} is not bound to the host of this tool", type="configuration")


def _filled(value: Json, model: type[ToolImplementation], secrets: Mapping[str, str], path: str) -> Json:
    below = f"{path}." if path else ""
    match value:
        case str() if is_secret_field(path, model.secret_fields):
            return fill(value, {name: model.secret_text(path, secrets[name]) for name in references_in(value)})
        case dict():
            return {name: _filled(item, model, secrets, f"{below}{name}") for name, item in value.items()}
        case list():
            return [_filled(item, model, secrets, f"{below}{index}") for index, item in enumerate(value)]
        case _:
            return value
