"""Small documents that take a parser much time or memory, by format."""

import zlib
from collections.abc import Callable, Mapping
from typing import Final

FONT: Final = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
FORM: Final = "/Type /XObject /Subtype /Form /BBox [0 0 612 792]"
COMPOSITE_FONT: Final = (
    "<< /Type /Font /Subtype /Type0 /BaseFont /H /Encoding /Identity-H /ToUnicode 5 0 R /DescendantFonts [6 0 R] >>"
)
DESCENDANT: Final = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /H "
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
)


def formatted(elements: int, blocks: int) -> str:
    """Open formatting elements, each of which the parser opens again in every later block."""
    return "<p>" + "".join(f"<b i{each}>" for each in range(elements)) + "</p>" + "<p>x</p>" * blocks


HTML: Final[Mapping[str, Callable[[], str]]] = {
    "500 open formatting elements and 10,000 blocks": lambda: formatted(500, 10_000),
    "500 open formatting elements and 1,900 blocks": lambda: formatted(500, 1_900),
    "100,000 open options of a select": lambda: "<select>" + "<option>x" * 100_000,
    "100,000 options of a select": lambda: "<select>" + "<option>x</option>" * 100_000 + "</select>",
    "100,000 options without a select": lambda: "<option>" * 100_000,
    "60,000 attributes": lambda: "<p " + " ".join(f"a{each}" for each in range(60_000)) + ">x</p>",
    "60,000 times one attribute": lambda: "<p " + "a " * 60_000 + ">x</p>",
    "attributes of 50,000 body elements": lambda: "x" + "".join(f"<body a{each}></body>" for each in range(50_000)),
    "4,900 nested blocks": lambda: "<div>" * 4_900 + "x",
    "1,000,000 nested blocks": lambda: "<div>" * 1_000_000 + "x",
    "4,900 nested headings": lambda: "<h1><div>" * 2_450 + "x",
    "1,000,000 unclosed paragraphs": lambda: "<p>" * 1_000_000,
    "1,000,000 unclosed formatting elements": lambda: "<b>" * 1_000_000,
    "200,000 nested links": lambda: "<a>" * 200_000 + "x",
    "text moved out of a table": lambda: "<table>" + "<p>x" * 100_000,
    "nested tables": lambda: "<table><tr><td>" * 1_600 + "x",
    "nested templates": lambda: "<template>" * 4_900 + "x",
    "nested SVG": lambda: "<svg>" * 4_900 + "x",
    "list items below 4,000 elements": lambda: "<span>" * 4_000 + "<li>x" * 100_000,
    "end tags below 4,000 elements": lambda: "<div>" * 4_000 + "<li>" + "</ul>" * 100_000,
    "formatting closed by paragraphs": lambda: "<b><p></b>" * 50_000,
    "unclosed comments": lambda: "<!--" * 300_000,
    "1,000,000 broken character references": lambda: "&#" * 1_000_000,
    "800,000 entities": lambda: "&amp;" * 800_000,
    "4,000,000 NULs in text": lambda: "x" * 5_000 + "\0" * 4_000_000,
    "1,000,000 line breaks": lambda: "<br>" * 1_000_000,
    "100,000 headings": lambda: "<h1>x</h1>" * 100_000,
}

TEXTS: Final[Mapping[str, Callable[[], str]]] = {
    "1,000,000 headings.md": lambda: "# a\n" * 1_000_000,
    "underlined headings.md": lambda: "a\n-\n" * 1_000_000,
    "unclosed links.md": lambda: "# " + "[a](b" * 800_000,
    "one line.txt": lambda: "a" * 4_000_000,
    "combining marks.txt": lambda: "a" + "\u0301" * 2_000_000,
    "half flags.txt": lambda: "🇫" * 1_000_000,
    "200,000 empty records.jsonl": lambda: "{}\n" * 199_999,
    "1,300,000 records.json": lambda: "[" + "{}," * 1_300_000 + "{}]",
    "nesting.json": lambda: "[" * 4_000_000,
    "one number.json": lambda: "1" * 4_000_000,
    "a name twice.json": lambda: "{" + '"a":1,' * 600_000 + '"a":1}',
}


def pdf(objects: Mapping[int, bytes]) -> bytes:
    """Return a file of numbered objects; the first is its catalog."""
    out = bytearray(b"%PDF-1.7\n")
    offsets = dict[int, int]()
    for number, body in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        out += b"%010d 00000 n \n" % offsets[number] if number in offsets else b"0000000000 65535 f \n"
    return bytes(out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start))


def stream(content: bytes, attributes: str = "", *, layers: int = 1) -> bytes:
    for _ in range(layers):
        content = zlib.compress(content, 9)
    head = f"<< /Length {len(content)} /Filter [{'/FlateDecode ' * layers}] {attributes} >>\nstream\n"
    return head.encode() + content + b"\nendstream"


def pages(
    count: int,
    content: bytes,
    *,
    font: str = FONT,
    objects: str = "",
    others: Mapping[int, bytes] | None = None,
) -> bytes:
    """Return a file of pages that share their content; `objects` are the named XObjects of a page."""
    first = 10 + max(others or {0: b""})
    kids = " ".join(f"{first + each} 0 R" for each in range(count))
    resources = f"<< /Font << /F 3 0 R >> /XObject << {objects} >> >>"
    page = f"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources {resources} >>"
    tree = f"<< /Type /Pages /Kids [{kids}] /Count {count} /MediaBox [0 0 612 792] >>"
    return pdf(
        {1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: tree.encode(), 3: font.encode(), 4: content}
        | dict(others or {})
        | {first + each: page.encode() for each in range(count)}
    )


def words(count: int) -> bytes:
    return stream(b"BT /F 12 Tf 72 700 Td " + b"(word word) Tj 0 -1 Td " * count + b"ET")


def forms(depth: int, uses: int) -> bytes:
    """Return a page with a form that shows another one `uses` times, and so on."""
    others = {
        5 + level: stream(b"/X Do " * uses, f"{FORM} /Resources << /XObject << /X {6 + level} 0 R >> >>")
        for level in range(depth)
    }
    last = stream(b"BT /F 12 Tf (x) Tj ET", f"{FORM} /Resources << /Font << /F 3 0 R >> >>")
    return pages(1, stream(b"/X Do"), objects="/X 5 0 R", others={**others, 5 + depth: last})


def own_form() -> bytes:
    form = stream(b"/X Do " * 10, f"{FORM} /Resources << /XObject << /X 5 0 R >> >>")
    return pages(1, stream(b"/X Do"), objects="/X 5 0 R", others={5: form})


def page_tree(depth: int, uses: int) -> bytes:
    nodes = {
        2 + level: f"<< /Type /Pages /Kids [{f'{3 + level} 0 R ' * uses}] /Count {uses ** (depth - level)} >>".encode()
        for level in range(depth)
    }
    leaf = b"<< /Type /Page /MediaBox [0 0 612 792] >>"
    return pdf({1: b"<< /Type /Catalog /Pages 2 0 R >>", **nodes, 2 + depth: leaf})


def unicode_map(entries: bytes) -> bytes:
    cmap = stream(b"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange " + entries + b" endcmap")
    content = stream(b"BT /F 12 Tf 72 700 Td <00410042> Tj ET")
    return pages(1, content, font=COMPOSITE_FONT, others={5: cmap, 6: DESCENDANT})


def many_characters() -> bytes:
    entries = b"".join(b"<%04x> <%04x>\n" % (each % 65_536, each % 65_536) for each in range(500_000))
    return unicode_map(b"500000 beginbfchar\n" + entries + b"endbfchar")


PDF: Final[Mapping[str, Callable[[], bytes]]] = {
    "a content shared by 300 pages": lambda: pages(300, words(2_000)),
    "a content shared by 5,000 pages": lambda: pages(5_000, words(2_000)),
    "a content of 1,000,000 texts": lambda: pages(1, words(1_000_000)),
    "a content of 10,000 streams": lambda: pages(1, b"[" + b"5 0 R " * 10_000 + b"]", others={5: words(1_000)}),
    "150 MB in one stream": lambda: pages(1, stream(b" " * 150_000_000)),
    "150 MB compressed three times": lambda: pages(1, stream(b" " * 150_000_000, layers=3)),
    "forms that double 40 times": lambda: forms(40, 2),
    "forms that show ten others": lambda: forms(8, 10),
    "a form that shows itself": own_form,
    "5,000 nested forms": lambda: forms(5_000, 1),
    "page tree that doubles 20 times": lambda: page_tree(20, 2),
    "page tree of a billion pages": lambda: page_tree(9, 10),
    "page tree that contains itself": lambda: pdf(
        {1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"}
    ),
    "100,000 nested page trees": lambda: page_tree(100_000, 1),
    "500,000 characters of a map": many_characters,
    "a range of characters of a map": lambda: unicode_map(b"1 beginbfrange <00000000> <ffffffff> <0041> endbfrange"),
    "5,000,000 saved states": lambda: pages(1, stream(b"q " * 5_000_000 + b"BT /F 12 Tf (x) Tj ET")),
    "100,000 nested arrays": lambda: pages(1, b"[" * 100_000 + b"]" * 100_000),
    "100,000 filters": lambda: pages(
        1, b"<< /Length 3 /Filter [" + b"/ASCIIHexDecode " * 100_000 + b"] >>\nstream\n41>\nendstream"
    ),
}
