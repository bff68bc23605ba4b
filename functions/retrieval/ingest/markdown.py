"""Markdown: front matter, headings as sections; the text stays Markdown, which models read well."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from flexchat.retrieval import MetadataValue
from functions.retrieval.ingest.documents import Document, LoadError, Section, SourceFile, checked, decoded, stem

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


_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_SETTING = re.compile(r"([A-Za-z_][\w-]*):[ \t]+(\S.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*+\)")
_MARKUP = re.compile(r"[*`]+")
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")


def load_markdown(file: SourceFile) -> Document:
    """Return a Markdown file, titled by its front matter, else by its first heading. Raises LoadError."""
    whole = checked(decoded(file.content))
    front = _FRONT_MATTER.match(whole)
    settings = dict(_settings(front[1])) if front else {}
    text = checked(whole[front.end() :]) if front else whole
    headings = counted(_headings(text))
    title = str(settings.pop("title", "")) or next((found.text for found in headings), "") or stem(file.name)
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=text,
        metadata=settings,
        sections=anchored(title, file.name, headings),
    )


def _settings(front_matter: str) -> Iterator[tuple[str, MetadataValue]]:
    """Return the scalar settings of a front matter, without lists and nested ones."""
    for line in front_matter.splitlines():
        if setting := _SETTING.fullmatch(line.rstrip()):
            value = _value(setting[2])
            if value is not None:
                yield setting[1], value


def _value(text: str) -> MetadataValue | None:
    if text[0] in "\"'" and text[-1] == text[0] and len(text) > 1:
        return text[1:-1]
    if text[0] in "[{|>&*!#":
        return None
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d{1,15}", text) else text


class _Fence(Struct):
    """Code block around a line, which has no headings."""

    mark: str = ""

    def holds(self, line: str) -> bool:
        found = _FENCE.match(line)
        if self.mark:
            if found and found[1].startswith(self.mark) and not line[found.end() :].strip():
                self.mark = ""
            return True
        self.mark = found[1] if found else ""
        return bool(found)


def _headings(text: str) -> Iterator[Heading]:
    offset, above, fence = 0, "", _Fence()
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\n")
        if fence.holds(bare):
            above = ""
        elif heading := _ATX.match(bare):
            yield Heading(offset, len(heading[1]), _plain(_unclosed(bare[heading.end() :].strip())))
            above = ""
        elif above.strip() and (under := _SETEXT.match(bare)):
            yield Heading(offset - len(above), 1 if under[1][0] == "=" else 2, _plain(above))
            above = ""
        else:
            above = line if _may_be_heading(bare) else ""
        offset += len(line)


def _unclosed(heading: str) -> str:
    """Return the text of a `#` heading without the number signs that may close it, as in `## Title ##`."""
    text = heading.rstrip("#")
    return text.rstrip() if text != text.rstrip() else heading


def _may_be_heading(line: str) -> bool:
    """Return true when a line of `---` below makes this line a heading: not for lists, quotes, tables and code."""
    return bool(line.strip()) and not line.startswith(("    ", "\t")) and line.lstrip()[0] not in "->*+|"


def _plain(heading: str) -> str:
    return _MARKUP.sub("", _LINK.sub(r"\1", heading)).strip()


def anchored(title: str, source: str, headings: Sequence[Heading]) -> tuple[Section, ...]:
    """Return sections cited by the anchors that most Markdown renderers give to headings."""
    seen: dict[str, int] = {}

    def anchor(heading: Heading) -> str:
        name = _NOT_IN_ANCHOR.sub("", heading.text.lower()).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        return f"{source}#{name}" + (f"-{count}" if count else "") if name else source

    return sections(title, headings, cite=anchor)
