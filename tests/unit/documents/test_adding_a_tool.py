"""The handler that `docs/adding-a-tool.md` writes step by step."""

from typing import Any

from tests.documents import ROOT, code_blocks

SECTION = "Add a tool to the type `builtin`"


def test_the_handler_of_the_guide_works() -> None:
    [handler, _place] = [
        block.text
        for block in code_blocks(ROOT / "docs" / "adding-a-tool.md")
        if block.headings[-1] == SECTION and block.language == "python"
    ]
    module: dict[str, Any] = {}

    exec(compile(handler, "dice.py", "exec"), module)  # noqa: S102 # the code of our own guide

    def highest(sides: int) -> int:
        return sides

    dice = module["Dice"](roll=highest)
    assert dice({"count": 3}) == {"rolls": [6, 6, 6]}
    assert dice({}) == {"rolls": [6]}
