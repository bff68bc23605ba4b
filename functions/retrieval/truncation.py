"""Keeps the passages of a result within its size, each cut where it hurts least: in its middle."""

from collections.abc import Sequence
from typing import cast

from flexchat.json import byte_size
from flexchat.messages import Json

MIN_TEXT_BYTES = 200
"""A passage that could not show at least this much is left out rather than cut."""

HEAD_SHARE = 2 / 3


def within(results: Sequence[dict[str, Json]], max_bytes: int) -> list[dict[str, Json]]:
    """`results`, each an object with a `text`, as many and as long as fit into `max_bytes` of JSON, in their order.

    Short texts stay whole and leave their share to the long ones. Metadata goes before a text does.
    """
    kept = [dict(result) for result in results]
    if _size(kept) <= max_bytes:
        return kept
    while kept and _frames(kept) + sum(min(MIN_TEXT_BYTES, _text_size(result)) for result in kept) > max_bytes:
        if any(result.get("metadata") for result in kept):
            kept = [{**result, "metadata": {}} for result in kept]
        else:
            kept.pop()
    shares = _shares([_text_size(result) for result in kept], max_bytes - _frames(kept))
    return [{**result, "text": shortened(_text(result), share)} for result, share in zip(kept, shares, strict=True)]


def shortened(text: str, max_bytes: int) -> str:
    """`text` with so much left out of its middle that it takes at most `max_bytes` as JSON without its quotes.

    What is left out is said in its place.
    """
    if _json_size(text) <= max_bytes:
        return text
    least, most = 0, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        if _json_size(_cut(text, middle)) <= max_bytes:
            least = middle
        else:
            most = middle - 1
    return _cut(text, least) if least else ""


def _cut(text: str, keep: int) -> str:
    head = round(keep * HEAD_SHARE)
    tail = keep - head
    return f"{text[:head].rstrip()} … [{len(text) - keep} characters left out] … {text[len(text) - tail :].lstrip()}"


def _shares(sizes: Sequence[int], total: int) -> list[int]:
    """`total` dealt out fairly: who needs less than an equal share gets that, the others divide the rest."""
    shares = [0] * len(sizes)
    left = total
    by_size = sorted(range(len(sizes)), key=lambda position: sizes[position])
    for done, position in enumerate(by_size):
        shares[position] = min(sizes[position], left // (len(sizes) - done))
        left -= shares[position]
    return shares


def _text(result: dict[str, Json]) -> str:
    return cast("str", result["text"])


def _text_size(result: dict[str, Json]) -> int:
    return _json_size(_text(result))


def _json_size(text: str) -> int:
    return byte_size(text) - 2


def _frames(results: Sequence[dict[str, Json]]) -> int:
    """The bytes of everything but the texts."""
    return _size([{**result, "text": ""} for result in results])


def _size(results: Sequence[dict[str, Json]]) -> int:
    return byte_size(list(results))
