"""Texts that must not become too long."""

_HEAD_SHARE = 0.7


def cut(text: str, limit: int) -> str:
    """`text` as it is, or its head and tail, `limit` characters of it, around a marker of how much was left out."""
    if len(text) <= limit:
        return text
    head = int(limit * _HEAD_SHARE)
    tail = limit - head
    return f"{text[:head]}… [{len(text) - limit} characters left out] …{text[-tail:]}"
