"""Accessibility checks with axe-core, limited to serious and critical violations."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
GRAVE = ("serious", "critical")
# Preloading would insert imported stylesheets as inline styles, which the page's policy forbids. A target that the
# header or the message field covers in part is measured again in the middle of the window, where it can be scrolled to.
RUN = """async ([tags, within]) => {
    const options = { resultTypes: ["violations"], preload: false };
    const { violations } = await axe.run(within ?? document, { ...options, runOnly: { type: "tag", values: tags } });
    const sizes = violations.find(({ id }) => id === "target-size");
    if (sizes === undefined) return violations;
    const small = [];
    for (const node of sizes.nodes) {
      const element = document.querySelector(node.target[0]);
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const again = await axe.run(element, { ...options, runOnly: { type: "rule", values: ["target-size"] } });
      small.push(...again.violations.flatMap(({ nodes }) => nodes));
    }
    sizes.nodes = small;
    return violations.filter(({ nodes }) => nodes.length > 0);
  }"""


class InaccessibleError(AssertionError):
    """Raised for an inaccessible page; the message names each violated rule and its elements."""


@cache
def axe_source() -> str:
    return SOURCE.read_text(encoding="utf-8")


def verify_accessible(page: Page, *, within: str | None = None) -> None:
    """Raises InaccessibleError for WCAG 2.2 AA violations that axe rates serious or critical.

    `within` selects the elements to check; by default the whole page is.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe_source())
    violations: list[dict[str, Any]] = page.evaluate(RUN, [list(TAGS), within])
    grave = [violation for violation in violations if violation["impact"] in GRAVE]
    if grave:
        raise InaccessibleError(f"{page.url} is not accessible:\n" + "\n".join(map(_describe, grave)))


def _describe(violation: dict[str, Any]) -> str:
    nodes = "".join(
        f"\n    {' '.join(map(str, node['target']))}: {' '.join(node['failureSummary'].split())}"
        for node in violation["nodes"]
    )
    return f"- {violation['id']} ({violation['impact']}): {violation['help']}{nodes}"
