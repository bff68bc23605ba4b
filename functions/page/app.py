"""Function of the browser page: one document for all views, its script and its stylesheet.

The page reads its data from the API with the token of its user; this function has no access to it. The settings of the
sign-in arrive with each event, as variables of the API's stage.
"""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
from functools import cache
from pathlib import Path
from typing import Any

from flexchat.messages import Json
from flexchat.snapstart import before_snapshot
from functions.page.files import PageFiles, page_response


@cache
def page_files() -> PageFiles:
    """Return the files of the page, read on first use."""
    # On an emulator all services have one address.
    files_origin = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("FLEXCHAT_FILES_ORIGIN", "")
    stage = os.environ["FLEXCHAT_STAGE"]
    return PageFiles.read(Path(__file__).parent / "static", stage=stage, files_origin=files_origin)


def lambda_handler(event: dict[str, Any], _context: object) -> dict[str, Json]:
    """Return the response to API Gateway's proxy event (payload v1) for a view or a file of the page."""
    return page_response(event, page_files())


before_snapshot(page_files)
modules_imported()
