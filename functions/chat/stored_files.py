"""References and keys of the stored pictures and files of messages."""

from urllib.parse import quote

from msgspec import Struct

from flexchat.attachments import UPLOAD_ID, upload_key
from flexchat.tools import principal_hash


class Scope(Struct, frozen=True):
    """Place of stored files: of a session or a response, which are kept `long`, or of an unfinished chat."""

    path: str
    long: bool = False

    @classmethod
    def session(cls, session_id: str) -> "Scope":
        return cls(f"sessions/{session_id}", long=True)

    @classmethod
    def response(cls, response_id: str) -> "Scope":
        return cls(f"responses/{response_id}", long=True)

    @classmethod
    def unfinished(cls, request_id: str) -> "Scope":
        return cls(f"chats/{quote(request_id, safe='')}")

    @property
    def prefix(self) -> str:
        """Beginning of the references of its files."""
        return f"{'long' if self.long else 'short'}/{self.path}/"


def object_key(owner: str, reference: str) -> str:
    """Return the key of a stored or uploaded file; each owner has a prefix of their own."""
    if UPLOAD_ID.fullmatch(reference):
        return upload_key(owner, reference)
    kind, _, rest = reference.partition("/")
    return f"files/{kind}/{principal_hash(owner)}/{rest}"


def file_id(session_id: str, reference: str | None) -> str | None:
    """Return the id of a stored file of a session by its reference; None for a file that is not stored there."""
    prefix = Scope.session(session_id).prefix
    return reference.removeprefix(prefix) if reference is not None and reference.startswith(prefix) else None
