"""Generated notes that differ in one item each, and questions for exactly one of them.

All notes are sentences of the same few words, so nothing but the item, such as a number, a name or a path, tells them
apart; items of a kind share their parts with others. Everything depends on the seed alone.
`python -m dev.evals.retrieval` prints the share of queries whose note is the first hit.
"""

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dev.evals.server_embedder import EMBEDDING_SECONDS, ServerEmbedder
from flexchat.deadline import Deadline
from flexchat.retrieval import SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.index.writer import IndexWriter

NOTES: Final = 1_000
CASES: Final = 20

SEEDS: Final = (201, 202, 203)
"""Seeds of the tests and of the measurement, which were not used while the ranking was developed."""

type Vectors = Callable[[Sequence[str]], Sequence[Sequence[float]]]

_SUBJECTS: Final = ["printer", "router", "server", "phone", "laptop", "backup", "invoice", "account", "meter", "badge"]
_PLACES: Final = ["Berlin", "Lyon", "Porto", "Utrecht", "Turin", "Vienna", "Bergen", "Dublin"]
_DONE: Final = ["repaired", "replaced", "checked", "cleaned", "moved", "returned", "restarted", "renewed"]
_PEOPLE: Final = ["customer", "technician", "manager", "supplier", "operator", "driver"]
_SENTENCES: Final = (
    "The {subject} in {place} was {done} after a call of the {person}.",
    "A {person} reported that the {subject} had been {done} before.",
    "The {person} in {place} waits for the {subject} and wants it {done} this week.",
    "It is not known why the {subject} was {done} twice.",
    "We {done} the {subject} together with the {person}.",
)
_FRAMES: Final[Mapping[str, tuple[str, str, str]]] = {
    "number": ("See ticket {item}.", "ticket {item}", "What was done about ticket {item}?"),
    "id": ("It has the order number {item}.", "order {item}", "Where is the order {item}?"),
    "error_code": ("The log had the error {item}.", "error {item}", "Why does the error {item} occur?"),
    "name": ("The contact is {item}.", "{item}", "What do we know about {item}?"),
    "version": ("The release is {item}.", "release {item}", "What has changed in version {item}?"),
    "path": ("The settings are in {item}.", "{item}", "What is in the file {item}?"),
    "function": ("The fault is in {item}().", "{item}", "What does {item}() do?"),
}
"""For each kind: the sentence of a note, a short query, and a question."""

KINDS: Final = tuple(_FRAMES)


@dataclass(frozen=True, slots=True)
class KnownItems:
    """Notes by id, and queries, each with the id of the only note that has its item."""

    notes: Mapping[str, str]
    queries: tuple[tuple[str, str], ...]

    @classmethod
    def generated(cls, kind: str, seed: int, *, notes: int = NOTES, cases: int = CASES) -> "KnownItems":
        """Return `notes` notes with an item of `kind` each, and for `cases` of them a short query and a question."""
        generator = random.Random(f"{kind}-{seed}")  # noqa: S311 # sentences, not secrets
        statement, query, question = _FRAMES[kind]
        items = _distinct(_ITEMS[kind], generator, notes)
        texts = {f"note-{at}": _note(generator, statement.format(item=item)) for at, item in enumerate(items)}
        asked = generator.sample(range(notes), cases)
        return cls(
            texts, tuple((form.format(item=items[at]), f"note-{at}") for at in asked for form in (query, question))
        )


def first_hits(items: KnownItems, vectors: Vectors | None = None) -> float:
    """Return the share of queries whose note is the first hit, with the lexical embedding or `vectors` of texts."""
    texts, queries = list(items.notes.values()), [query for query, _ in items.queries]
    given = [(vector,) for vector in vectors(texts)] if vectors else [()] * len(texts)
    asked = vectors(queries) if vectors else [None] * len(queries)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "index.sqlite"
        with IndexWriter(path) as writer:
            writer.add(
                IndexedDocument(name, "", "", name, {}, ((text, 0),), vector)
                for (name, text), vector in zip(items.notes.items(), given, strict=True)
            )
        index = CollectionIndex(path)
    found = [
        hit.passage.document_id == expected
        for (query, expected), vector in zip(items.queries, asked, strict=True)
        for hit in index.search(SearchQuery(query, top_k=1), vector)
    ]
    return sum(found) / len(queries)


def report(embedder: ServerEmbedder | None = None) -> None:
    """Print the share of first hits of each kind, with the lexical embedding and with that of `embedder`."""

    def embed(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [] if embedder is None else embedder.embed(texts, Deadline.after(EMBEDDING_SECONDS))

    print(f"\nKnown items among {NOTES:,} notes: share of first hits")
    print(f"{'':<12} {'lexical':>8} {'model':>8}")
    for kind in KINDS:
        suites = [KnownItems.generated(kind, seed) for seed in SEEDS]
        shares = [sum(map(first_hits, suites)) / len(suites)]
        if embedder is not None:
            shares.append(first_hits(suites[0], embed))
        print(f"{kind:<12} " + " ".join(f"{share:>8.3f}" for share in shares))


def _note(generator: random.Random, statement: str) -> str:
    sentences = [
        sentence.format(
            subject=generator.choice(_SUBJECTS),
            place=generator.choice(_PLACES),
            done=generator.choice(_DONE),
            person=generator.choice(_PEOPLE),
        )
        for sentence in generator.choices(_SENTENCES, k=generator.randint(2, 6))
    ]
    sentences.insert(generator.randrange(len(sentences) + 1), statement)
    return " ".join(sentences)


def _distinct(make: Callable[[random.Random], str], generator: random.Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[make(generator)] = None
    return list(found)


def _id(generator: random.Random) -> str:
    prefix = generator.choice(("INV", "ORD", "REQ", "CASE"))
    return f"{prefix}-{generator.randint(2019, 2025)}-{generator.randint(1, 400):05}"


def _error_code(generator: random.Random) -> str:
    prefix = generator.choice(("ORA-", "E", "0x8007", "TS", "ERR_NET_"))
    return f"{prefix}{generator.randint(1, 999):04}"


_FIRST_NAMES: Final = "Anna Bruno Clara David Emma Felix Greta Hugo Ines Jonas Katja Luis Marta Nils Olga Paul".split()  # noqa: SIM905
_SYLLABLES: Final = ("ba", "ko", "li", "mer", "nov", "ra", "sti", "tan", "vel", "wei", "zo", "jörg", "ñe", "ić")


def _name(generator: random.Random) -> str:
    """Return a first name that many share, and a family name that a few share."""
    family = "".join(generator.choices(_SYLLABLES, k=2))
    return f"{generator.choice(_FIRST_NAMES)} {family.capitalize()}"


def _version(generator: random.Random) -> str:
    """Return a version, with a `v` by its first number: `v2.3.1` and `2.3.1` are the same."""
    major = generator.randint(0, 9)
    return f"{'v' if major % 2 else ''}{major}.{generator.randint(0, 14)}.{generator.randint(0, 14)}"


_FOLDERS: Final = ["srv", "etc", "opt", "var", "home", "app", "config", "data", "cache", "mail", "web", "shared"]
_FILES: Final = ["main", "index", "server", "client", "settings", "users", "routes", "jobs"]
_ENDINGS: Final = ["py", "yaml", "json", "toml", "log", "conf"]


def _path(generator: random.Random) -> str:
    folders = "/".join(generator.sample(_FOLDERS, k=generator.randint(2, 4)))
    return f"/{folders}/{generator.choice(_FILES)}.{generator.choice(_ENDINGS)}"


_VERBS: Final = ["get", "set", "read", "write", "parse", "load", "save", "check", "send", "find", "create", "delete"]
_NOUNS: Final = "user users config token tokens page order file files header session row".split()  # noqa: SIM905


def _function(generator: random.Random) -> str:
    parts = [generator.choice(_VERBS), *generator.sample(_NOUNS, k=generator.randint(1, 3))]
    if generator.random() < 0.5:
        return "_".join(parts)
    return parts[0] + "".join(part.capitalize() for part in parts[1:])


_ITEMS: Final[Mapping[str, Callable[[random.Random], str]]] = {
    "number": lambda generator: str(generator.randint(1_000, 9_999)),
    "id": _id,
    "error_code": _error_code,
    "name": _name,
    "version": _version,
    "path": _path,
    "function": _function,
}
