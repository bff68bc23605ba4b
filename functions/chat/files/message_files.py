"""Contents of the pictures and files in the messages of a chat: read for its models, and stored by reference."""

from collections.abc import Callable, Iterator, Sequence
from copy import replace
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import unquote, urlsplit

from flexchat.attachments import (
    MAX_ATTACHMENTS,
    UPLOAD_ID,
    AttachmentError,
    LoadedFile,
    LoadedFiles,
    attachment_of,
    decoded,
    is_address,
)
from flexchat.deadline import Deadline, time_limit
from flexchat.errors import FlexchatError, Problem, RequestError, RetrievalError, ToolError
from flexchat.messages import Attachment, Document, Image, Message, Part, ToolOutput, file_size
from flexchat.observability import logger
from flexchat.retry import Retry
from flexchat.sessions import text_tokens
from flexchat.text import truncate
from functions.chat.stored_files import Scope, object_key
from functions.chat.tools.executor import invoke_until

if TYPE_CHECKING:
    from flexchat.aws.objects import ObjectSummary, StoredObject
    from flexchat.file_text import ReadFileRequest, ReadFileResponse

MAX_TOTAL_BYTES: Final = 40_000_000
"""Most bytes of all pictures and files of one request."""

STORE_SECONDS: Final = 5.0
READ_SECONDS: Final = 20.0
"""Most time for the text of one file."""

STORED_TEXTS: Final = 16
"""Most texts of files that one environment remembers: a conversation sends its files with each message."""


class FileObjects(Protocol):
    """Objects of the files' bucket, such as an `ObjectStore`."""

    def get(self, key: str) -> "StoredObject": ...

    def put(self, key: str, body: bytes) -> str: ...

    def list(self, prefix: str) -> "tuple[ObjectSummary, ...]": ...

    def delete(self, key: str) -> None: ...


class FileReader(Protocol):
    """Reads the text of a file, such as a `LambdaInvoker`."""

    def read_file(self, request: "ReadFileRequest") -> "ReadFileResponse": ...


type Fetch = Callable[[str, Deadline], bytes]
"""Returns the content at an https address. Raises AttachmentError."""


class MessageFiles:
    """Files of the messages of callers.

    `objects` is called for the first stored file, and returns None in a deployment without a bucket. `fetch` returns
    the content at an https address, `reader` the text of a file.
    """

    def __init__(
        self,
        *,
        objects: Callable[[], FileObjects | None],
        fetch: Fetch,
        reader: FileReader,
    ) -> None:
        self._objects = objects
        self._fetch = fetch
        self._reader = reader
        self._texts: dict[bytes, ReadFileResponse] = {}

    def given(self, messages: Sequence[Message], *, owner: str, deadline: Deadline) -> LoadedFiles:
        """Return the files that a request names by their addresses or the ids of uploads.

        Raises RequestError for too many pictures and files, and for one that cannot be read.
        """
        parts = [part for message in messages for part in _attachments(message)]
        if len(parts) > MAX_ATTACHMENTS:
            message = f"the messages have {len(parts)} pictures and files; at most {MAX_ATTACHMENTS} are accepted"
            raise RequestError(message, code="invalid_request")
        loaded: dict[str, LoadedFile] = {}
        for part in parts:
            reference = part.reference
            if reference is None or part.data or reference in loaded:
                continue
            if is_address(reference):
                loaded[reference] = LoadedFile(self._fetched(reference, deadline), _file_name(reference))
            elif UPLOAD_ID.fullmatch(reference):
                loaded[reference] = self._uploaded(reference, owner, deadline)
        total = sum(part.size for part in parts) + sum(len(file.content) for file in loaded.values())
        if total > MAX_TOTAL_BYTES:
            most = file_size(MAX_TOTAL_BYTES)
            message = f"the pictures and files have {file_size(total)}; at most {most} are accepted"
            raise RequestError(message, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE, code="payload_too_large")
        return loaded

    def _fetched(self, url: str, deadline: Deadline) -> bytes:
        try:
            return self._fetch(url, deadline)
        except AttachmentError as exc:
            raise _refused(f"the file at {urlsplit(url).hostname!r}", exc) from exc

    def _uploaded(self, file_id: str, owner: str, deadline: Deadline) -> LoadedFile:
        found = self._read(file_id, owner, deadline)
        if found is None:
            message = "is not uploaded, has expired, or belongs to another token; upload it with POST /api/files"
            raise _refused(file_id, AttachmentError(message, code="image_file_not_found"))
        return found

    def _read(self, reference: str, owner: str, deadline: Deadline) -> LoadedFile | None:
        """Return a stored file; None for one that is no longer stored. Raises UnavailableError and ConfigError."""
        objects = self._objects()
        if objects is None:
            return None
        try:
            with time_limit(deadline.within(STORE_SECONDS).remaining()):
                stored = objects.get(object_key(owner, reference))
        except RetrievalError:
            return None
        return LoadedFile(stored.body, unquote(stored.metadata.get("name", "")))

    def stored(self, messages: Sequence[Message], *, owner: str, deadline: Deadline) -> tuple[Message, ...]:
        """Return `messages` with the contents of their stored files, as far as these are still stored."""
        loaded: dict[str, LoadedFile] = {}
        for part in (part for message in messages for part in _attachments(message)):
            reference = part.reference
            if part.data or reference is None or reference in loaded or is_address(reference):
                continue
            try:
                found = self._read(reference, owner, deadline)
            except FlexchatError as error:
                logger.warning("stored file not read", reason=str(error))
                continue
            if found is not None:
                loaded[reference] = found
        return with_files(messages, loaded)

    def kept(self, messages: Sequence[Message], scope: Scope, *, owner: str, deadline: Deadline) -> tuple[Message, ...]:
        """Return `messages` whose files have references below `scope`, after storing them there.

        A file that cannot be stored has none: later messages of the conversation have its label.
        """

        def keep[A: (Image, Document)](part: A) -> A:
            reference = part.reference or ""
            if not part.data or reference.startswith(("long/", scope.prefix)):
                return part
            content = decoded(part.data)
            stored = f"{scope.prefix}{sha256(content).hexdigest()[:32]}"
            return replace(part, reference=stored if self._put(stored, content, owner, deadline) else None)

        return tuple(_mapped(message, keep, keep) for message in messages)

    def _put(self, reference: str, content: bytes, owner: str, deadline: Deadline) -> bool:
        try:
            objects = self._objects()
            if objects is None:
                return False
            with time_limit(deadline.within(STORE_SECONDS).remaining()):
                objects.put(object_key(owner, reference), content)
        except FlexchatError as error:
            logger.warning("file not stored", reason=str(error), size=len(content))
            return False
        return True

    def delete(self, scope: Scope, *, owner: str, deadline: Deadline) -> None:
        """Delete the files of a scope. Raises UnavailableError and ConfigError."""
        objects = self._objects()
        if objects is None:
            return
        with time_limit(deadline.within(STORE_SECONDS).remaining()):
            for found in objects.list(object_key(owner, scope.prefix)):
                objects.delete(found.key)

    def with_texts(
        self,
        messages: Sequence[Message],
        *,
        is_read: Callable[[Document], bool],
        max_characters: int | None,
        owner: str,
        request_id: str,
        deadline: Deadline,
    ) -> tuple[tuple[Message, ...], tuple[str, ...]]:
        """Return `messages` with the texts of their files, and warnings of those that were cut or not read.

        `is_read` returns whether every model of the chat reads a file itself.
        """
        from flexchat.file_text import MAX_TEXT_CHARACTERS, ReadFileResponse  # most chats have no files

        warnings: list[str] = []
        limit = min(max_characters or MAX_TEXT_CHARACTERS, MAX_TEXT_CHARACTERS)

        def read(part: Document) -> Document:
            if not part.data or is_read(part):
                return part
            if part.text:
                found = ReadFileResponse(text=part.text[:limit], characters=len(part.text))
            else:
                found = self._text(part, limit, owner=owner, request_id=request_id, deadline=deadline)
            name = part.name or "file"
            if found.error is not None:
                warnings.append(f"the file {name!r} could not be read: {found.error}")
                return part
            if found.characters > len(found.text):
                warnings.append(
                    f"the text of the file {name!r} was cut: the model got {len(found.text)} of its "
                    f"{found.characters} characters"
                )
            return replace(part, text=found.text, tokens=text_tokens(found.text))

        read_messages = tuple(_mapped(message, lambda image: image, read) for message in messages)
        return read_messages, tuple(dict.fromkeys(warnings))

    def _text(
        self, document: Document, limit: int, *, owner: str, request_id: str, deadline: Deadline
    ) -> "ReadFileResponse":
        from flexchat.file_text import MAX_CONTENT_BYTES, ReadFileRequest, ReadFileResponse

        content = decoded(document.data)
        digest = sha256(b"%d " % limit + content).digest()
        if (known := self._texts.get(digest)) is not None:
            return known
        data, key = document.data, ""
        if len(content) > MAX_CONTENT_BYTES:
            reference = f"{Scope.unfinished(request_id).prefix}{sha256(content).hexdigest()[:32]}"
            if not self._put(reference, content, owner, deadline):
                return ReadFileResponse(error="it is too large; send a smaller one")
            data, key = "", object_key(owner, reference)

        def send(timeout_ms: int) -> ReadFileResponse:
            request = ReadFileRequest(
                name=_readable_name(document),
                content=data,
                key=key,
                max_characters=limit,
                request_id=request_id,
                timeout_ms=timeout_ms,
            )
            return self._reader.read_file(request)

        end = deadline.within(READ_SECONDS)
        try:
            found = invoke_until(send, end.remaining_ms(), end=end, retry=Retry.until_started())
        except ToolError as error:
            logger.warning("file not read", error_type=error.type)
            return ReadFileResponse(error="its reader did not answer in time; try again")
        if found.error is None:
            self._texts[digest] = found
            while len(self._texts) > STORED_TEXTS:
                self._texts.pop(next(iter(self._texts)))
        return found


def _readable_name(document: Document) -> str:
    """Return a name with the extension of the file's type, by which its reader is chosen."""
    is_pdf = document.media_type == "application/pdf" and not document.name.lower().endswith(".pdf")
    return f"{document.name or 'file'}.pdf" if is_pdf else document.name or "file.txt"


def _file_name(url: str) -> str:
    return unquote(urlsplit(url).path.rpartition("/")[2])


def _refused(place: str, error: AttachmentError) -> RequestError:
    return RequestError(f"{place} {error.message}", code=error.code, details=(Problem("", f"{place} {error.message}"),))


def with_files(messages: Sequence[Message], loaded: LoadedFiles) -> tuple[Message, ...]:
    """Return `messages` with the contents of `loaded` files. Raises RequestError for one that cannot be used."""
    if not loaded:
        return tuple(messages)

    def load(part: Attachment) -> Attachment:
        file = loaded.get(part.reference or "")
        if file is None or part.data:
            return part
        detail = part.detail if isinstance(part, Image) else "auto"
        try:
            found = attachment_of(file.content, name=part.name or file.name, detail=detail)
        except AttachmentError as exc:
            place = urlsplit(part.reference or "").hostname or part.name or part.reference or "file"
            raise _refused(f"the file {truncate(place, 80)!r}", exc) from exc
        return replace(found, reference=part.reference)

    return tuple(_mapped(message, load, load) for message in messages)


def _attachments(message: Message) -> Iterator[Attachment]:
    yield from message.attachments
    for part in message.parts:
        if isinstance(part, ToolOutput):
            yield from part.images


def _mapped(
    message: Message, image: Callable[[Image], Attachment], document: Callable[[Document], Attachment]
) -> Message:
    """Return `message` with its pictures and files replaced by the results of the functions."""
    if not any(_attachments(message)):
        return message
    parts: list[Part] = []
    for part in message.parts:
        match part:
            case Image():
                parts.append(image(part))
            case Document():
                parts.append(document(part))
            case ToolOutput():
                shown = tuple(each for old in part.images if isinstance(each := image(old), Image))
                parts.append(replace(part, images=shown))
            case _:
                parts.append(part)
    return Message(message.role, tuple(parts))


def has_files(messages: Sequence[Message]) -> bool:
    """Return whether any message has a picture or a file."""
    return any(any(_attachments(message)) for message in messages)
