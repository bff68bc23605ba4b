"""Vectors of a collection's embedding model for documents before they are indexed."""

from collections.abc import Callable, Iterator, Sequence
from copy import replace
from itertools import batched

from flexchat.deadline import Deadline
from functions.retrieval.embeddings.model import Embedder
from functions.retrieval.index.schema import IndexedDocument

BATCH = 64
"""Passages embedded between two reports of progress."""

Progress = Callable[[int, int], None]
"""Callback with the number of embedded passages and the total."""


def embedded(
    documents: Sequence[IndexedDocument], embedder: Embedder, *, deadline: Deadline, progress: Progress
) -> Iterator[IndexedDocument]:
    """Yield the documents with a vector for each passage, in order, each as soon as it is complete.

    A passage is embedded with its title, since the text of a section alone often lacks its subject. Raises
    RetrievalError `unavailable` when the model does not answer in time.
    """
    texts = [text for document in documents for text in _texts(document)]
    vectors: list[list[float]] = []
    waiting = iter(documents)
    document = next(waiting, None)
    done = 0
    progress(0, len(texts))
    for batch in batched(texts, BATCH, strict=False):
        vectors += embedder.embed(batch, deadline)
        done += len(batch)
        progress(done, len(texts))
        while document is not None and len(document.passages) <= len(vectors):
            count = len(document.passages)
            yield replace(document, vectors=tuple(vectors[:count]))
            del vectors[:count]
            document = next(waiting, None)


def _texts(document: IndexedDocument) -> Iterator[str]:
    titles = [title for title, _ in document.cites] or [document.title] * len(document.passages)
    for title, (text, _) in zip(titles, document.passages, strict=True):
        yield f"{title}\n\n{text}"
