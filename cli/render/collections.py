"""Collections, search results and distributions of distances as text."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cli.console import Console, Table, Text
from flexchat.retrieval import CollectionInfo, Hit, RagClass
from flexchat.text import counted, truncate
from functions.retrieval.thresholds import thresholds_of

if TYPE_CHECKING:
    from functions.retrieval.collections import ImportReport, SyncPlan
    from functions.retrieval.explanation import QueryResult
    from functions.retrieval.index.calibration import Calibration
    from functions.retrieval.index.listing import StoredDocument
    from functions.retrieval.ingest.documents import Failure

SKIPPED = 20
SNIPPET = 160
BAR = 32
STEP = 0.05
COLOURS: dict[RagClass, str] = {"match": "green", "partial": "yellow", "none": "red"}


def show_list(console: Console, collections: Sequence[CollectionInfo]) -> None:
    """Print every collection on a separate line."""
    table = Table(box=None, pad_edge=False)
    for heading in ("COLLECTION", "DOCUMENTS", "PASSAGES", "SIZE", "EMBEDDING", "DESCRIPTION"):
        table.add_column(heading, justify="right" if heading in ("DOCUMENTS", "PASSAGES", "SIZE") else "left")
    for info in collections:
        table.add_row(
            Text(info.name, style="bold"),
            f"{info.documents:,}",
            f"{info.passages:,}",
            _size(info.bytes),
            Text(info.metadata.embedding_model),
            Text(info.metadata.display_name or info.metadata.description),
        )
    console.print(table)


def show_collection(console: Console, info: CollectionInfo) -> None:
    """Print all metadata of one collection."""
    thresholds = thresholds_of(info.metadata)
    origin = (
        f", calibrated from {counted(info.calibrated_passages, 'passage')}"
        if info.calibrated_passages is not None
        else ""
    )
    facts = {
        "name": info.name,
        "display name": info.metadata.display_name or "",
        "description": info.metadata.description,
        "documents": f"{info.documents:,}",
        "passages": f"{info.passages:,}",
        "size": _size(info.bytes),
        "embedding": info.metadata.embedding_model,
        "thresholds": f"match below {thresholds.match}, partial below {thresholds.partial}{origin}",
        "title field": info.metadata.title_field or "",
        "source field": info.metadata.source_field or "",
        "created": _time(info.created_at),
        "updated": _time(info.updated_at),
    }
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in facts.items():
        if value:
            table.add_row(Text(name, style="dim"), Text(value))
    console.print(table)


def imported(name: str, report: "ImportReport") -> str:
    """Return one line on the result of adding documents."""
    counts = (
        (report.added, "added"),
        (report.replaced, "replaced"),
        (report.removed, "removed"),
        (report.unchanged, "unchanged"),
        (len(report.failed), "left out"),
    )
    summary = ", ".join(f"{count:,} {word}" for count, word in counts if count) or "nothing to add"
    return f"{name!r}: {summary}; it has {counted(report.passages, 'passage')}."


def skipped(files: Sequence["Failure"]) -> str:
    """Return the number and the names of files that were not read, with the reasons."""
    shown = [f"  {file.source}: {file.reason}" for file in files[:SKIPPED]]
    more = len(files) - len(shown)
    return "\n".join(
        [
            f"{counted(len(files), 'file')} skipped:",
            *shown,
            *([f"  and {more:,} more (all with --json)"] if more else []),
        ]
    )


def show_documents(console: Console, documents: Sequence["StoredDocument"]) -> None:
    """Print every document on a separate line."""
    table = Table(box=None, pad_edge=False)
    for heading in ("DOCUMENT", "SIZE", "PASSAGES", "ADDED", "TITLE", "ORIGIN"):
        table.add_column(heading, justify="right" if heading in ("SIZE", "PASSAGES") else "left", overflow="fold")
    for document in documents:
        table.add_row(
            Text(document.id, style="bold"),
            _size(document.bytes) if document.bytes else "",
            f"{document.passages:,}",
            f"{datetime.fromtimestamp(document.added_at, UTC):%Y-%m-%d %H:%M}" if document.added_at else "",
            Text(document.title),
            Text(document.origin),
        )
    console.print(table)


def show_plan(console: Console, plan: "SyncPlan") -> None:
    """Print the changes of a plan, one document on a line."""
    changes = (("+", "green", plan.added), ("~", "yellow", plan.replaced), ("-", "red", plan.removed))
    for sign, style, ids in changes:
        for name in ids:
            console.print(Text.assemble((f"{sign} {name}", style)))
    counts = (
        (len(plan.added), "to add"),
        (len(plan.replaced), "to replace"),
        (len(plan.removed), "to remove"),
        (plan.unchanged, "unchanged"),
        (len(plan.failed), "left out"),
        (len(plan.kept), "kept because their file cannot be read"),
    )
    console.print(", ".join(f"{count:,} {word}" for count, word in counts if count) or "no documents")


def show_answer(console: Console, answer: "QueryResult") -> None:
    """Print the match class with its reason, then the passages, the best first."""
    explanation = answer.explanation
    console.print(Text.assemble((answer.result, COLOURS[answer.result]), "  ", explanation.sentence))
    for each in explanation.unknown_words:
        if each.similar and each.word not in explanation.sentence:
            console.print(Text(f"{each.word!r} does not occur; similar words: {', '.join(each.similar)}", style="dim"))
    if explanation.excluded:
        console.print(Text("passages that were left out:", style="dim"))
        _show_hits(console, explanation.excluded)
    if answer.hits:
        _show_hits(console, answer.hits)


def _show_hits(console: Console, hits: Sequence[Hit]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("#", "DISTANCE", "TITLE", "SOURCE", "TEXT"):
        table.add_column(heading, overflow="fold")
    for rank, hit in enumerate(hits, start=1):
        table.add_row(
            str(rank), f"{hit.distance:.3f}", *map(Text, (hit.passage.title, hit.passage.source, _snippet(hit)))
        )
    console.print(table)


def show_calibration(console: Console, proposal: "Calibration") -> None:
    """Print the distribution of distances as bars, with the proposed thresholds."""
    kind = "given questions" if proposal.given_questions else "questions with an answer"
    console.print(Text.assemble(("■", "green"), f" {kind} ({len(proposal.answered)})"))
    console.print(Text.assemble(("■", "red"), f" questions without ({len(proposal.unanswered)})"))
    for line in _bars(proposal):
        console.print(line)
    console.print(f"match_threshold {proposal.match_threshold}, partial_threshold {proposal.partial_threshold}")


def _bars(proposal: "Calibration") -> Iterator[Text]:
    """Yield a line for each interval of distances with the share of each sample in it."""
    near, far = (_shares(sample) for sample in (proposal.answered, proposal.unanswered))
    marks = {_step(proposal.partial_threshold): f" ← partial {proposal.partial_threshold}"}
    at_match = _step(proposal.match_threshold)
    marks[at_match] = f" ← match {proposal.match_threshold}" + marks.get(at_match, "").replace(" ←", ",")
    most = max((*near.values(), *far.values()))
    steps = near.keys() | far.keys() | marks.keys()
    for step in range(min(steps), max(steps) + 1):
        green, red = (round(shares.get(step, 0) / most * BAR) for shares in (near, far))
        yield Text.assemble(
            f"{step * STEP:.2f} ",
            (f"{'█' * green:<{BAR}}", "green"),
            " ",
            (f"{'█' * red:<{BAR}}", "red"),
            (marks.get(step, ""), "bold"),
        )


def _shares(sample: Sequence[float]) -> dict[int, float]:
    return {step: count / len(sample) for step, count in Counter(map(_step, sample)).items()}


def _step(distance: float) -> int:
    return math.floor(distance / STEP + 1e-9)


def _snippet(hit: Hit) -> str:
    line = " ".join(hit.passage.text.split())
    return truncate(line, SNIPPET)


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 100_000 else f"{count / 1000:.0f} kB"


def _time(moment: str) -> str:
    """Return a time in UTC to the second."""
    return f"{moment[:19].replace('T', ' ')} UTC"
