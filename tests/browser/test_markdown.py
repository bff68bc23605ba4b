"""Markdown of answers: code with colors, tasks, formulas and pictures."""

import pytest
from playwright.sync_api import Page, expect

from flexchat.messages import Json
from tests.browser.chat_page import AT, turns
from tests.browser.screen import Screen, Theme
from tests.browser.trace_pages import StubApi
from tests.pictures import data_url, png

WIDTHS = pytest.mark.parametrize("width", [1280, 390])

PYTHON = 'def area(radius: float) -> float:\n    """Area of a circle."""\n    return 3.14 * radius ** 2  # about'

ANSWER = f"""The roots of $ax^2 + bx + c = 0$ are

$$
x = \\frac{{-b \\pm \\sqrt{{b^2 - 4ac}}}}{{2a}}
$$

It costs $5 and $10. In code:

```python
{PYTHON}
```

- [x] read the question
- [ ] check \\(\\int_0^1 x\\,dx = \\frac12\\)
  - [ ] below

```diff
- old
+ new
```

| Name | Formula |
|---|---|
| Euler | $e^{{i\\pi}} + 1 = 0$ |

![A red square]({data_url(png(20, 20))})

![Beacon](https://tracker.example/pixel.png?read=yes)
"""


def conversation(api: StubApi, content: str) -> None:
    """Stub a session with one answer."""
    session: dict[str, Json] = {
        "id": "s1",
        "title": "Formulas",
        "turns": 1,
        "created_at": AT,
        "updated_at": AT,
        "expires_at": "2036-02-15T12:00:00+00:00",
    }
    common: dict[str, Json] = {"turn": 1, "at": AT, "tool_calls": []}
    given: dict[str, Json] = {"service": "openai", "model": "gpt-4o", "status": "complete", "outcome": "answered"}
    api.set("GET /api/sessions", {"sessions": [session]})
    api.set("GET /api/sessions/s1", session)
    api.set("GET /api/collections", {"collections": []})
    messages: list[Json] = [
        {"role": "user", "content": "How?", **common},
        {"role": "assistant", "content": content, **given, "request_id": "r-1", **common},
    ]
    api.set("GET /api/sessions/s1/messages", {"messages": messages})


def opened(screen: Screen, *, width: int = 1280, theme: Theme = "light") -> Page:
    page = screen.open("chat?session=s1", width=width, theme=theme)
    expect(turns(page)).to_have_count(1)
    return page


@WIDTHS
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_answer_shows_code_tasks_formulas_and_pictures(stubbed: Screen, api: StubApi, width: int, theme: Theme) -> None:
    conversation(api, ANSWER)
    page = opened(stubbed, width=width, theme=theme)

    answer = turns(page).locator(".md")
    expect(answer.locator(".tok-keyword", has_text="def")).to_be_visible()
    expect(answer.locator(".tok-inserted")).to_have_text("+ new")
    expect(answer.locator("math")).to_have_count(4)
    expect(answer.locator(".md-display math mfrac")).to_be_visible()
    expect(answer).to_contain_text("It costs $5 and $10.")
    expect(answer.get_by_role("checkbox", name="Done")).to_be_checked()
    expect(answer.get_by_role("checkbox", name="To do")).to_have_count(2)
    expect(answer.get_by_role("img")).to_have_count(1)
    expect(answer.get_by_role("img", name="A red square")).to_be_visible()
    expect(answer.get_by_role("link", name="Picture: Beacon (tracker.example)")).to_have_attribute(
        "href", "https://tracker.example/pixel.png?read=yes"
    )
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    stubbed.axe()
    stubbed.shoot("markdown")


def test_code_is_copied_by_keyboard(stubbed: Screen, api: StubApi) -> None:
    conversation(api, ANSWER)
    page = opened(stubbed)

    button = page.get_by_role("button", name="Copy code").first
    button.focus()
    page.keyboard.press("Enter")

    expect(button.get_by_role("status")).to_contain_text("copied ✓")
    assert page.evaluate("() => navigator.clipboard.readText()") == PYTHON


HOSTILE_FORMULAS = [
    r"\href{javascript:ran=1}{x}",
    r"\url{http://127.0.0.1:9/}",
    r"\includegraphics{http://127.0.0.1:9/a.png}",
    r"\htmlData{a=b}{x}",
    r"\htmlId{app}{x}",
    r"\htmlStyle{position:fixed}{x}",
    r"\class{chat}{x}",
    r"\def\a{\a\a}\a",
    r"\newcommand{\a}{xxxx}\a",
    r"\hspace{-1000em}x",
    r"\raisebox{-100em}{x}",
    r"\frac{1",
    "{" * 2_000 + "}" * 2_000,
    r"\text{<img src=x onerror=ran=1>}\color{url(http://127.0.0.1:9/)}x",
    r"\unknown",
]


def test_formula_that_is_hostile_or_wrong_stays_text_with_the_reason(stubbed: Screen, api: StubApi) -> None:
    conversation(api, "\n\n".join(f"$${formula}$$" for formula in HOSTILE_FORMULAS))
    page = opened(stubbed)

    texts = turns(page).locator("code.md-tex")
    expect(texts).to_have_count(len(HOSTILE_FORMULAS))
    assert texts.all_text_contents() == [f"$${formula}$$" for formula in HOSTILE_FORMULAS]
    expect(texts.first).to_have_attribute("title", r"Not shown as a formula: Unsupported function name: \href")
    expect(texts.nth(7)).to_have_attribute(
        "title", r"Not shown as a formula: \def is not supported: macros cannot be defined"
    )
    assert turns(page).locator(":is(math, img, a[href^=javascript])").count() == 0
    assert page.evaluate("() => globalThis.ran") is None


def test_formula_has_no_ids_colors_or_addresses_of_its_text(stubbed: Screen, api: StubApi) -> None:
    conversation(api, r"$$\color{white} x \label{app} \tag{1}$$ $\text{<b>}$ $\rule{30em}{1em}$ $\ref{app}$")
    page = opened(stubbed)

    answer = turns(page).locator(".md")
    expect(answer.locator("math").first).to_be_visible()
    expect(answer.locator("math", has_text="<b>")).to_be_visible()
    assert answer.locator("math :is([id], [href], [src], [onclick], [mathcolor])").count() == 0
    styles = answer.locator("math [style]").evaluate_all("(all) => all.map((one) => one.getAttribute('style'))")
    assert [style for style in styles if "color" in style or "url" in style] == []


def test_page_without_the_modules_shows_plain_texts(stubbed: Screen, api: StubApi) -> None:
    """A page that was opened before a deployment may not find them."""
    conversation(api, ANSWER)
    stubbed.route_fail("**/modules/*.js")
    page = opened(stubbed)

    expect(turns(page).locator(".md-display code")).to_have_attribute(
        "title", "Formulas could not be loaded. Reload the page."
    )
    expect(turns(page)).to_contain_text("$ax^2 + bx + c = 0$")
    expect(turns(page).get_by_role("region", name="Code python")).to_have_text(PYTHON)


def test_text_that_arrives_shows_an_open_formula_as_text(stubbed: Screen, api: StubApi) -> None:
    conversation(api, "An open fence\n\n```python\nx = 1")
    page = opened(stubbed)

    expect(turns(page).get_by_role("region", name="Code python")).to_have_text("x = 1")
