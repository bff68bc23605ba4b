"""Small office documents, e-books and tables that take a reader much time or memory."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Final

from tests.unit.ingest.office_files import docx, docx_of, epub, packed, pptx, row, shape, xlsx

ENTITIES: Final = (
    '<!DOCTYPE a [<!ENTITY a0 "bomb">'
    + "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10))
    + "]>"
)
"""Ten entities, the last of which expands to four gigabytes."""

PARAGRAPH: Final = "<w:p><w:r><w:t>x</w:t></w:r></w:p>"

PACKAGES: Final[Mapping[str, Callable[[], bytes]]] = {
    "250 MB of zeros.docx": lambda: packed({"word/document.xml": bytes(250_000_000)}),
    "250 MB of spaces.epub": lambda: epub(" " * 250_000_000),
    "300 MB of spaces.pptx": lambda: pptx(*[shape("x" + " " * 100_000_000)] * 3),
    "200 MB of one cell.xlsx": lambda: xlsx({"S": row(1, "x" * 200_000_000)}),
    "entities.docx": lambda: docx_of("<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>", before=ENTITIES),
    "entities.pptx": lambda: _replaced(pptx, ENTITIES),
    "entities.xlsx": lambda: xlsx({"S": '<row r="1"><c t="inlineStr"><is><t>&a9;</t></is></c></row>'}),
    "entities.epub": lambda: epub("x", **{"OEBPS/content.opf": f"{ENTITIES}<package>&a9;</package>"}),
    "1,000,000 paragraphs.docx": lambda: docx_of(PARAGRAPH * 1_000_000),
    "100,000 nested tables.docx": lambda: docx_of("<w:tbl><w:tr><w:tc>" * 100_000 + "</w:tc></w:tr></w:tbl>" * 100_000),
    "100,000 nested groups.pptx": lambda: pptx("<p:grpSp>" * 100_000 + shape("x") + "</p:grpSp>" * 100_000),
    "3,000 nested groups of tables.pptx": lambda: pptx("<a:tr><a:tc>" * 3_000 + shape("x") + "</a:tc></a:tr>" * 3_000),
    "3,000 nested shapes.pptx": lambda: pptx("<p:sp>" * 3_000 + shape("x") + "</p:sp>" * 3_000),
    "1,000,000 paragraphs.pptx": lambda: pptx(shape(*["x"] * 1_000_000)),
    "15,000 slides.pptx": lambda: pptx(*[shape("x")] * 15_000),
    "a cell far away.xlsx": lambda: xlsx({"S": row(1, "x") + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'}),
    "a row far away.xlsx": lambda: xlsx({"S": row(1, "x") + '<row r="1048576"><c r="A1048576"><v>1</v></c></row>'}),
    "2,000,000 cells.xlsx": lambda: xlsx({"S": "".join(row(at, *[at] * 20) for at in range(1, 100_001))}),
    "one chapter 10,000 times.epub": lambda: _repeated_chapter(10_000),
    "nested chapter.epub": lambda: epub("<div>" * 200_000 + "x"),
    "1,000,000 headings.epub": lambda: epub("<h1>x</h1>" * 1_000_000),
    "4,000,000 cells.csv": lambda: b"a,b\n" + b"," * 4_000_000,
    "long names of columns.csv": lambda: (
        b",".join(b"n%d" % at + b"x" * 5_000 for at in range(100)) + b"\n" + (b"1," * 100 + b"\n") * 10_000
    ),
    "1,000,000 rows.csv": lambda: b"a,b\n" * 1_000_000,
    "quotes.csv": lambda: b'"' * 4_000_001,
    "an open quote.csv": lambda: b'"' + b"x\n" * 2_000_000,
    "a title of 4 MB.docx": lambda: docx(*["x"] * 10, title="t" * 4_000_000),
}
"""Documents by the name of their file."""


def _replaced(made: Callable[[str], bytes], before: str) -> bytes:
    """Return a presentation whose list of slides begins with `before`."""
    with zipfile.ZipFile(io.BytesIO(made(shape("x")))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    parts["ppt/presentation.xml"] = before + parts["ppt/presentation.xml"].replace("<p:sldIdLst>", "&a9;<p:sldIdLst>")
    return packed(parts)


def _repeated_chapter(times: int) -> bytes:
    items = '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
    opf = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest>'
        f"<spine>{'<itemref idref="c"/>' * times}</spine></package>"
    )
    return epub("x", **{"OEBPS/content.opf": opf, "OEBPS/c.xhtml": "<p>" + "words " * 100_000})
