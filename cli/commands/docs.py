"""`flexchat docs`: the documentation of this checkout, searched on this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import LocalError
from cli.layout import Layout
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, print_json

if TYPE_CHECKING:
    from cli.docs_search import Found

app = command_group()

LINES = 8
"""Lines of a passage that are shown."""


@app.command()
def docs(
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", help="What you want to know or do.")],
    *,
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=20, help="The most passages to show.")] = 3,
    answer: Annotated[
        bool, typer.Option("--answer", help="Let the model of a service answer, from its collection flexchat-docs.")
    ] = False,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Search the documentation of this checkout; print the best passages with their pages.

    Needs no service. With --answer, a model answers from the collection that `make up` fills.
    Exit code 1 when no passage has a word of the question.
    """
    text = " ".join(question)
    if answer:
        _answer(text, as_json=as_json, url=url, token=token)
        return
    found = _search(text, Layout.here().root, count=count)
    if as_json:
        print_json(
            [
                {"page": each.section.address, "headings": [*each.section.headings], "text": each.section.text}
                for each in found
            ]
        )
    elif found:
        from cli.console import Console
        from cli.render.docs import show_passages

        show_passages(Console(), found, lines=LINES)
    if not found:
        raise LocalError(f"no page has a word of {text!r}; docs/README.md lists all pages by task")


def _search(question: str, root: Path, *, count: int) -> "tuple[Found, ...]":
    from cli.docs_search import LANGUAGE, search, sections_of
    from functions.retrieval.index.analysis import Analyzer

    sections = sections_of(root)
    if not sections:
        raise LocalError(f"{root} has no documentation; it is in the checkout of the project")
    analyzer = Analyzer()
    return search(sections, question, lambda text: analyzer.terms(text, LANGUAGE), count=count)


def _answer(question: str, *, as_json: bool, url: str | None, token: str | None) -> None:
    from cli.options import connect

    body = connect(url=url, token=token).chat({"message": question, "selected_collections": ["flexchat-docs"]})
    if as_json:
        print_json(body)
        return
    from cli.console import Console
    from cli.render.answer import show_answer

    show_answer(Console(), body)
