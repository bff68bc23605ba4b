"""Routes that call models and tools, and their limits in the documentation."""

import re
from pathlib import Path

from tests.functional.test_roles import LOWEST

LIMITS = Path(__file__).parents[2] / "docs" / "limits.md"

WITHOUT_CALLS = frozenset(
    {
        *(route for route in LOWEST if route.startswith(("DELETE ", "PUT ", "PATCH "))),
        *(route for route in LOWEST if route.startswith("GET ") and route != "GET /api/models/list"),
        "POST /api/files",
        "POST /api/runs/{id}/feedback",
        "POST /api/runs/{id}/lease",
        "POST /api/runs/{id}/approvals",
        "POST /api/sessions",
        "POST /api/sessions/{id}/shares",
        "POST /api/config/match",
        "POST /api/configuration/check",
        "POST /api/configuration/match",
        "POST /api/configuration/versions",
        "POST /api/configuration/versions/{number}/restore",
        "POST /api/tokens",
        "POST /api/collections",
        "POST /api/mcp/servers/{name}/approve",
        "POST /v1/responses/{response_id}/cancel",
    }
)
"""Routes that call no model, embedding model or tool."""


def documented() -> dict[str, str]:
    """Return the third column of the table of routes by its first."""
    rows = re.findall(
        r"^\| `([A-Z]+ /[^`]+)` \| [^|]+ \| ([^|]+) \|$", LIMITS.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) == len(dict(rows))
    return dict(rows)


def test_every_route_calls_no_model_or_has_a_documented_limit() -> None:
    assert set(documented()) | WITHOUT_CALLS == set(LOWEST)
    assert not set(documented()) & WITHOUT_CALLS


def test_routes_that_are_not_counted_for_operators_require_this_role() -> None:
    routes = {route for route, counted in documented().items() if counted.startswith("no: operators only")}

    assert {LOWEST[route] for route in routes} == {"operator"}
