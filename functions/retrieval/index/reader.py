"""Search of an index: candidates from FTS5 and vectors, scored, fused, with their distances."""

import difflib
import hashlib
import json
import sqlite3
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import replace
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from msgspec import Struct

from flexchat.errors import RetrievalError
from flexchat.retrieval import Hit, MetadataValue, Passage, SearchQuery
from functions.retrieval.index.analysis import JOINT, Analyzer
from functions.retrieval.index.contents import indexed_documents
from functions.retrieval.index.languages import COMPOUNDING, compound_parts
from functions.retrieval.index.lexical import (
    DENSE_TYPE,
    Floats,
    Positions,
    TermMatrix,
    even_steps,
    inverse_frequencies,
    unit_rows,
)
from functions.retrieval.index.listing import StoredDocument, stored_documents
from functions.retrieval.index.ranking import (
    DEPTH,
    IndexQuery,
    Weighting,
    best_first,
    cosine_distances,
    coverage,
    fused,
    lexical_distances,
    matched,
    prominence,
    term_cosines,
)
from functions.retrieval.index.schema import (
    IndexedDocument,
    IndexStats,
    SampledPassage,
    attribute,
    check_file,
    damage_told,
    damaged,
    storable,
)

MAX_TEXT: Final = 20_000
"""Characters of a question that are read."""

MAX_MATCHED_TERMS: Final = 64

MAX_UNKNOWN_WORDS: Final = 5
"""Maximum of named words of a query that do not occur."""

MAX_SIMILAR: Final = 3
MAX_COMPARED_TERMS: Final = 10_000
MIN_SIMILAR_LENGTH: Final = 3
MAX_SIMILAR_TERMS: Final = 10
TERM_SIMILARITY: Final = 0.6
SIMILARITY: Final = 0.7
"""Minimum ratio of `difflib` of words that count as similarly spelled; that of their stems is lower."""

MAX_LISTED_VALUES: Final = 10
"""Maximum of named fields and values of metadata."""


class UnknownWord(Struct, frozen=True):
    """Word of a query that occurs in no passage, with words of passages that are spelled like it."""

    word: str
    similar: tuple[str, ...]


class ReadLimits(Struct, frozen=True):
    """Limits of the cost of a search.

    `candidate_rows` is the number of rows read from FTS5, those of the rarest terms first; `scored` the number of
    passages with an exact score. `dense_in_memory` counts numbers of 4 bytes: of a larger collection, only scored
    passages are compared by their vectors.
    """

    candidate_rows: int = 4_000
    scored: int = 500
    dense_in_memory: int = 16_000_000


class CollectionIndex:
    """Open index; its file may be replaced meanwhile. May be used from several threads.

    Every method raises RetrievalError `damaged` for a damaged file.
    """

    def __init__(self, path: Path, *, analyzer: Analyzer | None = None, limits: ReadLimits | None = None) -> None:
        check_file(path)
        self._analyzer = analyzer or Analyzer()
        self._limits = limits or ReadLimits()
        self._lock = Lock()
        self._bytes = path.stat().st_size
        # `immutable`: files are never changed in place, so SQLite need not lock them or detect changes.
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)
        # Closed after the last search on this index, also when a newer copy has replaced it.
        weakref.finalize(self, self._database.close)
        self._run = self._database.execute
        with damage_told():
            self._load()

    def _load(self) -> None:
        meta: dict[str, int] = dict(self._run("SELECT key, value FROM meta"))
        (self._passages,) = self._run("SELECT count(*) FROM passages").fetchone()
        self._lexical = not meta.get("given_dimensions")
        self._dimensions = meta.get("given_dimensions") or meta.get("learned_dimensions") or 0
        in_memory = 0 < self._passages * self._dimensions <= self._limits.dense_in_memory
        dense = "dense" if in_memory else "NULL"
        rows = self._run(f"SELECT passage, terms, counts, {dense} FROM vectors ORDER BY passage").fetchall()  # noqa: S608 # one of two words
        if len(rows) != self._passages:
            raise damaged(f"it has {self._passages} passages and {len(rows)} vectors")
        self._rows = np.fromiter((row[0] for row in rows), dtype=np.intp, count=len(rows))
        self._matrix = TermMatrix.of_blobs([row[1] for row in rows], [row[2] for row in rows])
        self._dense = self._dense_of([row[3] for row in rows]) if in_memory else None
        self._languages: list[str] = [row[0] for row in self._run("SELECT DISTINCT language FROM documents")]
        (vocabulary,) = self._run("SELECT ifnull(max(id), -1) + 1 FROM terms").fetchone()
        lengths = self._matrix.lengths(self._counted(vocabulary))
        self._frequencies = self._matrix.document_frequencies(vocabulary)
        self._weighting = Weighting.of(inverse_frequencies(self._frequencies, len(rows)), lengths)
        self._unknown_idf = float(inverse_frequencies(np.zeros(1, dtype=np.float32), len(rows))[0])

    def _counted(self, vocabulary: int) -> Floats:
        """Return 1 by the id of a word, and 0 by that of an identifier: a passage's length has its words already."""
        counted = np.ones(vocabulary, dtype=np.float32)
        counted[[row[0] for row in self._run("SELECT id FROM terms WHERE instr(term, ?)", (JOINT,))]] = 0
        return counted

    def _dense_of(self, blobs: Sequence[bytes]) -> Floats:
        """Return stored vectors as rows."""
        return np.frombuffer(b"".join(blobs), dtype=DENSE_TYPE).reshape(len(blobs), self._dimensions).astype(np.float32)

    def documents(self, *, after: str = "", limit: int = -1) -> Sequence[StoredDocument]:
        """Return the documents whose ids are greater than `after`, in order of their ids; all of them with limit -1."""
        with self._lock, damage_told():
            return stored_documents(self._run, after=after, limit=limit)

    def contents(self) -> Sequence[IndexedDocument]:
        """Return every document as it was added, with its passages."""
        with self._lock, damage_told():
            return tuple(indexed_documents(self._run))

    @property
    def stats(self) -> IndexStats:
        with self._lock, damage_told():
            (documents,) = self._run("SELECT count(*) FROM documents").fetchone()
            (terms,) = self._run("SELECT count(*) FROM terms").fetchone()
        return IndexStats(documents, self._passages, self._bytes, terms, self._dimensions, self._lexical)

    @property
    def takes_vectors(self) -> bool:
        """Return true when a query needs a vector of the collection's embedding model."""
        return not self._lexical

    def search(self, query: SearchQuery, vector: Sequence[float] | None = None) -> tuple[Hit, ...]:
        """Return the best passages, the best first.

        `vector` is the query's, for a collection with an embedding model (`takes_vectors`). Raises RetrievalError
        `invalid` when it is missing or has other dimensions than the collection's; never for the text.
        """
        with self._lock, damage_told():
            if query.top_k < 1 or not self._passages:
                return ()
            question = self._question(query.text, vector)
            order, distances = self._ranked(question, self._allowed(query.filters) if query.filters else None)
            if query.max_distance is not None:
                near = distances <= query.max_distance
                order, distances = order[near], distances[near]
            return self._hits(order[: query.top_k], distances[: query.top_k])

    def sample(self, count: int) -> tuple[SampledPassage, ...]:
        """Return at most `count` passages, at even steps through the collection."""
        with self._lock, damage_told():
            at = even_steps(self._passages, count)
            given: list[list[float] | None] = [None] * len(at) if self._lexical else self._dense_at(at).tolist()
            rows: list[int] = self._rows[at].tolist()
            return tuple(
                SampledPassage(position, self._passage(row), vector)
                for position, row, vector in zip(at.tolist(), rows, given, strict=True)
            )

    def distances(self, text: str, vector: Sequence[float] | None, positions: Sequence[int]) -> tuple[float, ...]:
        """Return the distances of sampled passages to a query, by position; `vector` as for `search`."""
        with self._lock, damage_told():
            at = np.array(positions, dtype=np.intp)
            question, rows = self._question(text, vector), self._matrix.rows(at)
            found = self._distances(question, self._cosine_distances(question, at, rows), rows)
        return tuple(found.tolist())

    def unknown_words(self, text: str) -> tuple[tuple[UnknownWord, ...], int]:
        """Return the words of a query that occur in no passage, and the number of its words.

        Function words are left out, and so are words whose parts occur, such as those of a compound.
        """
        with self._lock, damage_told():
            searched = self._analyzer.query_words(text[:MAX_TEXT], self._languages)
            unknown = [
                (word, terms)
                for word, terms in searched.items()
                if not self._terms(terms) and not (self._has_compounds and self._parts(terms[0]))
            ]
            named = unknown[:MAX_UNKNOWN_WORDS]
            return tuple(UnknownWord(word, self._similar(word, terms[0])) for word, terms in named), len(searched)

    def _similar(self, word: str, term: str) -> tuple[str, ...]:
        """Return words of passages that are spelled like `word`, whose stem is `term`, the most similar first."""
        if len(term) < MIN_SIMILAR_LENGTH:
            return ()
        rows = self._run(
            "SELECT term FROM terms WHERE length(term) BETWEEN ? AND ? AND instr(term, ?) = 0 "
            "AND (substr(term, 1, 1) = ? OR substr(term, 2, 1) = ?) LIMIT ?",
            (len(term) - 2, len(term) + 2, JOINT, term[0], term[1], MAX_COMPARED_TERMS),
        ).fetchall()
        stems = difflib.get_close_matches(term, [row[0] for row in rows], n=MAX_SIMILAR_TERMS, cutoff=TERM_SIMILARITY)
        found = {self._surface(stem) for stem in stems}
        return tuple(difflib.get_close_matches(word, sorted(found), n=MAX_SIMILAR, cutoff=SIMILARITY))

    def _surface(self, term: str) -> str:
        """Return a word of a passage with this term, such as `vacation` for its stem."""
        row = self._run(
            "SELECT title, text, language FROM passages JOIN documents ON documents.id = document "
            "WHERE passages.id = (SELECT rowid FROM search WHERE search MATCH ? LIMIT 1)",
            (f'"{term}"',),
        ).fetchone()
        return term if row is None else self._analyzer.word_of(term, f"{row[0]}\n{row[1]}", row[2]) or term

    def filter_fields(self) -> tuple[str, ...]:
        """Return the names of the metadata of the documents, in order."""
        with self._lock, damage_told():
            rows = self._run("SELECT DISTINCT key FROM attributes ORDER BY key LIMIT ?", (MAX_LISTED_VALUES,))
            return tuple(row[0] for row in rows)

    def filter_values(self, field: str) -> tuple[str, ...]:
        """Return values of one field of the metadata as JSON, in order."""
        with self._lock, damage_told():
            rows = self._run(
                "SELECT DISTINCT value FROM attributes WHERE key = ? ORDER BY value LIMIT ?",
                (storable(field), MAX_LISTED_VALUES),
            )
            return tuple(row[0] for row in rows)

    def has_value(self, field: str, value: MetadataValue) -> bool:
        """Return true when the metadata of a document equals a filter."""
        with self._lock, damage_told():
            found = self._run(
                "SELECT 1 FROM attributes WHERE key = ? AND value = ? LIMIT 1", (storable(field), attribute(value))
            )
            return found.fetchone() is not None

    def allows(self, filters: Mapping[str, MetadataValue]) -> bool:
        """Return true when a passage has all filters."""
        with self._lock, damage_told():
            return len(self._allowed(filters)) > 0

    @property
    def _has_compounds(self) -> bool:
        return not COMPOUNDING.isdisjoint(self._languages)

    def _question(self, text: str, vector: Sequence[float] | None) -> IndexQuery:
        counts = self._analyzer.query_terms(text[:MAX_TEXT], self._languages)
        found = self._terms(term for alternatives in counts for term in alternatives)
        if self._has_compounds:
            unknown = [alternatives for alternatives in counts if found.keys().isdisjoint(alternatives)]
            for alternatives in unknown[:MAX_MATCHED_TERMS]:
                parts = self._parts(alternatives[0])
                found.update(parts)
                if parts:
                    counts.update(dict.fromkeys(((part,) for part in parts), counts.pop(alternatives)))
        ids = {term: row[0] for term, row in found.items()}
        question = IndexQuery.of(counts, ids, self._weighting.idf, self._unknown_idf)
        if not self._lexical:
            return replace(question, dense=self._checked(vector))
        projections = [found[term][1] for term in question.terms]
        learned = [at for at, projection in enumerate(projections) if projection is not None]
        if not learned:
            return question
        rows = self._dense_of([projection for projection in projections if projection is not None])
        weights = 1 + np.log(question.counts[learned])
        dense = unit_rows((rows * weights[:, None]).sum(axis=0, keepdims=True))[0]
        return replace(question, dense=dense * question.known)

    def _terms(self, terms: Iterable[str]) -> dict[str, tuple[int, bytes | None]]:
        """Return id and projection of those of `terms` that are in the index."""
        found: dict[str, tuple[int, bytes | None]] = {}
        for term in terms:
            row = self._run("SELECT id, projection FROM terms WHERE term = ?", (term,)).fetchone()
            if row is not None:
                found[term] = row
        return found

    def _parts(self, word: str) -> dict[str, tuple[int, bytes | None]]:
        """Return the longest terms that an unknown compound begins and ends with."""
        if not word.isalpha():
            return {}
        longest = (next((term for term in parts if self._terms((term,))), None) for parts in compound_parts(word))
        return self._terms(term for term in longest if term is not None)

    def _checked(self, vector: Sequence[float] | None) -> Floats:
        """Return the vector of a query, normalized."""
        if vector is None or len(vector) != self._dimensions:
            given = "none" if vector is None else f"one of {len(vector)}"
            raise RetrievalError(
                f"the collection's vectors have {self._dimensions} dimensions, the query has {given}; "
                "use the embedding model of the collection, or re-index it",
                code="invalid",
            )
        return unit_rows(np.asarray([vector], dtype=np.float32))[0]

    def _allowed(self, filters: Mapping[str, MetadataValue]) -> Positions:
        """Return the positions of passages whose metadata equals all filters."""
        documents = " INTERSECT ".join(["SELECT document FROM attributes WHERE key = ? AND value = ?"] * len(filters))
        given = [part for key, value in filters.items() for part in (storable(key), attribute(value))]
        rows = self._run(f"SELECT id FROM passages WHERE document IN ({documents})", given).fetchall()  # noqa: S608 # no value is in it
        return self._positions([row[0] for row in rows])

    def _positions(self, rows: Collection[int]) -> Positions:
        return np.searchsorted(self._rows, np.sort(np.fromiter(rows, dtype=np.intp, count=len(rows))))

    def _ranked(self, question: IndexQuery, allowed: Positions | None) -> tuple[Positions, Floats]:
        """Return the positions of the results, the best first, with their distances.

        Two orders fused, BM25 with feedback and the cosine distance, then passages that stand out by BM25 without
        feedback. Coverage is left out of the order, as all of these rank by the question's terms; it is part of the
        distance only.
        """
        candidates = self._candidates(question, allowed)
        weights = np.zeros_like(self._weighting.idf)
        weights[question.ids] = question.counts
        rows = self._matrix.rows(candidates)
        scores = self._weighting.scores(rows, candidates, weights)
        expanded = self._weighting.expanded(rows, candidates, scores, weights)
        best = candidates[best_first(scores, DEPTH)]
        pool = np.union1d(best, self._nearest(question, allowed, best))
        rows = self._matrix.rows(pool)
        cosines = self._cosine_distances(question, pool, rows)
        by_terms = self._weighting.scores(rows, pool, expanded)
        prominent = prominence(
            self._weighting.scores(rows, pool, weights), matched(question, rows, self._weighting.idf)
        )
        order = best_first(np.round(fused(by_terms, 1 - cosines) + prominent, 6), len(pool))
        if self._lexical:
            order = order[(by_terms[order] > 0) | (cosines[order] < 1)]
        return pool[order], self._distances(question, cosines, rows)[order]

    def _candidates(self, question: IndexQuery, allowed: Positions | None) -> Positions:
        """Return passages with a term of the query, those of the rarest terms, up to the limits.

        The remaining rows are those of passages with both of the two rarest common terms. Of all of them
        the best are chosen by a score with each term counted once, as the rows of FTS5 have no counts.
        """
        if allowed is not None and len(allowed) <= self._limits.scored:
            return allowed
        left = self._limits.candidate_rows
        scores = np.zeros(self._passages, dtype=np.float32)
        common: list[tuple[str, float]] = []
        frequencies: list[float] = self._frequencies[question.ids].tolist()
        idf: list[float] = self._weighting.idf[question.ids].tolist()
        for term, frequency, weight in zip(question.terms[:MAX_MATCHED_TERMS], frequencies, idf, strict=False):
            if frequency <= left:
                left -= int(frequency)
                self._count(scores, f'"{term}"', weight, int(frequency))
            else:
                common.append((f'"{term}"', weight))
        if common and left:
            self._count(scores, " AND ".join(term for term, _ in common[:2]), sum(idf for _, idf in common[:2]), left)
        found = np.flatnonzero(scores)
        if allowed is not None:
            found = np.intersect1d(found, allowed, assume_unique=True)
        return np.sort(found[best_first(scores[found], self._limits.scored)])

    def _count(self, scores: Floats, expression: str, weight: float, limit: int) -> None:
        """Add `weight` to the scores of the passages that match, less for long ones."""
        rows = self._run("SELECT rowid FROM search WHERE search MATCH ? LIMIT ?", (expression, limit)).fetchall()
        found = self._positions([row[0] for row in rows])
        scores[found] += weight * self._weighting.once[found]

    def _nearest(self, question: IndexQuery, allowed: Positions | None, candidates: Positions) -> Positions:
        """Return the passages with the nearest vectors; `candidates` when not all vectors are in memory."""
        if question.dense is None or self._dense is None:
            return candidates
        if allowed is None:
            return best_first(_cosines(self._dense, question.dense), DEPTH)
        return allowed[best_first(_cosines(self._dense[allowed], question.dense), DEPTH)]

    def _dense_at(self, positions: Positions) -> Floats:
        if self._dense is not None:
            return self._dense[positions]
        return self._dense_of(
            [
                self._run("SELECT dense FROM vectors WHERE passage = ?", (row,)).fetchone()[0]
                for row in self._rows[positions].tolist()
            ]
        )

    def _cosine_distances(self, question: IndexQuery, positions: Positions, rows: TermMatrix) -> Floats:
        """Return the cosine distances of the passages at `positions`, with the terms `rows`."""
        if not self._lexical and question.dense is not None:
            return np.clip(1 - _cosines(self._dense_at(positions), question.dense), 0, 2)
        terms = term_cosines(question, rows, self._weighting.idf)
        return cosine_distances(question, terms, self._dense_at(positions) if self._dimensions else None)

    def _distances(self, question: IndexQuery, cosines: Floats, rows: TermMatrix) -> Floats:
        """Return the distances for thresholds, from the cosine distances."""
        if not self._lexical:
            return cosines
        return lexical_distances(cosines, coverage(question, rows, len(self._weighting.idf)))

    def _hits(self, positions: Positions, distances: Floats) -> tuple[Hit, ...]:
        return tuple(
            Hit(self._passage(row), float(distance))
            for row, distance in zip(self._rows[positions].tolist(), distances.tolist(), strict=True)
        )

    def _passage(self, row: int) -> Passage:
        document, ordinal, text, offset, title, source, metadata = self._run(
            "SELECT name, ordinal, text, offset, title, source, metadata "
            "FROM passages JOIN documents ON documents.id = document WHERE passages.id = ?",
            (row,),
        ).fetchone()
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Passage(f"{document}#{ordinal}", document, text, title, source, offset, digest, json.loads(metadata))


def _cosines(rows: Floats, vector: Floats) -> Floats:
    """Return the product of each row with `vector`, in this thread alone.

    BLAS would share a matrix product among threads that wait for each other: on a busy machine eight times slower.
    """
    return np.vecdot(rows, vector)
