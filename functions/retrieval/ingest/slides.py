"""Presentations (.pptx): the text of each visible slide with its notes; passages are cited by their slide.

The package python-pptx is not used: it has 33 MB with its dependencies, most of them to write images and charts, and it
reads neither diagrams nor grouped shapes without code of its own.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from functions.retrieval.ingest.archive import Archive
from functions.retrieval.ingest.documents import Document, LoadError, Section, SourceFile, checked, cleaned, stem

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PRESENTATION = "ppt/presentation.xml"
_NOT_CONTENT = {"sldNum", "dt", "ftr", "hdr", "sldImg"}
"""Placeholders that every slide repeats."""


def load_pptx(file: SourceFile) -> Document:
    """Return a presentation, titled by its properties, else by its file's name. Raises LoadError."""
    archive = Archive(file.content)
    title = archive.title() or stem(file.name)
    parts: list[str] = []
    sections: list[Section] = []
    hidden: list[str] = []
    pictures: list[str] = []
    offset = 0
    for number, name in enumerate(_slides(archive), start=1):
        slide = archive.xml(name)
        if slide.get("show") in ("0", "false"):
            hidden.append(str(number))
            continue
        heading, text = _slide(archive, name, slide)
        if not text:
            pictures += [str(number)] * (next(slide.iter(f"{_P}pic"), None) is not None)
            continue
        sections.append(Section(offset, f"{title} > {heading}" if heading else title, f"{file.name}#slide={number}"))
        parts.append(text + "\n\n")
        offset += len(parts[-1])
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked("".join(parts)),
        sections=tuple(sections),
        warnings=tuple(
            f"{kind}: {', '.join(numbers)}"
            for kind, numbers in (
                ("hidden slides were left out", hidden),
                ("slides that have only images, no text", pictures),
            )
            if numbers
        ),
    )


def _slides(archive: Archive) -> Iterator[str]:
    """Yield the names of the slides in the order of the presentation."""
    related = archive.related(_PRESENTATION)
    for slide in archive.xml(_PRESENTATION).iter(f"{_P}sldId"):
        relation = related.get(slide.get(f"{_R}id", ""))
        if relation is None:
            raise LoadError("the presentation is broken: it names a slide that it lacks; open it and save it again")
        yield relation[1]


def _slide(archive: Archive, name: str, slide: Element) -> tuple[str, str]:
    """Return the title of a slide, and its text with that of its diagrams and notes."""
    titles = [" ".join(_paragraphs(shape)) for shape in slide.iter(f"{_P}sp") if _placeholder(shape) in _TITLES]
    lines = list(_shown(slide))
    for kind, target in archive.related(name).values():
        if kind == "diagramData":
            lines += _paragraphs(archive.xml(target))
        elif kind == "notesSlide":
            notes = list(_shown(archive.xml(target)))
            lines += ["", "Notes:", *notes] if notes else []
    return cleaned(next(filter(None, titles), "")), cleaned("\n".join(lines)).strip()


_TITLES = ("title", "ctrTitle")


def _shown(slide: Element) -> Iterator[str]:
    """Yield the lines of a slide, the rows of a table as one, without what a slide repeats."""
    left_out = set[Element]()
    for element in slide.iter():
        if element in left_out:
            continue
        if element.tag == _FALLBACK or (element.tag == f"{_P}sp" and _placeholder(element) in _NOT_CONTENT):
            left_out.update(element.iter())
        elif element.tag == f"{_A}tr":
            left_out.update(element.iter())
            cells = (" ".join(_paragraphs(cell)) for cell in element.iter(f"{_A}tc"))
            yield " | ".join(filter(None, cells))
        elif element.tag == f"{_A}p":
            yield from _lines(element)


def _placeholder(shape: Element) -> str:
    found = next(shape.iter(f"{_P}ph"), None)
    return "" if found is None else found.get("type", "body")


def _paragraphs(element: Element) -> Iterator[str]:
    for paragraph in element.iter(f"{_A}p"):
        yield from _lines(paragraph)


def _lines(paragraph: Element) -> Iterator[str]:
    text = "".join(
        "\n" if part.tag == f"{_A}br" else part.text or "" for part in paragraph.iter() if part.tag in _TEXT_PARTS
    )
    yield from filter(None, map(str.strip, text.replace("\xad", "").splitlines()))


_TEXT_PARTS = (f"{_A}t", f"{_A}br")
