"""Response bodies that are too large, too slow or expand too far: valid answers that are costly for a client."""

import zlib
from copy import replace

from dev.demo_model.fault_injection import Faults
from dev.demo_model.http import Answer

OVERSIZE_BYTES = 20 * 1024 * 1024
BOMB_BYTES = 128 * 1024 * 1024
"""Size of a gzip bomb after decompression; about a thousandth of it is sent."""

DRIP_SECONDS = 0.1
"""Pause after each byte of a slow body."""

_PADDING = b" " * (1024 * 1024)
GZIP = 31
"""zlib's window size for a gzip header and trailer."""


def with_body_faults(answer: Answer, faults: Faults) -> Answer:
    """Return `answer` with the requested fault: padded with spaces, compressed or slow."""
    if faults.oversize:
        answer = replace(answer, body=answer.body + _PADDING * (OVERSIZE_BYTES // len(_PADDING)))
    if faults.bomb:
        answer = replace(answer, body=_bomb(answer.body), headers={**answer.headers, "Content-Encoding": "gzip"})
    return replace(answer, pause_seconds=DRIP_SECONDS) if faults.drip else answer


def _bomb(body: bytes) -> bytes:
    compressor = zlib.compressobj(1, wbits=GZIP)
    pieces = [compressor.compress(body)]
    pieces += [compressor.compress(_PADDING) for _ in range(BOMB_BYTES // len(_PADDING))]
    return b"".join((*pieces, compressor.flush()))
