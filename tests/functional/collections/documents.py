"""Documents of collections."""

from flexchat.deadline import Deadline
from functions.retrieval.collections import Collections, ImportReport
from functions.retrieval.ingest.documents import Document
from tests.functional.collections.harness import text_of

HANDBOOK = "handbook"


def documents(*names: str, sentences: int = 4) -> list[Document]:
    return [Document(id=name, title=name, source=f"{name}.txt", text=text_of(name, sentences)) for name in names]


def soon() -> Deadline:
    return Deadline.after(60)


def add(collections: Collections, *added: Document) -> ImportReport:
    return collections.add(HANDBOOK, added, deadline=soon())
