"""Text of foreign documents, decoded by the WHATWG Encoding standard.

Only functions whose requirements name webencodings import this module. Its table of labels also limits the codecs that
a server may choose: Python has others that take quadratic time or execute escapes.
"""

import codecs
import re
from collections.abc import Iterator
from typing import Final

import webencodings

MAX_PRESCAN: Final = 1_024
"""Bytes of a page in which the declaration of its charset must be (HTML standard, "prescan a byte stream")."""

_FALLBACK: Final = "windows-1252"
"""Charset of a text without a declaration that is not UTF-8, as in browsers."""

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
)
_CONTENT_TYPE: Final = re.compile(r';[ \t]*charset[ \t]*=[ \t]*(?:"([^"]{0,100})"|([^\s;"]{1,100}))', re.IGNORECASE)
_XML_UTF_16: Final = {b"<\0?\0x\0": "utf-16le", b"\0<\0?\0x": "utf-16be"}
_XML: Final = re.compile(r"""<\?xml\s[^>]{0,200}?\bencoding\s*=\s*(?:"([^">]*)"|'([^'>]*)')[^>]*>""")
_COMMENT: Final = re.compile(r"<!--(?:>|->|.*?-->)", re.DOTALL)
_META: Final = re.compile(r"<meta(?=[\s/])", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z][^\s>]*", re.IGNORECASE)
_OTHER: Final = re.compile(r"<[!/?][^>]*>?")
_ATTRIBUTE: Final = re.compile(r"""[\s/]*([^\s/>=][^\s/>=]*)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?""")
_IN_CONTENT: Final = re.compile(r"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.IGNORECASE)


class UndecodableError(Exception):
    """Text with bytes that its charset does not have; `position` is the first of them."""

    def __init__(self, encoding: str, position: int) -> None:
        super().__init__(f"byte {position} is not {encoding}")
        self.encoding = encoding
        self.position = position


def decode_text(content: bytes, *, content_type: str = "", is_markup: bool = False) -> str:
    """Return the text of a response, with U+FFFD for bytes that are none.

    Its charset is that of its byte order mark, else of `content_type`, else of its `<meta>` or XML declaration if it
    `is_markup` or of such a type, else UTF-8, else windows-1252.
    """
    is_markup = is_markup or content_type.partition(";")[0].strip().lower().endswith(("html", "xml"))
    encoding = declared_charset(content, content_type=content_type, is_markup=is_markup)
    if encoding is None:
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            encoding = _FALLBACK
    return _decoded(content, encoding, "replace")


def utf_8_json(content: bytes, *, content_type: str = "") -> bytes:
    """Return the JSON of a response in UTF-8, without a byte order mark, also from another charset that it declares."""
    declared = declared_charset(content, content_type=content_type)
    if declared in (None, "utf-8"):
        return content.removeprefix(codecs.BOM_UTF8)
    return _decoded(content, declared, "replace").encode("utf-8", "replace")


def decode_file(content: bytes, *, is_markup: bool = False) -> str:
    """Return the text of a file: in the charset that it declares, else in UTF-8. Raises UndecodableError."""
    encoding = declared_charset(content, is_markup=is_markup) or "utf-8"
    if encoding == "replacement":
        raise UndecodableError(encoding, 0)
    try:
        return _decoded(content, encoding, "strict")
    except UnicodeDecodeError as exc:
        mark = next((len(mark) for mark, _ in _BYTE_ORDER_MARKS if content.startswith(mark)), 0)
        raise UndecodableError(encoding, exc.start + mark) from exc


def declared_charset(content: bytes, *, content_type: str = "", is_markup: bool = False) -> str | None:
    """Return the name of the charset that a text declares, of those of the standard; None without a declaration."""
    for mark, name in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return name
    if (found := _CONTENT_TYPE.search(content_type)) and (named := _named(found[1] or found[2] or "")):
        return named
    return _prescanned(content[:MAX_PRESCAN]) if is_markup else None


def _named(label: str) -> str | None:
    """Return the charset with a label, which may be another than it says: `iso-8859-1` is windows-1252."""
    encoding = webencodings.lookup(label)
    return None if encoding is None else encoding.name


def _prescanned(head: bytes) -> str | None:
    """Return the charset that the beginning of a page declares (HTML standard, section 13.2.3.2)."""
    for start, name in _XML_UTF_16.items():
        if head.startswith(start):
            return name
    text = head.decode("latin-1")
    found = _in_meta(text)
    if found is None and (declaration := _XML.match(text)):
        found = _named(declaration[1] or declaration[2] or "")
    if found in ("utf-16le", "utf-16be"):  # it could not be read in ASCII
        return "utf-8"
    return _FALLBACK if found == "x-user-defined" else found


def _in_meta(text: str) -> str | None:
    position = 0
    while (position := text.find("<", position)) >= 0:
        if comment := _COMMENT.match(text, position):
            position = comment.end()
        elif meta := _META.match(text, position):
            attributes, position = _attributes(text, meta.end())
            if found := _charset_of(attributes):
                return found
        elif tag := _TAG.match(text, position):
            _, position = _attributes(text, tag.end())
        elif text.startswith("<!--", position):
            return None
        elif other := _OTHER.match(text, position):
            position = other.end()
        else:
            position += 1
    return None


def _attributes(text: str, position: int) -> tuple[dict[str, str], int]:
    """Return the attributes of a tag, the first of each name, and the position after the last one."""
    found: dict[str, str] = {}
    while position < len(text) and (attribute := _ATTRIBUTE.match(text, position)):
        value = next((group for group in attribute.groups()[1:] if group is not None), "")
        found.setdefault(attribute[1].lower(), value)
        position = attribute.end()
    return found, position


def _charset_of(attributes: dict[str, str]) -> str | None:
    """Return the charset of a `<meta>` element."""
    if "charset" in attributes:
        return _named(attributes["charset"])
    if attributes.get("http-equiv", "").lower() != "content-type":
        return None
    return next(_labels(attributes.get("content", "")), None)


def _labels(text: str) -> Iterator[str]:
    if found := _IN_CONTENT.search(text):
        label = next(group for group in found.groups() if group is not None)
        if name := _named(label):
            yield name


def _decoded(content: bytes, name: str, errors: str) -> str:
    """Return the text without its byte order mark."""
    for mark, of_mark in _BYTE_ORDER_MARKS:
        if name == of_mark:
            content = content.removeprefix(mark)
    if name == "replacement":  # of encodings that hide markup
        return "\ufffd"
    if name == "gbk":  # the standard decodes it as gb18030
        name = "gb18030"
    return (webencodings.lookup(name) or webencodings.UTF8).codec_info.decode(content, errors)[0]
