"""Documents loaded from Markdown: titles, front matter and sections."""

from typing import Any

import pytest

from tests.unit.ingest.loaded import FILES, begins, document


def test_markdown_has_front_matter_and_sections() -> None:
    bees = document("bees.md", (FILES / "bees.md").read_bytes())

    assert (bees.title, bees.metadata) == ("Keeping bees", {"author": "A. Keeper", "year": 2021, "draft": False})
    assert bees.text.startswith("\n# Keeping bees\n")
    assert begins(bees) == [
        ("Keeping bees", "bees.md#keeping-bees", "# Keeping bees"),
        ("Keeping bees > Spring", "bees.md#spring", "## Spring"),
        ("Keeping bees > Winter", "bees.md#winter", "## Winter"),
        ("Keeping bees > Feeding", "bees.md#feeding", "Feeding"),
    ]


def test_the_title_of_markdown_without_front_matter_is_its_first_heading_else_its_file_name() -> None:
    assert document("a.md", "Text\n\n## First `code`\n\n# Second").title == "First code"
    assert document("deep/a.md", "Just text").title == "a"


@pytest.mark.parametrize(
    "text", ["---\nnot: closed\n\n# Title", "--- \ntext", "----\n# Title\n----\n", "text\n---\ntitle: no\n---\n"]
)
def test_text_similar_to_front_matter_stays_text(text: str) -> None:
    loaded = document("a.md", text)
    assert (loaded.text, loaded.metadata) == (text, {})


@pytest.mark.parametrize(
    ("setting", "metadata"),
    [
        ("year: 2021", {"year": 2021}),
        ("year: '2021'", {"year": "2021"}),
        ("big: 12345678901234567890", {"big": "12345678901234567890"}),
        ("on: true", {"on": True}),
        ("off: false", {"off": False}),
        ("words: a: b # c", {"words": "a: b # c"}),
        ("list: [a, b]", {}),
        ("block: |", {}),
        ("nothing:", {}),
        ("  nested: 1", {}),
        ("- item", {}),
        ("# comment: x", {}),
    ],
)
def test_front_matter_has_its_scalar_settings(setting: str, metadata: dict[str, Any]) -> None:
    assert document("a.md", f"---\n{setting}\n---\ntext").metadata == metadata


def test_headings_are_distinguished_from_similar_text() -> None:
    text = "\n".join(
        [
            "# One #",
            "```",
            "# in code",
            "````",
            "~~~",
            "```",
            "~~~",
            "#no space",
            "####### seven",
            "- item",
            "---",
            "| a |",
            "---",
            "    code",
            "---",
            "Two *lines*",
            "===",
            "### [Link](x.md) deep",
            "",
            "---",
            "~~~",
            "# in another",
            "~~~",
            "#",
            "## One",
        ]
    )
    found = [title for title, _, _ in begins(document("a.md", text))]
    assert found == ["One", "One > Two lines", "One > Two lines > Link deep", "One > Two lines > One"]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Title #", "Title"),
        ("## Title ##   ", "Title"),
        ("# C#", "C#"),
        ("# C# #", "C#"),
        ("# a # b", "a # b"),
        ("#\tTitle\t##", "Title"),
        ("# [Link](a_(b)) and ![image](c.png)", "Link and image"),
        ("# [![badge](a.svg)](b)", "[badge](b)"),
        ("# [open", "[open"),
    ],
)
def test_the_text_of_a_heading_has_no_markup(line: str, heading: str) -> None:
    assert document("a.md", f"{line}\n\ntext\n").title == heading


def test_long_headings_are_truncated_in_the_section_path() -> None:
    text = f"# {'a' * 400}\n## {'b' * 400}\n"

    titles = [section.title for section in document("a.md", text).sections]

    assert titles == ["a" * 300, f"{'a' * 300} > {'b' * 300}"]


def test_anchors_are_unique_and_equal_those_of_common_renderers() -> None:
    text = "# What's `x_y`?\n## Same thing\n## Same thing\n## 日本 語\n## …\n"
    assert [source for _, source, _ in begins(document("a.md", text))] == [
        "a.md#whats-x_y",
        "a.md#same-thing",
        "a.md#same-thing-1",
        "a.md#日本-語",
        "a.md",
    ]
