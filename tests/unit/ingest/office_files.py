"""Small office documents and e-books, made of their parts."""

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "application/vnd.openxmlformats-officedocument"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def relations(*targets: tuple[str, str]) -> str:
    """Return relations `r1`, `r2` and so on, each a kind and a target."""
    items = "".join(
        f'<Relationship Id="r{at}" Type="{KINDS}/{kind}" Target={quoteattr(target)}/>'
        for at, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{RELATIONS}">{items}</Relationships>'


def package(main: str, kind: str, parts: Mapping[str, str | bytes], *, title: str = "") -> bytes:
    core = (
        '<c:coreProperties xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></c:coreProperties>'
    )
    types = (
        f'<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
        'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{main}" ContentType="{MAIN}.{kind}.main+xml"/></Types>'
    )
    common = {
        "[Content_Types].xml": types,
        "_rels/.rels": relations(("officeDocument", main)),
        "docProps/core.xml": core,
    }
    return packed({**common, **parts})


def docx(*paragraphs: tuple[str, str] | str, title: str = "") -> bytes:
    """Return a Word document of paragraphs, each a text or a style and a text."""
    body = ""
    for paragraph in paragraphs:
        style, text = ("", paragraph) if isinstance(paragraph, str) else paragraph
        properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
        body += f"<w:p>{properties}<w:r>{text if text.startswith('<') else f'<w:t>{escape(text)}</w:t>'}</w:r></w:p>"
    return docx_of(body, title=title)


def docx_of(body: str, *, title: str = "", before: str = "") -> bytes:
    names = {"Heading1": "heading 1", "Heading2": "heading 2"}
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in names.items()
    )
    parts = {
        "word/document.xml": f'{before}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        "word/_rels/document.xml.rels": relations(("styles", "styles.xml")),
        "word/styles.xml": f'<w:styles xmlns:w="{WORD}">{styles}</w:styles>',
    }
    return package("word/document.xml", "wordprocessingml.document", parts, title=title)


def xlsx(sheets: Mapping[str, str], *, hidden: str = "") -> bytes:
    """Return a workbook of sheets, each the XML of its rows."""
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{at}" r:id="r{at}"{" state='hidden'" if name == hidden else ""}/>'
        for at, name in enumerate(sheets, start=1)
    )
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{KINDS}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            *(("worksheet", f"worksheets/sheet{at}.xml") for at, _ in enumerate(sheets, start=1))
        ),
        **{
            f"xl/worksheets/sheet{at}.xml": f'<worksheet xmlns="{SHEET}"><sheetData>{rows}</sheetData></worksheet>'
            for at, rows in enumerate(sheets.values(), start=1)
        },
    }
    return package("xl/workbook.xml", "spreadsheetml.sheet", parts)


def row(number: int, *cells: str | float, first: str = "A") -> str:
    """Return a row of a sheet, its cells from the column `first` on."""
    written = ""
    for at, value in enumerate(cells):
        place = f"{chr(ord(first) + at)}{number}"
        if isinstance(value, str):
            written += f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
        else:
            written += f'<c r="{place}"><v>{value}</v></c>'
    return f'<row r="{number}">{written}</row>'


def shape(*paragraphs: str, kind: str = "") -> str:
    placeholder = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>' if kind else ""
    text = "".join(f"<a:p><a:r><a:t>{escape(each)}</a:t></a:r></a:p>" for each in paragraphs)
    return f"<p:sp>{placeholder}<p:txBody>{text}</p:txBody></p:sp>"


def pptx(*slides: str, notes: Mapping[int, str] | None = None, hidden: int = 0, title: str = "") -> bytes:
    """Return a presentation of slides, each the XML of its shapes."""
    space = f'xmlns:p="{SLIDE}" xmlns:a="{DRAWING}" xmlns:r="{KINDS}"'
    count = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{at}" r:id="r{at}"/>' for at in count)
    parts = {
        "ppt/presentation.xml": f"<p:presentation {space}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        # The names of the parts are in the opposite order of the slides.
        "ppt/_rels/presentation.xml.rels": relations(
            *(("slide", f"slides/slide{len(slides) + 1 - at}.xml") for at in count)
        ),
    }
    for at, shapes in enumerate(slides, start=1):
        name = f"slide{len(slides) + 1 - at}.xml"
        shown = ' show="0"' if at == hidden else ""
        parts[f"ppt/slides/{name}"] = f"<p:sld {space}{shown}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        if notes and at in notes:
            parts[f"ppt/slides/_rels/{name}.rels"] = relations(("notesSlide", f"../notesSlides/{name}"))
            parts[f"ppt/notesSlides/{name}"] = f"<p:notes {space}>{notes[at]}</p:notes>"
    return package("ppt/presentation.xml", "presentationml.presentation", parts, title=title)


def epub(*chapters: str, title: str = "", **others: str) -> bytes:
    """Return an e-book of chapters, each the body of its page."""
    names = [f"text/chapter {at}.xhtml" for at, _ in enumerate(chapters, start=1)]
    items = "".join(
        f'<item id="c{at}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for at, name in enumerate(names)
    )
    order = "".join(f'<itemref idref="c{at}"/>' for at, _ in enumerate(names))
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>{escape(title)}</dc:title></metadata>"
        f"<manifest>{items}</manifest><spine>{order}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>'
    )
    pages = {f"OEBPS/{name}": f"<html><body>{body}</body></html>" for name, body in zip(names, chapters, strict=True)}
    return packed({"META-INF/container.xml": container, "OEBPS/content.opf": opf, **pages, **others})
