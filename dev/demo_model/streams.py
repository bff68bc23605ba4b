"""Streamed responses: the events of a complete response, and the faults in them."""

import zlib
from dataclasses import dataclass

from dev.demo_model.bodies import BOMB_BYTES, DRIP_SECONDS, GZIP, OVERSIZE_BYTES
from dev.demo_model.conversation import Conversation
from dev.demo_model.fault_injection import Faults
from dev.demo_model.http import Answer
from dev.demo_model.protocols.base import ProtocolError, ProviderProtocol
from dev.demo_model.server_quirks import with_odd_calls, with_odd_pieces
from flexchat.messages import Json

DEFAULT_CHARACTERS = 4
_ERROR_STATUS = 503


@dataclass(frozen=True, slots=True)
class StreamRate:
    """Rate of streams: characters in each event, and the pause between two events."""

    characters: int = DEFAULT_CHARACTERS
    pause_ms: int = 0


WITHOUT_PAUSES = StreamRate()


def streamed(
    wire: ProviderProtocol,
    conversation: Conversation,
    answer: Json,
    faults: Faults,
    rate: StreamRate,
    *,
    strikes: bool,
) -> Answer:
    """Return `answer`, the response without a stream, as a stream with the requested faults.

    `strikes` enables the faults that break it off.
    """
    writer = wire.stream
    events = with_odd_calls(list(writer.events(conversation, answer, faults.chunk or rate.characters)), faults.quirk)
    padding = BOMB_BYTES if faults.bomb else OVERSIZE_BYTES if faults.oversize else 0
    pieces = [writer.encode(event, padding if number == 0 else 0) for number, event in enumerate(events)]
    if end := writer.end():
        pieces.append(end)
    pieces = with_odd_pieces(pieces, faults.quirk, writer.content_type)
    if strikes:
        pieces = _broken_off(wire, pieces, faults)
    headers = {"Content-Type": writer.content_type}
    pause_ms = rate.pause_ms if faults.stream_ms is None else faults.stream_ms
    pause_seconds = pause_ms / 1000
    if faults.bomb:
        headers["Content-Encoding"] = "gzip"
        pieces = [zlib.compress(b"".join(pieces), 1, GZIP)]
    if faults.drip:
        pieces, pause_seconds = [bytes((byte,)) for piece in pieces for byte in piece], DRIP_SECONDS
    cut = strikes and faults.cut and not (faults.error or faults.end)
    return Answer(200, headers=headers, pieces=tuple(pieces), pause_seconds=pause_seconds, cut=cut)


def _broken_off(wire: ProviderProtocol, pieces: list[bytes], faults: Faults) -> list[bytes]:
    """Return the pieces before the break, then an error event, nothing, or half of the next piece."""
    at = len(pieces) // 2 if faults.at is None else min(faults.at, len(pieces) - 1)
    if faults.error:
        status = _ERROR_STATUS if faults.status is None else faults.status
        error = ProtocolError("(demo model) an error in the stream was asked for", status)
        return [*pieces[:at], wire.stream.encode(wire.stream.error(wire.refuse(error)))]
    if faults.end:
        return pieces[:at]
    return [*pieces[:at], pieces[at][: len(pieces[at]) // 2]]
