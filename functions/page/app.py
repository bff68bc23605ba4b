"""Serves the browser page: one document for all views, its script and its stylesheet.

Nothing here knows the service: what the page shows comes from the API, with the token of whoever looks.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

from flexchat.messages import Json
from flexchat.snapstart import before_snapshot
from functions.page.files import PageFiles
from functions.page.responses import answer


@cache
def page_files() -> PageFiles:
    """The page of this deployment, read when it is first asked for."""
    return PageFiles.read(Path(__file__).parent / "static", stage=os.environ["FLEXCHAT_STAGE"])


def lambda_handler(event: dict[str, Any], _context: object) -> dict[str, Json]:
    """Answer API Gateway's proxy event (payload v1) for a view or a file of the page."""
    return answer(event, page_files())


before_snapshot(page_files)
