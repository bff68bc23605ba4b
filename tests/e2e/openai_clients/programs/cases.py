"""Command line of a client's program: `python PROGRAM CASE...`, with OPENAI_BASE_URL and OPENAI_API_KEY; prints JSON."""

import asyncio
import inspect
import json
import os
import sys
from collections.abc import Callable

URL = os.environ["OPENAI_BASE_URL"]
KEY = os.environ["OPENAI_API_KEY"]
MODEL = os.environ.get("MODEL", "flexchat")

QUESTION = "What is 15% of 45?"
STOCK_QUESTION = 'How many lamps are there? [demo:call=get_stock {"item": "lamp"}]'
PICTURE = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4z8AARAAI/gH/xp559wAAAABJRU5ErkJggg=="
)
"""A picture of 2 by 1 pixels."""
PICTURE_QUESTION = "What is in this picture?"
STOCK_PARAMETERS = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}


def get_stock(item: str) -> str:
    """Get the number of items in stock."""
    return f"12 of {item}"


def run(**cases: Callable) -> None:
    """Print the results of the cases that the command line names, by their names."""
    print(json.dumps({name: _result(cases[name]) for name in sys.argv[1:]}))


def _result(case: Callable):
    """Return the result of a case; of an error its class and its status."""
    try:
        result = case()
        return asyncio.run(result) if inspect.isawaitable(result) else result
    except Exception as error:
        return {"error": type(error).__name__, "status": getattr(error, "status_code", None), "message": str(error)}
