"""Pictures and files in requests: limits of the providers, and forms for models and APIs that do not take them."""

from collections.abc import Iterator, Mapping, Sequence
from copy import replace
from itertools import chain
from typing import Final

from msgspec import Struct

from flexchat.config.providers import ProviderType
from flexchat.messages import Document, Image, Message, Part, Text, ToolOutput, file_size
from functions.chat.providers.profiles import ModelProfile

PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
PDF: Final = "application/pdf"

_MB: Final = 1_000_000


class AttachmentLimits(Struct, frozen=True, kw_only=True):
    """Limits of one request: the number and size of pictures and of PDF files, and the media types of pictures."""

    images: int
    image_bytes: int
    documents: int
    document_bytes: int
    media_types: frozenset[str] = PICTURES


LIMITS: Final[Mapping[ProviderType, AttachmentLimits]] = {
    # https://platform.openai.com/docs/guides/images-vision#image-input-requirements
    "openai": AttachmentLimits(images=500, image_bytes=20 * _MB, documents=50, document_bytes=32 * _MB),
    # https://platform.claude.com/docs/en/build-with-claude/vision#general-limits
    "anthropic": AttachmentLimits(images=100, image_bytes=5 * _MB, documents=50, document_bytes=32 * _MB),
    # https://ai.google.dev/gemini-api/docs/image-understanding; a request with inline data has 20 MB
    "gemini": AttachmentLimits(
        images=3_000,
        image_bytes=14 * _MB,
        documents=50,
        document_bytes=14 * _MB,
        media_types=PICTURES - {"image/gif"},
    ),
    # https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
    "bedrock": AttachmentLimits(images=20, image_bytes=3_750_000, documents=5, document_bytes=4_500_000),
    "ollama": AttachmentLimits(images=100, image_bytes=20 * _MB, documents=0, document_bytes=0),
}
"""Limits by the type of the provider; `documents` counts PDF files that are sent as files."""


def refused_attachment(messages: Sequence[Message], name: str, limits: AttachmentLimits) -> str | None:
    """Return why the model `name` cannot get the pictures of `messages`, in a sentence; None where it can."""
    images = [image for message in messages for image in message.images]
    if len(images) > limits.images:
        return f"{len(images)} pictures are too many for {name}, which accepts {limits.images}: send fewer"
    for image in images:
        if image.media_type not in limits.media_types:
            accepted = ", ".join(sorted(limits.media_types))
            return f"{image.label} is of a type that {name} does not read: send one of {accepted}"
        if image.size > limits.image_bytes:
            most = file_size(limits.image_bytes)
            return (
                f"{image.label} is too large for {name}, which accepts pictures of at most {most}: send a smaller one"
            )
    return None


def is_native(document: Document, profile: ModelProfile, limits: AttachmentLimits) -> bool:
    """Return whether a model gets a file itself, and not its text."""
    return profile.pdf and document.media_type == PDF and bool(document.data) and document.size <= limits.document_bytes


def readable(messages: Sequence[Message], profile: ModelProfile, limits: AttachmentLimits) -> Sequence[Message]:
    """Return `messages` with the pictures and files that a model reads, and texts in place of the others.

    A picture becomes its label: for a model without vision, and where it is no longer stored, of a type or size that
    the provider refuses, or older than the newest ones that fit in a request. A file becomes its text.
    """
    if not any(message.has_files for message in messages):
        return messages
    images, documents = limits.images, limits.documents
    result: list[Message] = []
    for message in reversed(messages):
        parts: list[Part] = []
        for part in reversed(message.parts):
            if isinstance(part, ToolOutput) and part.images:
                shown = [image for image in part.images if _is_seen(image, profile, limits)][: max(0, images)]
                images -= len(shown)
                part = replace(part, images=tuple(shown))
            elif isinstance(part, Image):
                if images > 0 and _is_seen(part, profile, limits):
                    images -= 1
                else:
                    part = Text(f"{part.label}\n")
            elif isinstance(part, Document):
                if documents > 0 and is_native(part, profile, limits):
                    documents -= 1
                else:
                    part = Text(file_text(part))
            parts.append(part)
        result.append(Message(message.role, tuple(reversed(parts))))
    return result[::-1]


def _is_seen(image: Image, profile: ModelProfile, limits: AttachmentLimits) -> bool:
    fits = image.media_type in limits.media_types and image.size <= limits.image_bytes
    return profile.vision is not False and bool(image.data) and fits


def file_text(document: Document) -> str:
    """Return a file as text with its name, or its label where its text is not known."""
    if not document.text:
        return f"{document.label}\n"
    name = document.name or "file"
    return f"--- {name} ---\n{document.text.rstrip()}\n--- end of {name} ---\n"


def results_apart(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield `messages` with the pictures of results in a user message after the results.

    For APIs whose results have text alone.
    """
    pictures: list[Part] = []
    for message in chain(messages, (None,)):
        if pictures and (message is None or message.role != "tool"):
            yield Message("user", tuple(pictures))
            pictures = []
        if message is None:
            return
        for part in message.parts:
            if isinstance(part, ToolOutput) and part.images:
                pictures += [Text(f"Pictures of the result of {part.name}:\n"), *part.images]
        yield message


def data_url(part: Image | Document) -> str:
    """Return the content of a picture or file as a data URL."""
    return f"data:{part.media_type};base64,{part.data}"
