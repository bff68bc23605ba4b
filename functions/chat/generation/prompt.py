"""System prompt: a rule's template with the values of the profile (decision C41), and the client's instructions."""

import re
from collections.abc import Mapping

from flexchat.config.models.phases import PLACEHOLDER
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.observability import logger


def system_prompt(template: str, profile: Mapping[str, Json], instructions: str) -> str:
    """Return the text of the system message: the rule's prompt, then the instructions of the front end, if any."""
    return "\n\n".join(filter(None, (substitute_variables(template, profile), instructions)))


def substitute_variables(template: str, profile: Mapping[str, Json]) -> str:
    """Return `template` with every `{{name}}` and `{{dotted.name}}` replaced from `profile`, in one pass.

    A value is never expanded again, so a user's text cannot reach another value. An unknown name is left unchanged,
    with a warning; `None` becomes an empty string, and objects and lists become JSON.
    """
    unresolved: list[str] = []

    def value_of(match: re.Match[str]) -> str:
        found, value = _look_up(profile, match[1].split("."))
        if not found:
            unresolved.append(match[1])
            return match[0]
        return _as_text(value)

    text = PLACEHOLDER.sub(value_of, template)
    if unresolved:
        logger.warning("prompt placeholder unresolved", names=unresolved)
    return text


def _look_up(profile: Mapping[str, Json], path: list[str]) -> tuple[bool, Json]:
    value: Json = dict(profile)
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return False, None
        value = value[name]
    return True, value


def _as_text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else dumps(value)
