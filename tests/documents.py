"""Markdown documents of this checkout: their code blocks, links and headings."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]

_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Fenced block with the headings above it, its language ("" for none), its text and its first line number."""

    headings: tuple[str, ...]
    language: str
    text: str
    line: int

    def commands(self) -> Iterator[str]:
        """Yield the shell commands of the block, with continued lines joined."""
        for line in self.text.replace("\\\n", " ").splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()


def documents() -> list[Path]:
    """Return README.md, CONTRIBUTING.md, CHANGELOG.md and every page of `docs/`."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def code_blocks(path: Path) -> Iterator[CodeBlock]:
    headings: list[tuple[int, str]] = []
    tokens = _tokens(path)
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            level = int(token.tag[1:])
            headings = [(above, text) for above, text in headings if above < level]
            headings.append((level, following.content))
        elif token.type == "fence":
            line = token.map[0] + 1 if token.map else 0
            yield CodeBlock(tuple(text for _, text in headings), token.info.strip(), token.content, line)


def code_spans(path: Path) -> Iterator[str]:
    """Yield the texts of inline code."""
    for token in _tokens(path):
        yield from (child.content for child in token.children or () if child.type == "code_inline")


def links(path: Path) -> Iterator[str]:
    """Yield the targets of all links and images."""
    for token in _tokens(path):
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if isinstance(target, str):
                yield target


def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings."""
    seen: dict[str, int] = {}
    found: set[str] = set()
    tokens = _tokens(path)
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            text = "".join(child.content for child in following.children or ())
            name = _NOT_IN_ANCHOR.sub("", text.lower()).replace(" ", "-")
            count = seen[name] = seen.get(name, -1) + 1
            found.add(f"{name}-{count}" if count else name)
    return found


def words_of(command: str) -> list[str]:
    """Return the words of a shell command up to a pipe, a redirection or a second command, without its comment."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in lexer:
        if word in ("|", ">", ">>", "<", ";", "&&", "||", "&", "<<<"):
            break
        words.append(word)
    return words


@cache
def _tokens(path: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
