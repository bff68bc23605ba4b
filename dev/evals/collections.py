"""Public test collections of information retrieval: documents, questions and relevance judgements.

No collection is in this repository. `TestCollection.read` accepts three layouts of a folder:

- `docs.jsonl` {id, title, text}, `queries.jsonl` {id, text}, `qrels.tsv` (query, doc, relevance, with a header);
- BEIR's `corpus.jsonl` and `queries.jsonl` {_id, title, text}, `qrels/test.tsv` (query-id, corpus-id, score);
- the SMART format of CISI and CACM: one file of documents (`*.all`), one of questions (`*.qry` or `query.text`), both
  with the fields `.I`, `.T` and `.W`, and one of judgements (`*.rel` or `qrels.text`: query, doc, two other columns).
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

CUT: Final = 10

_BLANK: Final[Mapping[str, str]] = {"title": "", "text": ""}


@dataclass(frozen=True, slots=True)
class TestCollection:
    """Documents and questions by id, and the relevance of documents to each question."""

    name: str
    documents: Sequence[Mapping[str, str]]
    questions: Sequence[Mapping[str, str]]
    judgements: Mapping[str, Mapping[str, int]]

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the collection in `folder`. Raises ValueError for a folder of another layout."""
        names = {path.name.lower(): path for path in folder.iterdir()} if folder.is_dir() else {}
        if "qrels.tsv" in names:
            return cls(folder.name, *_jsonl(folder / "docs.jsonl", folder / "queries.jsonl", folder / "qrels.tsv"))
        if "corpus.jsonl" in names:
            judged = folder / "qrels" / "test.tsv"
            return cls(folder.name, *_jsonl(folder / "corpus.jsonl", folder / "queries.jsonl", judged))
        smart = [
            next((path for name, path in sorted(names.items()) if re.fullmatch(pattern, name)), None)
            for pattern in (r".*\.all", r".*\.qry|query\.text", r".*\.rel|qrels\.text")
        ]
        documents, questions, judgements = smart
        if documents is None or questions is None or judgements is None:
            raise ValueError(f"{str(folder)!r} is no test collection: it has neither qrels.tsv, corpus.jsonl nor *.all")
        return cls(folder.name, list(_smart(documents)), list(_smart(questions)), _smart_judgements(judgements))

    def judged(self) -> Iterator[tuple[Mapping[str, str], Mapping[str, int]]]:
        """Yield every question with a relevant document, with its judgements."""
        for question in self.questions:
            relevant = self.judgements.get(question["id"], {})
            if any(value > 0 for value in relevant.values()):
                yield question, relevant

    def ndcg(self, search: Callable[[str], Sequence[str]]) -> float:
        """Return the mean nDCG@10 over all judged questions of `search`, which returns the ids of documents."""
        gains = [
            _discounted([relevant.get(found, 0) for found in search(question["text"])[:CUT]])
            / _discounted(sorted(relevant.values(), reverse=True)[:CUT])
            for question, relevant in self.judged()
        ]
        return sum(gains) / len(gains)


def _discounted(relevances: Sequence[int]) -> float:
    return sum(relevance / math.log2(rank + 1) for rank, relevance in enumerate(relevances, start=1))


type _Parts = tuple[list[dict[str, str]], list[dict[str, str]], Mapping[str, Mapping[str, int]]]


def _jsonl(documents: Path, questions: Path, judgements: Path) -> _Parts:
    judged: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in judgements.read_text(encoding="utf-8").splitlines()[1:]:
        question, document, relevance = line.split("\t")
        judged[question][document] = int(relevance)
    return _lines(documents), _lines(questions), judged


def _lines(path: Path) -> list[dict[str, str]]:
    entries = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [{**_BLANK, **entry, "id": entry.get("id", entry.get("_id"))} for entry in entries]


def _smart(path: Path) -> Iterator[dict[str, str]]:
    for entry in re.split(r"^\.I\s+", path.read_text(encoding="utf-8", errors="replace"), flags=re.MULTILINE)[1:]:
        number, *fields = re.split(r"^\.([A-Z])\s*$", entry, flags=re.MULTILINE)
        texts = dict(zip(fields[::2], fields[1::2], strict=True))
        yield {"id": number.strip(), "title": " ".join(texts.get("T", "").split()), "text": texts.get("W", "").strip()}


def _smart_judgements(path: Path) -> Mapping[str, Mapping[str, int]]:
    judged: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines():
        question, document, *_ = line.split()
        judged[str(int(question))][str(int(document))] = 1
    return judged
