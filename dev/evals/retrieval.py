"""Quality of the built-in retriever compared with plain BM25: nDCG@10 on a public test collection.

The Cranfield collection is not in this repository: `make bench CRANFIELD=path/to/its/folder`, with docs.jsonl {id,
title, text}, queries.jsonl {id, text} and qrels.tsv (query, doc, relevance). No parameter of the retriever was tuned on
its questions.
"""

import json
import math
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bm25s

from flexchat.retrieval import CollectionMetadata, SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.writer import IndexWriter
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document
from functions.retrieval.ingest.indexing import indexed

CUT = 10
PASSAGES_PER_DOCUMENT = 5
"""Number of passages read for each requested document; a document counts by its first passage."""


@dataclass(frozen=True, slots=True)
class TestCollection:
    """Documents and questions by id, and the relevance of documents to each question."""

    documents: Sequence[Mapping[str, str]]
    questions: Sequence[Mapping[str, str]]
    judgements: Mapping[str, Mapping[str, int]]

    @classmethod
    def read(cls, folder: Path) -> "TestCollection":
        judgements: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            question, document, relevance = line.split("\t")
            judgements[question][document] = int(relevance)
        return cls(_lines(folder / "docs.jsonl"), _lines(folder / "queries.jsonl"), judgements)

    def ndcg(self, search: Callable[[str], Sequence[str]]) -> float:
        """Return the mean nDCG@10 over all judged questions of `search`, which returns the ids of documents."""
        gains = [
            _discounted([judged.get(found, 0) for found in search(question["text"])[:CUT]])
            / _discounted(sorted(judged.values(), reverse=True)[:CUT])
            for question in self.questions
            if any((judged := self.judgements.get(question["id"], {})).values())
        ]
        return sum(gains) / len(gains)


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _discounted(relevances: Sequence[int]) -> float:
    return sum(relevance / math.log2(rank + 1) for rank, relevance in enumerate(relevances, start=1))


def report(folder: Path | None = None) -> None:
    """Print both figures and their ratio, or the reason for their absence."""
    if folder is None and (named := os.environ.get("CRANFIELD")):
        folder = Path(named)
    print(f"\nRetrieval quality: nDCG@{CUT} on Cranfield")
    if folder is None or not (folder / "qrels.tsv").is_file():
        print("skipped: CRANFIELD=path/to/folder names the folder of the test collection, with qrels.tsv")
        return
    collection = TestCollection.read(folder)
    plain = collection.ndcg(_plain(collection))
    with tempfile.TemporaryDirectory() as scratch:
        own = collection.ndcg(_own(collection, Path(scratch) / "index.sqlite"))
    print(f"{len(collection.documents)} documents, {len(collection.questions)} questions")
    print(f"{'plain BM25 (bm25s; k1 1.2, b 0.75, no stemming)':<52} {plain:.4f}")
    print(f"{'sqlite retriever, lexical embedding, offline':<52} {own:.4f}")
    print(f"{'ratio':<52} {own / plain:.3f}")


def _plain(collection: TestCollection) -> Callable[[str], Sequence[str]]:
    library: Any = bm25s  # its own types are partial
    retriever = library.BM25(k1=1.2, b=0.75, method="lucene")
    retriever.index([_tokens(_whole(document)) for document in collection.documents], show_progress=False)

    def search(text: str) -> Sequence[str]:
        tokens = [token for token in dict.fromkeys(_tokens(text)) if token in retriever.vocab_dict]
        found, _ = retriever.retrieve([tokens], k=CUT, show_progress=False, sorted=True)
        return [collection.documents[int(at)]["id"] for at in found[0]]

    return search


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _whole(document: Mapping[str, str]) -> str:
    return f"{document['title']}\n{document['text']}"


def _own(collection: TestCollection, path: Path) -> Callable[[str], Sequence[str]]:
    documents = (
        indexed(
            Document(id=one["id"], title=one["title"], source=one["id"], text=one["text"]),
            chunking=Chunking(),
            metadata=CollectionMetadata(),
        )
        for one in collection.documents
    )
    with IndexWriter(path) as writer:
        writer.add(documents)
    index = CollectionIndex(path)

    def search(text: str) -> Sequence[str]:
        hits = index.search(SearchQuery(text, top_k=CUT * PASSAGES_PER_DOCUMENT))
        return list(dict.fromkeys(hit.passage.document_id for hit in hits))

    return search


if __name__ == "__main__":
    report()
