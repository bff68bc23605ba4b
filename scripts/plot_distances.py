"""Plot the distances of questions to the nearest passage: questions that a collection answers, and others.

The lines are the thresholds of a calibration of the collection with its passages and answered questions.

    .venv/bin/python scripts/plot_distances.py [path/to/cranfield]

Writes docs/images/distances-docs.svg from the project's own documents and, given the folder of the Cranfield collection
(docs.jsonl and queries.jsonl), docs/images/distances-cranfield.svg. Both collections are built with the lexical
embedding.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Final

from dev.local_stack.documents import CHUNKING, documents_of
from flexchat.retrieval import CollectionMetadata, SearchQuery
from functions.retrieval.index.calibration import SampleQuestion, calibrate
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.writer import IndexWriter
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document
from functions.retrieval.ingest.indexing import indexed

ROOT: Final = Path(__file__).parents[1]
QUESTIONS: Final = ROOT / "config" / "documents" / "flexchat-docs-questions.txt"

TOP_K: Final = 5
BINS: Final = 40
WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 16, 58, 44

ANSWERED: Final = "#0f766e"
FOREIGN: Final = "#c2410c"

EVERYDAY: Final = (
    "What is the best recipe for pancakes?",
    "Who won the football match yesterday?",
    "How do I get a red wine stain out of a carpet?",
    "Which plants grow well in the shade?",
    "What is the capital of Mongolia?",
    "How long should I boil an egg?",
    "When was the Eiffel Tower built?",
    "How do I change a bicycle tyre?",
    "What helps against a cold?",
    "How far away is the moon?",
    "Which train goes to the airport?",
    "How do I train a puppy to sit?",
    "What is the difference between jazz and blues?",
    "How many calories are in a banana?",
    "Who wrote The Magic Mountain?",
    "How do I remove a splinter?",
    "What should I pack for a week by the sea?",
    "How is cheese made?",
    "Which stretches help against back pain?",
    "How do I write a letter of condolence?",
)
"""Questions that no collection here answers."""


def main(arguments: Sequence[str]) -> None:
    questions = QUESTIONS.read_text(encoding="utf-8").splitlines()
    documents = [document for document in documents_of(ROOT) if isinstance(document, Document)]
    draw("docs", "Flexchat's own documents", build(documents, CHUNKING), questions, EVERYDAY)
    if arguments:
        folder = Path(arguments[0])
        abstracts = [
            Document(record["id"], record["title"], record["id"], record["text"])
            for record in records(folder / "docs.jsonl")
        ]
        asked = [record["text"] for record in records(folder / "queries.jsonl")]
        title = "Cranfield, abstracts on aerodynamics"
        draw("cranfield", title, build(abstracts, Chunking()), asked, [*EVERYDAY, *questions])


def records(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def build(documents: Iterable[Document], chunking: Chunking) -> CollectionIndex:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        with IndexWriter(path) as writer:
            writer.add(indexed(document, chunking=chunking, metadata=CollectionMetadata()) for document in documents)
        return CollectionIndex(path)  # the open file remains readable after its folder is deleted


def draw(name: str, title: str, index: CollectionIndex, answered: Sequence[str], foreign: Sequence[str]) -> None:
    """Write the plot of one collection, and print its figures."""
    near, far = [list(nearest(index, questions)) for questions in (answered, foreign)]
    for label, distances in (("answered", near), ("foreign", far)):
        low, middle, high = (quantiles(distances, n=20)[at] for at in (0, 9, 18))
        print(f"{name} {label}: {len(distances)} questions, 5% {low:.3f}, median {middle:.3f}, 95% {high:.3f}")
    proposal = calibrate(index, [SampleQuestion(question) for question in answered])
    thresholds = (("match", proposal.match_threshold), ("partial", proposal.partial_threshold))
    for label, threshold in thresholds:
        print(f"{name} {label} {threshold}: {below(near, threshold)} answered, {below(far, threshold)} foreign below")
    target = ROOT / "docs" / "images" / f"distances-{name}.svg"
    target.parent.mkdir(exist_ok=True)
    target.write_text(picture(title, near, far, thresholds), encoding="utf-8")


def below(distances: Sequence[float], threshold: float) -> str:
    return f"{sum(distance < threshold for distance in distances) / len(distances):.0%}"


def nearest(index: CollectionIndex, questions: Sequence[str]) -> Iterator[float]:
    """Return the smallest distance of each question's passages; 1 without passages."""
    for question in questions:
        yield min((hit.distance for hit in index.search(SearchQuery(question, TOP_K))), default=1.0)


def picture(title: str, near: Sequence[float], far: Sequence[float], thresholds: Sequence[tuple[str, float]]) -> str:
    """Return two histograms over distances from 0 to 1, as shares of their questions, and lines at the thresholds."""
    tallest = max(max(shares(near)), max(shares(far)))
    legend = (
        (ANSWERED, f"questions it answers ({len(near)})"),
        (FOREIGN, f"questions about something else ({len(far)})"),
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        '<g font-size="12" font-family="system-ui, sans-serif" fill="#1f2937">',
        f"<title>{escape(title)}: distance of questions to the nearest passage</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" font-weight="600">{escape(title)}, lexical embedding</text>',
    ]
    for at, (colour, label) in enumerate(legend):
        x = LEFT + at * 220
        parts.append(f'<rect x="{x}" y="34" width="11" height="11" fill="{colour}" fill-opacity="0.6"/>')
        parts.append(f'<text x="{x + 17}" y="44">{label}</text>')
    parts += bars(near, tallest, ANSWERED)
    parts += bars(far, tallest, FOREIGN)
    parts += axis()
    for label, threshold in thresholds:
        parts += marker(label, threshold)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def shares(distances: Sequence[float]) -> list[float]:
    """Return the share of `distances` in each bin; values of 1 or more are in the last one."""
    counted = [0] * BINS
    for distance in distances:
        counted[min(BINS - 1, int(distance * BINS))] += 1
    return [count / len(distances) for count in counted]


def bars(distances: Sequence[float], tallest: float, colour: str) -> Iterator[str]:
    wide = (WIDTH - LEFT - RIGHT) / BINS
    for at, share in enumerate(shares(distances)):
        if share:
            tall = (HEIGHT - TOP - BOTTOM) * share / tallest
            place = f'x="{LEFT + at * wide:.1f}" y="{HEIGHT - BOTTOM - tall:.1f}" width="{wide - 1:.1f}"'
            yield f'<rect {place} height="{tall:.1f}" fill="{colour}" fill-opacity="0.6"/>'


def axis() -> Iterator[str]:
    base = HEIGHT - BOTTOM
    yield f'<line x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}" stroke="#6b7280"/>'
    for tick in range(11):
        x = LEFT + tick / 10 * (WIDTH - LEFT - RIGHT)
        yield f'<text x="{x:.1f}" y="{base + 17}" text-anchor="middle">{tick / 10:.1f}</text>'
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    yield f'<text x="{middle:.1f}" y="{base + 36}" text-anchor="middle">distance of the nearest passage</text>'


def marker(label: str, threshold: float) -> Iterator[str]:
    """Return the line of a threshold with its label on the side without another label."""
    x = LEFT + threshold * (WIDTH - LEFT - RIGHT)
    anchor, shift = ("end", -4) if label == "match" else ("start", 4)
    ends = f'x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"'
    yield f'<line {ends} stroke="#111827" stroke-dasharray="4 3"/>'
    yield f'<text x="{x + shift:.1f}" y="{TOP + 2}" text-anchor="{anchor}">{label} {threshold:.3f}</text>'


if __name__ == "__main__":
    main(sys.argv[1:])
