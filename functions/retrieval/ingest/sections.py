"""Conversion of headings to sections, titled by their path, as `Guide > Adding a tool > Mock`."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from functions.retrieval.ingest.documents import Section

MAX_STEP_CHARACTERS = 300
"""Maximum length of one heading in a section's path."""


class Heading(Struct, frozen=True):
    """Heading: its offset in the document's text, its level (1 is the highest), and its words."""

    offset: int
    level: int
    text: str
    anchor: str = ""


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
