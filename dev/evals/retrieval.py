"""Quality of the built-in retriever on public test collections: nDCG@10, compared with plain BM25.

No collection is in this repository: name their folders, whose layouts `dev.evals.collections` describes.

    python -m dev.evals.retrieval path/to/cranfield path/to/cisi path/to/cacm
    python -m dev.evals.retrieval … --embeddings http://127.0.0.1:11434/v1 --model all-minilm

With `--embeddings` the passages are also searched with the vectors of a model, by a server of OpenAI's protocol such
as Ollama. No parameter of the retriever was tuned on the questions of a collection. Searches for known items follow
(`dev.evals.known_items`).
"""

import argparse
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import batched
from pathlib import Path
from typing import Any

import bm25s

from dev.evals import known_items
from dev.evals.collections import CUT, TestCollection
from dev.evals.server_embedder import EMBEDDING_SECONDS, ServerEmbedder
from flexchat.deadline import Deadline
from flexchat.retrieval import CollectionMetadata, SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.index.writer import IndexWriter
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document
from functions.retrieval.ingest.embedding import embedded
from functions.retrieval.ingest.indexing import indexed

PASSAGES_PER_DOCUMENT = 5
"""Number of passages read for each requested document; a document counts by its first passage."""


def report(folders: Sequence[Path] | None = None, embedder: ServerEmbedder | None = None) -> None:
    """Print a line for each collection, or the reason for its absence."""
    if not folders and (named := os.environ.get("CRANFIELD")):
        folders = [Path(named)]
    print(f"\nRetrieval quality: nDCG@{CUT}")
    if not folders:
        print("skipped: CRANFIELD=path/to/folder names the folder of a test collection")
        return
    print(f"{'collection':<12} {'documents':>9} {'questions':>9} {'plain BM25':>10} {'lexical':>8} {'model':>8}")
    for folder in folders:
        try:
            collection = TestCollection.read(folder)
        except (OSError, ValueError) as exc:
            print(f"{folder.name:<12} skipped: {exc}")
            continue
        figures = [collection.ndcg(_plain(collection)), collection.ndcg(_own(collection))]
        if embedder is not None:
            figures.append(collection.ndcg(_own(collection, embedder)))
        questions = sum(1 for _ in collection.judged())
        sizes = f"{len(collection.documents):>9} {questions:>9}"
        print(f"{collection.name:<12} {sizes} {'':>4}" + " ".join(f"{figure:>7.4f}" for figure in figures))


def _plain(collection: TestCollection) -> Callable[[str], Sequence[str]]:
    """Return a search by bm25s: k1 1.2, b 0.75, lower case, no stemming."""
    library: Any = bm25s  # its own types are partial
    retriever = library.BM25(k1=1.2, b=0.75, method="lucene")
    texts = [f"{document['title']}\n{document['text']}" for document in collection.documents]
    retriever.index([_tokens(text) for text in texts], show_progress=False)

    def search(text: str) -> Sequence[str]:
        tokens = [token for token in dict.fromkeys(_tokens(text)) if token in retriever.vocab_dict]
        found, _ = retriever.retrieve([tokens], k=CUT, show_progress=False, sorted=True)
        return [collection.documents[int(at)]["id"] for at in found[0]]

    return search


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _own(collection: TestCollection, embedder: ServerEmbedder | None = None) -> Callable[[str], Sequence[str]]:
    """Return a search by the built-in retriever, with the lexical embedding or a model's."""
    documents = [
        indexed(
            Document(id=one["id"], title=one["title"], source=one["id"], text=one["text"]),
            chunking=Chunking(),
            metadata=CollectionMetadata(),
        )
        for one in collection.documents
    ]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "index.sqlite"
        with IndexWriter(path) as writer:
            writer.add(documents if embedder is None else _with_vectors(documents, embedder))
        index = CollectionIndex(path)  # it keeps the file open
    vectors = {} if embedder is None else _question_vectors(collection, embedder)

    def search(text: str) -> Sequence[str]:
        hits = index.search(SearchQuery(text, top_k=CUT * PASSAGES_PER_DOCUMENT), vectors.get(text))
        return list(dict.fromkeys(hit.passage.document_id for hit in hits))

    return search


def _with_vectors(documents: Sequence[IndexedDocument], embedder: ServerEmbedder) -> Iterator[IndexedDocument]:
    return embedded(
        documents, embedder, deadline=Deadline.after(EMBEDDING_SECONDS), progress=lambda _done, _total: None
    )


def _question_vectors(collection: TestCollection, embedder: ServerEmbedder) -> dict[str, Sequence[float]]:
    texts = [question["text"] for question, _ in collection.judged()]
    deadline = Deadline.after(EMBEDDING_SECONDS)
    vectors = [vector for batch in batched(texts, 64, strict=False) for vector in embedder.embed(batch, deadline)]
    return dict(zip(texts, vectors, strict=True))


def main() -> None:
    """Print the figures of the collections in the folders of the command line."""
    parser = argparse.ArgumentParser(
        description="Measure nDCG@10 on public test collections, and searches for known items."
    )
    parser.add_argument("folders", nargs="*", type=Path, help="folders of test collections")
    parser.add_argument("--embeddings", metavar="URL", help="base URL of a server of OpenAI's protocol")
    parser.add_argument("--model", default="all-minilm", help="embedding model of the server")
    arguments = parser.parse_args()
    embedder = ServerEmbedder(arguments.embeddings, arguments.model) if arguments.embeddings else None
    report(arguments.folders, embedder)
    known_items.report(embedder)


if __name__ == "__main__":
    main()
