"""Writer of an index: adds and removes documents, and updates all derived data."""

import sqlite3
import weakref
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import batched
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast

import numpy as np

from flexchat.errors import RetrievalError
from flexchat.json import dumps
from functions.retrieval.index import lexical
from functions.retrieval.index.analysis import Analyzer, language_of
from functions.retrieval.index.lexical import (
    COUNT_TYPE,
    DENSE_TYPE,
    MAX_COUNT,
    TERM_TYPE,
    Floats,
    TermMatrix,
    unit_rows,
)
from functions.retrieval.index.listing import ADDITIONS, ORIGINS, StoredDocument, stored_documents
from functions.retrieval.index.schema import (
    SCHEMA,
    AddReport,
    Clash,
    IndexedDocument,
    attribute,
    check_file,
    damage_told,
    storable,
)

RELEARN_GROWTH: Final = 1.5
"""Factor of growth or shrinkage of a collection after which the lexical embedding is computed again."""

_ROWS_AT_ONCE: Final = 4096


class IndexWriter:
    """Writer of an index on its own copy of the file: a context manager that seals the file on success.

    Every method raises RetrievalError `damaged` for a damaged file, `invalid` for unsuitable documents.
    """

    def __init__(self, path: Path) -> None:
        """Open the index at `path`, or create one."""
        self._analyzer = Analyzer()
        self._changed = False
        existed = path.exists()
        if existed:
            check_file(path)
        # The file is a private copy: a crash loses the copy, so a journal or flushing has no benefit.
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self._database.close)
        self._run = self._database.execute
        with damage_told():
            self._run("PRAGMA journal_mode = MEMORY")
            self._run("PRAGMA synchronous = OFF")
            self._run("PRAGMA cache_size = -65536")
            if not existed:
                self._database.executescript(SCHEMA)
            self._run(ORIGINS)
            self._run(ADDITIONS)
            self._run("BEGIN")
            self._terms: dict[str, int] = dict(self._run("SELECT term, id FROM terms"))
            self._next_term = max(self._terms.values(), default=-1) + 1
        self._deleted = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if exc_type is None:
                with damage_told():
                    self._seal()
        finally:
            self._database.close()

    @property
    def changed(self) -> bool:
        """Return true when the index has changed."""
        return self._changed

    def documents(self) -> Sequence[StoredDocument]:
        """Return every document, by its id."""
        with damage_told():
            return stored_documents(self._run)

    def add(self, documents: Iterable[IndexedDocument], *, replace: bool = False) -> AddReport:
        """Add documents: an unchanged one is skipped, another version of one replaces it.

        A document of another origin is replaced only with `replace`; else the new one is not added.
        """
        report = Counter[str]()
        clashes: list[Clash] = []
        with damage_told():
            for document in documents:
                result = self._add(document, replace=replace)
                if isinstance(result, Clash):
                    clashes.append(result)
                else:
                    report[result] += 1
        return AddReport(**report, clashes=tuple(clashes))

    def _add(self, document: IndexedDocument, *, replace: bool) -> str | Clash:
        known = self._known(document)
        if known is not None and known[1] == document.hash:
            self._adopt(document, *known, replace=replace)
            return "unchanged"
        if known is not None and known[2] and known[2] != storable(document.origin) and not replace:
            return Clash(document.id, known[2])
        dense = self._dense(document)
        self._changed = True
        if known is not None:
            self._delete(known[0])
        self._insert(document, dense)
        return "added" if known is None else "replaced"

    def adopt(self, documents: Iterable[IndexedDocument], *, replace: bool = False) -> None:
        """Set the origin of unchanged documents without one; of all of them with `replace`."""
        with damage_told():
            for document in documents:
                known = self._known(document)
                if known is not None:
                    self._adopt(document, *known, replace=replace)

    def _known(self, document: IndexedDocument) -> tuple[int, str, str | None] | None:
        """Return the row, the hash and the origin of a stored document."""
        return self._run(
            "SELECT id, hash, (SELECT origin FROM origins WHERE document = id) FROM documents WHERE name = ?",
            (storable(document.id),),
        ).fetchone()

    def _adopt(self, document: IndexedDocument, row: int, hash: str, origin: str | None, *, replace: bool) -> None:
        wanted = storable(document.origin)
        if hash == document.hash and wanted and wanted != origin and (replace or not origin):
            self._set_origin(row, wanted)
            self._changed = True

    def _set_origin(self, document: int | None, origin: str) -> None:
        if origin:
            self._run("INSERT OR REPLACE INTO origins(document, origin) VALUES (?, ?)", (document, storable(origin)))

    def _dense(self, document: IndexedDocument) -> Sequence[bytes | None]:
        """Return the given vectors in stored form; none for the lexical embedding."""
        given = len(document.vectors[0]) if document.vectors else 0
        if len(document.vectors) not in (0, len(document.passages)):
            raise _invalid(
                f"Document {document.id!r} has {len(document.passages)} passages and {len(document.vectors)} vectors"
            )
        if not document.passages:
            return ()
        expected = self._meta("given_dimensions")
        if expected is None:
            self._set_meta("given_dimensions", given)
        elif given != expected:
            raise _invalid(
                f"the vectors of document {document.id!r} have {given} dimensions, those of the collection {expected}; "
                "the embedding model of a collection stays the same"
            )
        if not given:
            return [None] * len(document.passages)
        try:
            rows = np.asarray(document.vectors, dtype=np.float32)
        except ValueError as exc:
            raise _invalid(f"the vectors of document {document.id!r} differ in length") from exc
        if not np.isfinite(rows).all():
            raise _invalid(f"the vectors of document {document.id!r} contain a value that is not a number")
        return [row.tobytes() for row in unit_rows(rows).astype(DENSE_TYPE)]

    def _insert(self, document: IndexedDocument, dense: Sequence[bytes | None]) -> None:
        language = language_of("\n".join(text for text, _ in document.passages))
        row = self._run(
            "INSERT INTO documents(name, hash, metadata, language) VALUES (?, ?, ?, ?)",
            (storable(document.id), document.hash, storable(dumps(dict(document.metadata))), language),
        ).lastrowid
        self._set_origin(row, document.origin)
        if document.added_at or document.bytes:
            self._run(
                "INSERT OR REPLACE INTO additions(document, added_at, bytes) VALUES (?, ?, ?)",
                (row, document.added_at, document.bytes),
            )
        self._database.executemany(
            "INSERT INTO attributes(key, value, document) VALUES (?, ?, ?)",
            [(storable(key), attribute(value), row) for key, value in document.metadata.items()],
        )
        cites = document.cites or ((document.title, document.source),) * len(document.passages)
        for ordinal, ((text, offset), (title, source), vector) in enumerate(
            zip(document.passages, cites, dense, strict=True)
        ):
            stored, title_stored = storable(text), storable(title)
            # A passage is found by its title as if that were its first line.
            counts = Counter(self._analyzer.terms(f"{title_stored}\n{stored}", language))
            passage = self._run(
                "INSERT INTO passages(document, ordinal, title, source, text, offset) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    row,
                    ordinal,
                    title_stored,
                    storable(source),
                    stored,
                    offset,
                ),
            ).lastrowid
            self._insert_terms(passage, counts, vector)

    def _insert_terms(self, passage: int | None, counts: Counter[str], vector: bytes | None) -> None:
        known = self._terms
        new = [term for term in counts if term not in known]
        for term in new:
            known[term] = self._next_term
            self._next_term += 1
        self._database.executemany("INSERT INTO terms(id, term) VALUES (?, ?)", [(known[term], term) for term in new])
        ids = np.fromiter((known[term] for term in counts), dtype=TERM_TYPE, count=len(counts))
        amounts = np.fromiter((min(n, MAX_COUNT) for n in counts.values()), dtype=COUNT_TYPE, count=len(counts))
        self._run(
            "INSERT INTO vectors(passage, terms, counts, dense) VALUES (?, ?, ?, ?)",
            (passage, ids.tobytes(), amounts.tobytes(), vector),
        )
        self._run("INSERT INTO search(rowid, terms) VALUES (?, ?)", (passage, " ".join(counts)))

    def delete_documents(self, ids: Iterable[str]) -> int:
        """Remove documents, and return the number of removed ones."""
        deleted = 0
        with damage_told():
            for name in ids:
                known = self._run("SELECT id FROM documents WHERE name = ?", (storable(name),)).fetchone()
                if known is not None:
                    self._delete(known[0])
                    self._changed = True
                    deleted += 1
        return deleted

    def _delete(self, document: int) -> None:
        """Delete rows of the contentless full-text table, which requires their former content: the terms of their
        vectors."""
        self._deleted = True
        for passage, terms in self._run(
            "SELECT passage, terms FROM vectors WHERE passage IN (SELECT id FROM passages WHERE document = ?)",
            (document,),
        ).fetchall():
            held = " ".join(self._term(term_id) for term_id in np.frombuffer(terms, dtype=TERM_TYPE).tolist())
            self._run("INSERT INTO search(search, rowid, terms) VALUES ('delete', ?, ?)", (passage, held))
            self._run("DELETE FROM vectors WHERE passage = ?", (passage,))
        self._run("DELETE FROM passages WHERE document = ?", (document,))
        self._run("DELETE FROM attributes WHERE document = ?", (document,))
        self._run("DELETE FROM origins WHERE document = ?", (document,))
        self._run("DELETE FROM additions WHERE document = ?", (document,))
        self._run("DELETE FROM documents WHERE id = ?", (document,))

    def _term(self, term_id: int) -> str:
        return cast("str", self._run("SELECT term FROM terms WHERE id = ?", (term_id,)).fetchone()[0])

    def clear(self) -> None:
        """Delete everything; the next documents may have another embedding."""
        with damage_told():
            self._changed = True
            for table in ("documents", "origins", "additions", "attributes", "passages", "terms", "vectors", "meta"):
                self._run(f"DELETE FROM {table}")  # noqa: S608 # the names are those above
            self._run("INSERT INTO search(search) VALUES ('delete-all')")
            self._terms.clear()
            self._next_term = 0

    def _seal(self) -> None:
        if self._deleted:
            self._forget_unused_terms()
        if self._changed and not self._meta("given_dimensions"):
            self._learn()
        if self._changed:
            self._run("INSERT INTO search(search) VALUES ('optimize')")
        self._run("COMMIT")
        if self._changed:
            self._run("VACUUM")

    def _forget_unused_terms(self) -> None:
        """Delete the terms of deleted documents only."""
        rows = self._run("SELECT terms FROM vectors").fetchall()
        used = set(np.unique(np.frombuffer(b"".join(row[0] for row in rows), dtype=TERM_TYPE)).tolist())
        unused = [term for term, term_id in self._terms.items() if term_id not in used]
        self._database.executemany("DELETE FROM terms WHERE id = ?", [(self._terms.pop(term),) for term in unused])

    def _learn(self) -> None:
        """Update the lexical embedding, and the vectors of passages without any."""
        (passages,) = self._run("SELECT count(*) FROM vectors").fetchone()
        learned = self._meta("learned_passages") or 0
        if not learned or not learned / RELEARN_GROWTH < passages < learned * RELEARN_GROWTH:
            self._relearn(passages)
        if self._meta("learned_dimensions"):
            self._project()

    def _relearn(self, passages: int) -> None:
        self._run("UPDATE vectors SET dense = NULL")
        self._run("UPDATE terms SET projection = NULL")
        enough = lexical.dimensions(passages) > 0
        self._set_meta("learned_passages", passages if enough else 0)
        self._set_meta("learned_dimensions", 0)
        if not enough:
            return
        rows = self._run("SELECT terms, counts FROM vectors ORDER BY passage").fetchall()
        matrix = TermMatrix.of_blobs([row[0] for row in rows], [row[1] for row in rows])
        projection = lexical.learn(matrix, self._next_term).astype(DENSE_TYPE)
        self._set_meta("learned_dimensions", projection.shape[1])
        significant = np.flatnonzero(projection.any(axis=1))
        self._database.executemany(
            "UPDATE terms SET projection = ? WHERE id = ?", ((projection[at].tobytes(), int(at)) for at in significant)
        )

    def _project(self) -> None:
        waiting = self._run("SELECT passage, terms, counts FROM vectors WHERE dense IS NULL").fetchall()
        if not waiting:
            return
        projection = self._projection()
        for rows in batched(waiting, _ROWS_AT_ONCE, strict=False):
            dense = lexical.vectors(TermMatrix.of_blobs([row[1] for row in rows], [row[2] for row in rows]), projection)
            self._database.executemany(
                "UPDATE vectors SET dense = ? WHERE passage = ?",
                zip((row.tobytes() for row in dense.astype(DENSE_TYPE)), (row[0] for row in rows), strict=True),
            )

    def _projection(self) -> Floats:
        projection = np.zeros((self._next_term, self._meta("learned_dimensions") or 0), dtype=np.float32)
        for term_id, row in self._run("SELECT id, projection FROM terms WHERE projection IS NOT NULL"):
            projection[term_id] = np.frombuffer(row, dtype=DENSE_TYPE)
        return projection

    def _meta(self, key: str) -> int | None:
        row = self._run("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return cast("int", row[0]) if row else None

    def _set_meta(self, key: str, value: int) -> None:
        self._run(
            "INSERT INTO meta(key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (key, value)
        )


def _invalid(message: str) -> RetrievalError:
    return RetrievalError(message, code="invalid")
