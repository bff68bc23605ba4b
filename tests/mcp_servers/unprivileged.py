"""Run a command without the capabilities of root, as a Lambda function does: they allow to read any process."""

import ctypes
import os
import sys

SET_SECURE_BITS = 28
NO_ROOT = 0b11
"""A program that root starts has no capability of its own; locked."""

if __name__ == "__main__":
    if os.getuid() == 0:
        ctypes.CDLL(None).prctl(SET_SECURE_BITS, NO_ROOT, 0, 0, 0)
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606
