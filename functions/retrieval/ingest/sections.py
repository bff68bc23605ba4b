"""Conversion of headings to sections, titled by their path, as `Guide > Adding a tool > Mock`."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from msgspec import Struct

from functions.retrieval.ingest.documents import LoadError, Section

MAX_HEADINGS = 50_000
MAX_STEP_CHARACTERS = 300
"""Maximum length of one heading in a section's path."""


class Heading(Struct, frozen=True):
    """Heading: its offset in the document's text, its level (1 is the highest), and its words."""

    offset: int
    level: int
    text: str
    anchor: str = ""


def counted(headings: Iterable[Heading]) -> tuple[Heading, ...]:
    """Return the headings of a document. Raises LoadError above their maximum, before the others are read."""
    found = tuple(islice(headings, MAX_HEADINGS + 1))
    if len(found) > MAX_HEADINGS:
        raise LoadError(f"it has more than {MAX_HEADINGS} headings; split the file")
    return found


def sections(title: str, headings: Sequence[Heading], *, cite: Callable[[Heading], str]) -> tuple[Section, ...]:
    """Return the sections of a document called `title`; `cite` returns the source of the passages under a heading."""
    title = title[:MAX_STEP_CHARACTERS]
    found: list[Section] = []
    above: list[Heading] = []
    for heading in headings:
        above = [higher for higher in above if higher.level < heading.level]
        above.append(heading)
        way = [step.text[:MAX_STEP_CHARACTERS] for step in above if step.text]
        if way[:1] != [title]:
            way.insert(0, title)
        found.append(Section(heading.offset, " > ".join(way), cite(heading)))
    return tuple(found)
