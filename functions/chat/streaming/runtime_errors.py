"""Errors of the runtime loop: as Lambda expects them, and as lines of its log."""

import json
import time
import traceback
from pathlib import Path
from typing import Any

MAX_FRAMES, MAX_MESSAGE, MAX_CAUSE_BYTES = 50, 4_096, 32_768
RUNTIME = Path(__file__).with_name("runtime.py")


def error_of(exc: BaseException) -> dict[str, Any]:
    """Return an error as the managed runtime reports it."""
    stack = traceback.format_list(frames_of(exc))
    return {"errorType": type(exc).__name__, "errorMessage": str(exc)[:MAX_MESSAGE], "stackTrace": stack}


def cause_of(exc: BaseException) -> dict[str, str]:
    """Return the header that shows the error in its X-Ray trace."""
    frames = frames_of(exc)
    stack = [{"label": frame.name, "path": frame.filename, "line": frame.lineno} for frame in frames]
    error = {"message": str(exc)[:MAX_MESSAGE], "type": type(exc).__name__, "stack": stack}
    paths = sorted({frame.filename for frame in frames})
    cause = json.dumps({"working_directory": str(Path.cwd()), "exceptions": [error], "paths": paths})
    return {"Lambda-Runtime-Function-XRay-Error-Cause": cause} if len(cause) <= MAX_CAUSE_BYTES else {}


def frames_of(exc: BaseException) -> list[traceback.FrameSummary]:
    """Return the innermost frames of the handler, without the runtime's own."""
    frames = traceback.extract_tb(exc.__traceback__)[-MAX_FRAMES:]
    return [frame for frame in frames if Path(frame.filename) != RUNTIME]


def log(level: str, **fields: Any) -> None:
    """Print a line in the JSON format of Lambda's logs; START, END and REPORT are written by Lambda itself."""
    timestamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    print(json.dumps({"timestamp": timestamp, "level": level, **fields}), flush=True)  # noqa: T201
