"""Texts that control a terminal, and the check that none of their characters is printed."""

import re
import unicodedata
from collections.abc import Set
from typing import Any, Final, cast

HOSTILE: Final = (
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\"  # OSC 8: a link
    "\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07"  # OSC 52: the clipboard; OSC 0: the title
    "\x1b[2J\x1b[1A\x1b[8;77m"  # CSI: erase, move, conceal
    "\x1bP1$r0m\x1b\\\x1b_G\x1b\\\x1bc"  # DCS, APC, RIS
    "\x9b2J\x9d8;;x\x9c\x90q\x9c\x85"  # the same with C1 characters of 8 bits
    "shown\rhidden\x08\x08\x7f\x00\x0b\x0c"  # overwritten text
    "\u202eabc\u2066\u200f\u061c\u2028\u2029"  # reordered text, line separators
    "pass\u200bword\u00ad\ufeff\u2060\u3164\U000e0041\U000e0100"  # invisible characters
    "[link=https://evil.example]x[/link][bold]b[/bold][/]:skull:"  # markup of rich
)

OWN_STYLES: Final = re.compile(
    r"\x1b\[(?:[0-9;]*(?<!;77))m|\x1b\[\?25[lh]|\r\x1b\[2K(?:\x1b\[1A\x1b\[2K)*|\x1b\[1A\x1b\[2K"
)
"""Styles of our own, and the movements of a progress bar. The texts have others."""

SEEN_AS: Final = ("⟨U+001B⟩]52;c;ZXZpbA==⟨U+0007⟩", "⟨U+202E⟩abc⟨U+2066⟩", "pass⟨U+200B⟩word")

INVISIBLE: Final = frozenset("\u3164\u034f\u115f\u1160\uffa0") | {chr(code) for code in range(0xE0000, 0xE1000)}


def spoiled(value: Any, keys: Set[str], *, inside: bool = False) -> Any:
    """Append the hostile text to every text under one of `keys`, at any depth."""
    if isinstance(value, str):
        return value + HOSTILE if inside else value
    if isinstance(value, list):
        return [spoiled(each, keys, inside=inside) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {name: spoiled(each, keys, inside=inside or name in keys) for name, each in fields.items()}
    return value


def verify_printed(text: str, *, styled: bool = False) -> None:
    """Verify that `text` controls no terminal, apart from our own styles where it is `styled`."""
    printed = OWN_STYLES.sub("", text) if styled else text
    controls = {
        character
        for character in printed
        if (unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character not in "\n\t")
        or character in INVISIBLE
    }
    assert {f"U+{ord(character):04X}" for character in controls} == set()
