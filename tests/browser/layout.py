"""Measurements of the layout: width of the document, words of table heads, sizes of targets."""

from typing import cast

from playwright.sync_api import Page

LEAST_TARGET = 24
"""Least width and height of a target in pixels (WCAG 2.2, 2.5.8)."""

_BROKEN_WORDS = """() => {
  const broken = [];
  for (const head of document.querySelectorAll("thead th")) {
    const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const { index, 0: word } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
  }
  return broken;
}"""

# A link in a line of text may be as high as the line; a box is as large as its label.
_SMALL_TARGETS = """(least) => {
  const found = [];
  for (const each of document.querySelectorAll("button, select, summary, a, input, textarea, [role=tab]")) {
    if (!each.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    if (each.matches(".hidden, .skip, p a, li a, small a, .notice a, .brand")) continue;
    const target = each.matches("input[type=checkbox], input[type=radio]")
      ? (each.closest("label, .choice, .val-name, th, td") ?? each)
      : each;
    const { width, height } = target.getBoundingClientRect();
    if (width > 0 && (width < least || height < least)) {
      const name = `${each.tagName} ${each.className} ${each.textContent.trim().slice(0, 30)}`;
      found.push(`${name} ${width.toFixed()}x${height.toFixed()}`);
    }
  }
  return found;
}"""


def document_width(page: Page) -> int:
    return cast("int", page.evaluate("() => document.documentElement.scrollWidth"))


def broken_head_words(page: Page) -> list[str]:
    """Words of table heads that are broken across lines."""
    return cast("list[str]", page.evaluate(_BROKEN_WORDS))


def small_targets(page: Page) -> list[str]:
    """Targets that are smaller than 24 by 24 pixels."""
    return cast("list[str]", page.evaluate(_SMALL_TARGETS, LEAST_TARGET))
