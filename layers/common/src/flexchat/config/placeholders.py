"""The variables of a prompt: `{{name}}` and `{{dotted.name}}`."""

import re

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}")


def placeholders(prompt: str) -> tuple[str, ...]:
    """The names that `prompt` asks for, each once, in order."""
    return tuple(dict.fromkeys(PLACEHOLDER.findall(prompt)))
