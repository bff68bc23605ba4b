"""Search in the documentation of the checkout: the sections of its pages, ranked by their words (BM25)."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

INDEX: Final = "docs/README.md"
PAGES: Final = ("README.md", "CONTRIBUTING.md", "docs/*.md")
EXCLUDED: Final = (INDEX, "docs/decisions.md", "docs/examples.md", "docs/glossary.md")
"""Pages without instructions: the index, reasons, questions to other services, terms."""

HEADING_WEIGHT: Final = 6
"""Number of times that the words of a heading count."""
TASK_SCORE: Final = 16.0
"""Score of a section whose task in the index has exactly the words of the question."""
LANGUAGE: Final = "en"

_K1: Final = 1.2
_B: Final = 0.5
_HEADING: Final = re.compile(r"^(#{1,4}) (.+)$")
_TASK: Final = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
_LINK: Final = re.compile(r"\[[^\]]+\]\(([^)#\s]+)(?:#([^)\s]+))?\)")
_NO_ANCHOR: Final = re.compile(r"[^\w\- ]")

type Terms = Callable[[str], Sequence[str]]
"""Function that returns the terms of a text."""


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a page: its path in the checkout, its headings from the page's title on, and its text.

    `tasks` are those of the index that link it.
    """

    page: str
    headings: tuple[str, ...]
    text: str
    tasks: tuple[str, ...] = field(default=())

    @property
    def address(self) -> str:
        """Return the path of the page, with the anchor of the section unless it is the first."""
        return self.page if len(self.headings) < 2 else f"{self.page}#{anchor(self.headings[-1])}"


@dataclass(frozen=True, slots=True)
class Found:
    """A section with its score."""

    section: Section
    score: float


def sections_of(root: Path) -> tuple[Section, ...]:
    """Return the sections of the documentation of the checkout `root`, with the tasks of its index."""
    pages = sorted({path for pattern in PAGES for path in root.glob(pattern)})
    names = {path: path.relative_to(root).as_posix() for path in pages}
    found = [
        section
        for path in pages
        if names[path] not in EXCLUDED
        for section in _sections(names[path], path.read_text(encoding="utf-8"))
    ]
    index = root / INDEX
    tasks = _tasks(index.read_text(encoding="utf-8")) if index.is_file() else {}
    return tuple(replace(section, tasks=tasks.get(section.address, ())) for section in found)


def search(sections: Sequence[Section], question: str, terms: Terms, *, count: int) -> tuple[Found, ...]:
    """Return the best sections for a question, the best first; none that has no word of it."""
    counted = [_counts(section, terms) for section in sections]
    lengths = [counts.total() for counts in counted]
    average = sum(lengths) / max(1, len(lengths))
    frequencies = Counter(term for counts in counted for term in counts)
    wanted = dict.fromkeys(terms(question))
    scores: list[Found] = []
    for section, counts, length in zip(sections, counted, lengths, strict=True):
        score = sum(
            math.log(1 + (len(sections) - frequencies[term] + 0.5) / (frequencies[term] + 0.5))
            * counts[term]
            * (_K1 + 1)
            / (counts[term] + _K1 * (1 - _B + _B * length / average))
            for term in wanted
            if counts[term]
        )
        score += TASK_SCORE * max((_overlap(wanted, terms(task)) for task in section.tasks), default=0.0)
        if score:
            scores.append(Found(section, score))
    return tuple(sorted(scores, key=lambda found: -found.score)[:count])


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return _NO_ANCHOR.sub("", heading.strip().lower()).replace(" ", "-")


def _counts(section: Section, terms: Terms) -> Counter[str]:
    counts = Counter(terms(section.text))
    for term in (term for heading in section.headings for term in terms(heading)):
        counts[term] += HEADING_WEIGHT
    return counts


def _overlap(wanted: Collection[str], task: Collection[str]) -> float:
    """Return the share of common terms of a question and a task, from 0 to 1."""
    terms = set(task)
    return 2 * len(terms.intersection(wanted)) / (len(wanted) + len(terms)) if terms else 0.0


def _sections(page: str, text: str) -> Iterator[Section]:
    """Yield the sections of a page; a `#` in a block of code begins none."""
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    in_code = False
    for line in text.splitlines():
        in_code ^= line.lstrip().startswith("```")
        heading = None if in_code else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if headings:
            yield _section(page, headings, lines)
        level = len(heading[1])
        headings = [*(each for each in headings if each[0] < level), (level, heading[2])]
        lines = []
    if headings:
        yield _section(page, headings, lines)


def _section(page: str, headings: Sequence[tuple[int, str]], lines: Sequence[str]) -> Section:
    return Section(page, tuple(text for _, text in headings), "\n".join(lines).strip())


def _tasks(index: str) -> dict[str, tuple[str, ...]]:
    """Return the tasks of the index by the address of their first link."""
    found: dict[str, list[str]] = {}
    for task, links in _TASK.findall(index.partition("## Find by task")[2].partition("\n## ")[0]):
        for path, fragment in _LINK.findall(links):
            page = f"docs/{path}" if not path.startswith("../") else path.removeprefix("../")
            found.setdefault(f"{page}#{fragment}" if fragment else page, []).append(task)
    return {address: tuple(tasks) for address, tasks in found.items()}
