"""Variables of a prompt: `{{name}}` and `{{dotted.name}}`."""

import re

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}")


def placeholders(prompt: str) -> tuple[str, ...]:
    """Return the names of the variables in `prompt`, each once, in order."""
    return tuple(dict.fromkeys(PLACEHOLDER.findall(prompt)))
