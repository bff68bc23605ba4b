"""End of the time of a test run, on a machine that may be several times slower than usual.

The environment variable `TESTS_END`, seconds since 1970, is the time after which no further test begins.
"""

import os
import time

VARIABLE = "TESTS_END"


def is_over() -> bool:
    """Return whether no further test may begin; False without the variable."""
    end = os.environ.get(VARIABLE)
    return end is not None and time.time() >= float(end)
