"""References to secrets, as `${NAME}`, in texts of the configuration, and the parameters that store secrets."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Literal

from flexchat.errors import FlexchatError
from flexchat.messages import Json

SECRET_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Reference to a secret in the configuration, as `${OPENAI_API_KEY}`."""

SECRET_NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")

RESERVED_PREFIXES = ("AWS_", "LAMBDA_", "_X_")


class SecretsError(FlexchatError):
    """Some secrets cannot be resolved: `configuration` when the operator must act, `unavailable` otherwise."""

    def __init__(self, message: str, *, type: Literal["configuration", "unavailable"]) -> None:
        super().__init__(message)
        self.message = message
        self.type: Literal["configuration", "unavailable"] = type


def secrets_path(stage: str) -> str:
    return f"/flexchat/{stage}/secrets"


def secret_name(stage: str, name: str) -> str:
    return f"{secrets_path(stage)}/{name}"


def secret_hosts_name(stage: str, name: str) -> str:
    """Return the parameter with the hosts that a secret may be sent to, separated by commas."""
    return f"{secret_name(stage, name)}/hosts"


def is_reserved(name: str) -> bool:
    """Return true for a name of the Lambda runtime: its credentials must not reach a provider."""
    return name.upper().startswith(RESERVED_PREFIXES)


def references_in(text: str) -> tuple[str, ...]:
    """Return the names in `text`, in order, each once."""
    return tuple(dict.fromkeys(SECRET_REFERENCE.findall(text)))


def secret_problems(names: Iterable[str], secrets: Mapping[str, str], *, stage: str) -> tuple[str, ...]:
    """Return reasons why some of `names` cannot be resolved from `secrets`: reserved names, then missing secrets."""
    reserved = tuple(name for name in names if is_reserved(name))
    missing = tuple(name for name in names if name not in reserved and name not in secrets)
    return (
        *(f"secret {name!r} belongs to the function itself and cannot be named" for name in reserved),
        *(f"secret {name!r} is not stored; run `flexchat secrets set {name} --stage {stage}`" for name in missing),
    )


def fill(text: str, secrets: Mapping[str, str]) -> str:
    """Return `text` with its references resolved in one pass: the text of a secret is not searched.

    Every name must be in `secrets`.
    """
    return SECRET_REFERENCE.sub(lambda match: secrets[match[1]], text)


def texts_in(value: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """Return every text inside of `value`, as (path, text): `headers.Authorization`, `args.0`; without comments."""
    match value:
        case str():
            yield path, value
        case dict():
            for name, item in value.items():
                if name != "comment":
                    yield from texts_in(item, f"{path}.{name}" if path else name)
        case list():
            for index, item in enumerate(value):
                yield from texts_in(item, f"{path}.{index}" if path else str(index))
        case _:
            pass


def is_secret_field(path: str, patterns: Iterable[str]) -> bool:
    """Return true when `path` matches one of `patterns`, in which `*` is any name: `headers.*`."""
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def bound_hosts(text: str) -> frozenset[str]:
    """Return the hosts in the stored text of those that a secret is bound to, separated by commas."""
    return frozenset(filter(None, (host.strip() for host in text.split(","))))
