"""Charsets of foreign texts, by the WHATWG Encoding standard and the HTML standard."""

import pytest

from flexchat.charsets import UndecodableError, declared_charset, decode_file, decode_text


def typed(label: str) -> str:
    return f"text/plain; charset={label}"


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("shift_jis", "cp932", "日本語①髙"),
        ("x-sjis", "cp932", "ﾊﾝｶｸ"),
        ("euc-jp", "euc_jp", "日本語"),
        ("iso-2022-jp", "iso2022_jp", "日本語"),
        ("gb18030", "gb18030", "中文😀ḿ"),
        ("gbk", "gb18030", "中文€😀"),
        ("gb2312", "gb18030", "中文镕"),
        ("big5", "big5hkscs", "中文嘅"),
        ("euc-kr", "cp949", "한국어똠"),
        ("ks_c_5601-1987", "cp949", "한국어"),
        ("koi8-r", "koi8_r", "Привет"),
        ("windows-1251", "cp1251", "Привет"),
        ("iso-8859-1", "cp1252", "“naïve” 5 €"),
        ("latin1", "cp1252", "œuvre"),
        ("us-ascii", "cp1252", "é"),
        ("iso-8859-15", "iso8859_15", "5 €"),
        ("windows-874", "cp874", "ไทย"),
        ("macintosh", "mac_roman", "é†"),
        ("utf-16", "utf-16-le", "a漢😀"),
        ("utf-16le", "utf-16-le", "a漢"),
        ("utf-16be", "utf-16-be", "a漢"),
        ("UTF8", "utf-8", "é"),
        ("unicode-1-1-utf-8", "utf-8", "é"),
    ],
)
def test_a_label_selects_the_decoder_of_the_standard(label: str, codec: str, text: str) -> None:
    content = text.encode(codec)

    assert decode_text(content, content_type=typed(label)) == text
    assert decode_text(content, content_type=f'TEXT/PLAIN;CHARSET = " {label.upper()} "') == text


def test_x_user_defined_maps_bytes_to_the_private_use_area() -> None:
    assert decode_text(b"a\x80\xff", content_type=typed("x-user-defined")) == "a\uf780\uf7ff"


def test_encodings_that_hide_markup_are_one_replacement_character() -> None:
    assert decode_text(b"+ADw-script+AD4-", content_type=typed("iso-2022-kr")) == "\ufffd"


@pytest.mark.parametrize(
    "label", ["utf-7", "utf-32", "unicode_escape", "punycode", "idna", "rot13", "zlib", "'utf-16'", ""]
)
def test_other_codecs_of_python_are_not_available(label: str) -> None:
    assert decode_text("é\\n".encode(), content_type=typed(label)) == "é\\n"
    assert declared_charset(b"a", content_type=typed(label)) is None


@pytest.mark.parametrize(
    ("mark", "codec"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_a_byte_order_mark_wins_over_every_label_and_is_no_text(mark: bytes, codec: str) -> None:
    content = mark + '<meta charset="koi8-r">é'.encode(codec)

    assert decode_text(content, content_type="text/html; charset=shift_jis") == '<meta charset="koi8-r">é'
    assert decode_file(content, is_markup=True) == '<meta charset="koi8-r">é'


def test_the_content_type_wins_over_the_page() -> None:
    page = '<meta charset="koi8-r">é'.encode("cp1252")

    assert decode_text(page, content_type="text/html; charset=iso-8859-1").endswith("é")


@pytest.mark.parametrize(
    ("head", "charset"),
    [
        ("<meta charset=koi8-r>", "koi8-r"),
        ("<META CHARSET='KOI8-R'/>", "koi8-r"),
        ('<!DOCTYPE html><html><head><title>a</title><meta name="x" charset=" koi8-r ">', "koi8-r"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"),
        ("<meta content=\"text/html; charset='koi8-r'\" http-equiv=content-type>", "koi8-r"),
        ('<meta content="text/html; charset=koi8-r">', None),
        ('<meta http-equiv="refresh" content="0; charset=koi8-r">', None),
        ('<!-- <meta charset="big5"> --><meta charset="koi8-r">', "koi8-r"),
        ('<!--><meta charset="koi8-r">', "koi8-r"),
        ('<!-- never closed <meta charset="koi8-r">', None),
        ('<a title="<meta charset=big5>"><meta charset=koi8-r>', "koi8-r"),
        ('<? <meta charset="big5" ?><meta charset=koi8-r>', "koi8-r"),
        ('<metadata charset="koi8-r">', None),
        ("<meta charset=unknown><meta charset=koi8-r>", "koi8-r"),
        ("<meta charset=utf-16be>", "utf-8"),
        ("<meta charset=x-user-defined>", "windows-1252"),
        ("<meta charset=latin1>", "windows-1252"),
        ("<meta charset=big5 charset=koi8-r>", "big5"),
        ('<?xml version="1.0" encoding="koi8-r"?><html>', "koi8-r"),
        ("<?xml version='1.0' encoding='shift_jis' standalone='yes'?>", "shift_jis"),
        ('<?xml version="1.0"?><a encoding="koi8-r">', None),
        ('<?xml version="1.0" encoding="big5"?><meta charset="koi8-r">', "koi8-r"),
        (" " * 1_000 + "<meta charset=koi8-r>", "koi8-r"),
        (" " * 1_010 + "<meta charset=koi8-r>", None),
        ('<meta charset="koi8-r', None),
        ("<", None),
    ],
)
def test_a_page_declares_its_charset_within_its_first_1024_bytes(head: str, charset: str | None) -> None:
    assert declared_charset(head.encode(), is_markup=True) == charset
    assert declared_charset(head.encode()) is None


def test_xml_in_utf_16_needs_no_byte_order_mark() -> None:
    for codec in ("utf-16-le", "utf-16-be"):
        assert decode_text('<?xml version="1.0"?><a>é</a>'.encode(codec), content_type="text/xml").endswith("<a>é</a>")


def test_a_text_without_a_declaration_is_utf_8_or_windows_1252() -> None:
    assert decode_text("é".encode()) == "é"
    assert decode_text(b"caf\xe9 \x80") == "café €"


def test_bytes_that_a_declared_charset_lacks_are_replaced_in_responses_and_refused_in_files() -> None:
    page = b"<meta charset=shift_jis>a\x81"

    assert decode_text(page, is_markup=True).endswith("a\ufffd")
    with pytest.raises(UndecodableError, match="byte 25 is not shift_jis"):
        decode_file(page, is_markup=True)
    with pytest.raises(UndecodableError, match="byte 4 is not utf-8"):
        decode_file(b"\xef\xbb\xbfa\xff")
    with pytest.raises(UndecodableError, match="byte 0 is not replacement"):
        decode_file(b"<meta charset=iso-2022-kr>", is_markup=True)


def test_a_long_page_of_tags_takes_linear_time() -> None:
    for piece in (b"<a b=", b"<!--", b"<meta ", b'<a "', b"<?xml "):
        assert declared_charset(piece * 100_000, is_markup=True) is None
