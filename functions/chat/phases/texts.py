"""How long texts are told in a few words."""


def shortened(text: str, limit: int) -> str:
    """`text`, or the beginning of it, in at most `limit` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def in_one_line(text: str) -> str:
    return " ".join(text.split())
