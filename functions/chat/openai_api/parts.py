"""Content parts of messages, of chat completions and of the Responses API."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from flexchat.attachments import (
    AttachmentError,
    attachment_of,
    attachment_of_url,
    decoded,
    uploaded,
)
from flexchat.errors import RequestError
from flexchat.messages import Attachment, Document, Image, ImageDetail, Json, Part, Text
from functions.chat.openai_api.errors import invalid_parameter

_DETAILS: Final[Mapping[str, ImageDetail]] = {"auto": "auto", "low": "low", "high": "high", "original": "high"}

COMPLETION_PARTS: Final[Mapping[str, str]] = {
    "text": "a text; several are joined by line breaks",
    "image_url": "a picture of a user or of a tool: `image_url.url` is a data URL or an https address, `detail` is"
    " `auto`, `low` or `high`",
    "file": "a file of a user: `file.file_data` is a data URL or base64 and `filename` its name, or `file.file_id` is"
    " an id of `POST /api/files`",
    "refusal": "a refusal of the assistant, read as its text",
}
"""Meaning of each type of part of chat completions."""

RESPONSE_PARTS: Final[Mapping[str, str]] = {
    "input_text": "a text; several are joined by line breaks",
    "input_image": "a picture of a user or of a result: `image_url` is a data URL or an https address, or `file_id` is"
    " an id of `POST /api/files`; `detail` is `auto`, `low` or `high`",
    "input_file": "a file of a user or of a result: `file_data` is a data URL or base64 and `filename` its name,"
    " `file_url` an https address, or `file_id` an id of `POST /api/files`",
    "output_text": "a text of the assistant; `text` is the same",
    "refusal": "a refusal of the assistant, read as its text",
}
"""Meaning of each type of part of the Responses API."""

_TEXTS: Final = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
"""Types of parts that are texts, with the key of their text."""

type ReadPart = Callable[[Mapping[str, Json], str], Attachment]


def content_parts(content: Json, path: str, *, required: bool, files: bool, responses: bool) -> tuple[Part, ...]:
    """Return the parts of a content: a string, or a list of parts, whose adjacent texts are joined by line breaks.

    With `files`, pictures and files are accepted too; with `responses`, the types are those of the Responses API.
    Raises RequestError that names the part.
    """
    if isinstance(content, str):
        return (Text(content),) if content else ()
    if content is None and not required:
        return ()
    if not isinstance(content, list):
        kinds = "text, picture and file parts" if files else "text parts"
        raise invalid_parameter(path, f"must be a string or a list of {kinds}")
    parts: list[Part] = []
    for index, value in enumerate(cast("Sequence[Json]", content)):
        part = _part(value, f"{path}[{index}]", files=files, responses=responses)
        last = parts[-1] if parts else None
        if isinstance(part, Text) and isinstance(last, Text):
            parts[-1] = Text(f"{last.text}\n{part.text}")
        else:
            parts.append(part)
    return tuple(part for part in parts if not isinstance(part, Text) or part.text)


def text_of(parts: Sequence[Part]) -> str:
    """Return the texts of parts, joined by line breaks."""
    return "\n".join(part.text for part in parts if isinstance(part, Text))


def _part(value: Json, path: str, *, files: bool, responses: bool) -> Part:
    if not isinstance(value, dict):
        example = "{'type': 'input_text', 'text': 'Hello'}" if responses else "{'type': 'text', 'text': 'Hello'}"
        raise invalid_parameter(path, f"must be a part such as {example}")
    kind = value.get("type")
    known = [*RESPONSE_PARTS, "text"] if responses else [*COMPLETION_PARTS]
    if isinstance(kind, str) and kind in _TEXTS and kind in known:
        text = value.get(_TEXTS[kind])
        if not isinstance(text, str):
            raise invalid_parameter(f"{path}.{_TEXTS[kind]}", "must be a string")
        return Text(text)
    read = _READERS.get(kind) if isinstance(kind, str) and kind in known else None
    if read is None or not files:
        accepted = ", ".join(each for each in known if files or each in _TEXTS) if files else "text"
        shown = repr(kind) if isinstance(kind, str) and len(kind) <= 64 else "missing"
        hint = "" if files or read is None else "; send pictures and files in messages of the user"
        raise invalid_parameter(f"{path}.type", f"is {shown}; accepted are {accepted}{hint}")
    return read(value, path)


def _image_url(part: Mapping[str, Json], path: str) -> Attachment:
    inner = part.get("image_url")
    if isinstance(inner, str):  # as some clients send it
        inner = {"url": inner}
    if not isinstance(inner, dict):
        raise invalid_parameter(f"{path}.image_url", "must be an object with a url")
    place = f"{path}.image_url.url"
    return _picture(inner.get("url"), inner.get("detail"), place, f"{path}.image_url.detail")


def _input_image(part: Mapping[str, Json], path: str) -> Attachment:
    detail_place = f"{path}.detail"
    file_id = part.get("file_id")
    if file_id is not None:
        detail = _detail(part.get("detail"), detail_place)
        return _checked(lambda: uploaded(_text(file_id, f"{path}.file_id"), detail=detail), f"{path}.file_id")
    return _picture(part.get("image_url"), part.get("detail"), f"{path}.image_url", detail_place)


def _picture(url: Json, detail: Json, place: str, detail_place: str) -> Attachment:
    address, size = _text(url, place), _detail(detail, detail_place)
    found = _checked(lambda: attachment_of_url(address, detail=size), place)
    if isinstance(found, Document):
        raise invalid_parameter(place, "is no picture; send a file as a part of the type 'file' or 'input_file'")
    return found


def _file(part: Mapping[str, Json], path: str) -> Attachment:
    inner = part.get("file")
    if not isinstance(inner, dict):
        raise invalid_parameter(f"{path}.file", "must be an object with file_data or file_id")
    return _file_of(inner, f"{path}.file")


def _file_of(values: Mapping[str, Json], path: str) -> Attachment:
    filename = values.get("filename")
    name = filename if isinstance(filename, str) else ""
    file_id, data, url = values.get("file_id"), values.get("file_data"), values.get("file_url")
    if file_id is not None:
        return _checked(lambda: uploaded(_text(file_id, f"{path}.file_id"), name=name), f"{path}.file_id")
    if url is not None:
        return _checked(lambda: attachment_of_url(_text(url, f"{path}.file_url"), name=name), f"{path}.file_url")
    place = f"{path}.file_data"
    text = _text(data, place)
    if text[:5].lower() == "data:":
        return _checked(lambda: attachment_of_url(text, name=name), place)
    return _checked(lambda: attachment_of(decoded(text), name=name), place)


_READERS: Final[Mapping[str, ReadPart]] = {
    "image_url": _image_url,
    "file": _file,
    "input_image": _input_image,
    "input_file": _file_of,
}


def _checked(read: Callable[[], Attachment], place: str) -> Attachment:
    try:
        return read()
    except AttachmentError as exc:
        raise invalid_parameter(place, exc.message, code=exc.code) from exc


def _detail(value: Json, place: str) -> ImageDetail:
    if value is None:
        return "auto"
    found = _DETAILS.get(value) if isinstance(value, str) else None
    if found is None:
        raise invalid_parameter(place, "must be 'auto', 'low' or 'high'")
    return found


def _text(value: Json, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise invalid_parameter(place, "must be a string that is not empty")
    return value


def result_images(parts: Sequence[Part], place: str) -> tuple[Image, ...]:
    """Return the pictures of a tool's result. Raises RequestError for a file."""
    for part in parts:
        if isinstance(part, Document):
            raise _no_file(place)
    return tuple(part for part in parts if isinstance(part, Image))


def _no_file(place: str) -> RequestError:
    return invalid_parameter(place, "has a file; a result of a tool has texts and pictures")


def result_content(parts: Sequence[Part]) -> str:
    """Return the text of a tool's result, with the labels of its pictures."""
    shown = (part.text if isinstance(part, Text) else part.label for part in parts if isinstance(part, Text | Image))
    return "\n".join(shown)
