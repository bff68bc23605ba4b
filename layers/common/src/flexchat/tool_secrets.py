"""Secrets in the `implementation` of a tool, resolved in the function of its type."""

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.redaction import redact_in_logs
from flexchat.secret_references import SecretsError, fill, is_secret_field, references_in, texts_in

type ReadSecrets = Callable[[tuple[str, ...]], Mapping[str, str]]
"""Returns the texts of secrets by their names; raises SecretsError."""


def resolve_secrets(
    implementation: dict[str, Json], fields: Iterable[str], read: ReadSecrets
) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Return `implementation` with the references in `fields` resolved, and the secrets.

    From then on the process redacts them from its log lines. Raises ToolError, `configuration` or `unavailable`.
    """
    fields = tuple(fields)
    texts = (text for path, text in texts_in(implementation) if is_secret_field(path, fields))
    names = tuple(dict.fromkeys(name for text in texts for name in references_in(text)))
    if not names:
        return implementation, ()
    try:
        secrets = read(names)
    except SecretsError as exc:
        raise ToolError(f"The tool's secrets cannot be resolved: {exc.message}", type=exc.type) from exc
    redact_in_logs(secrets.values())
    return cast("dict[str, Json]", _filled(implementation, fields, secrets, "")), tuple(secrets.values())


def _filled(value: Json, fields: tuple[str, ...], secrets: Mapping[str, str], path: str) -> Json:
    below = f"{path}." if path else ""
    match value:
        case str():
            return fill(value, secrets) if is_secret_field(path, fields) else value
        case dict():
            return {name: _filled(item, fields, secrets, f"{below}{name}") for name, item in value.items()}
        case list():
            return [_filled(item, fields, secrets, f"{below}{index}") for index, item in enumerate(value)]
        case _:
            return value
