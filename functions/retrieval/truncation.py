"""Truncation of passages to the size of a result; a text is cut in its middle."""

from collections.abc import Sequence
from typing import cast

from flexchat.json import byte_size
from flexchat.messages import Json

MIN_TEXT_BYTES = 200
"""Smallest size of a truncated passage; a smaller one is removed."""

HEAD_SHARE = 2 / 3


def within(results: Sequence[dict[str, Json]], max_bytes: int) -> list[dict[str, Json]]:
    """Return `results`, each an object with a `text`, truncated to `max_bytes` of JSON, in their order.

    Short texts are not truncated and leave their share to long ones. Metadata is removed before texts are truncated.
    """
    remaining = [dict(result) for result in results]
    if _size(remaining) <= max_bytes:
        return remaining
    while (
        remaining
        and _frames(remaining) + sum(min(MIN_TEXT_BYTES, _text_size(result)) for result in remaining) > max_bytes
    ):
        if any(result.get("metadata") for result in remaining):
            remaining = [{**result, "metadata": {}} for result in remaining]
        else:
            remaining.pop()
    shares = _shares([_text_size(result) for result in remaining], max_bytes - _frames(remaining))
    return [
        {**result, "text": shortened(_text(result), share)} for result, share in zip(remaining, shares, strict=True)
    ]


def shortened(text: str, max_bytes: int) -> str:
    """Return `text` truncated in its middle to `max_bytes` as JSON without its quotes.

    A note gives the number of removed characters.
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
    """Divide `total`: a size below an equal share is granted, the others share the rest."""
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
    """Return the size of the results without their texts."""
    return _size([{**result, "text": ""} for result in results])


def _size(results: Sequence[dict[str, Json]]) -> int:
    return byte_size(list(results))
