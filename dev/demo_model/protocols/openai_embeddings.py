"""OpenAI's embeddings of the demo model: texts with the same words are near."""

import base64
import re
import struct
from hashlib import sha256
from math import sqrt
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from dev.demo_model.http import Request
from dev.demo_model.protocols.base import tokens
from dev.demo_model.protocols.requests import dotted, parse
from flexchat.messages import Json

PATH: Final = "/v1/embeddings"
DIMENSIONS: Final = 256

_WORD = re.compile(r"\w+")


class _EmbeddingsRequest(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str
    input: Annotated[str, Field(min_length=1)] | Annotated[tuple[str, ...], Field(min_length=1, max_length=2_048)]
    dimensions: Annotated[int, Field(ge=1, le=4_096)] = DIMENSIONS
    encoding_format: Literal["float", "base64"] = "float"


def embeddings(request: Request) -> Json:
    """Return the response to a request for embeddings. Raises ProtocolError."""
    wanted = parse(_EmbeddingsRequest, request.body, dotted)
    texts = (wanted.input,) if isinstance(wanted.input, str) else wanted.input
    used = sum(tokens(len(text)) for text in texts)
    return {
        "object": "list",
        "model": wanted.model,
        "data": [
            {"object": "embedding", "index": index, "embedding": _encoded(vector_of(text, wanted.dimensions), wanted)}
            for index, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": used, "total_tokens": used},
    }


def vector_of(text: str, dimensions: int) -> list[float]:
    """Return the unit vector of the hashed words of a text."""
    vector = [0.0] * dimensions
    for word in _WORD.findall(text.lower()) or [text]:
        digest = sha256(word.encode()).digest()
        vector[int.from_bytes(digest[:4]) % dimensions] += 1.0 if digest[4] % 2 else -1.0
    length = sqrt(sum(number * number for number in vector)) or 1.0
    return [number / length for number in vector]


def _encoded(vector: list[float], wanted: _EmbeddingsRequest) -> Json:
    if wanted.encoding_format == "base64":
        return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
    return [*vector]
