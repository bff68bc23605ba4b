"""Regular expressions of tool schemas and rules, matched in linear time by RE2.

The standard library's `re` backtracks: `(a+)+$` on thirty characters hangs a process. RE2 does not backtrack, and has
no look-around and no back-references.
"""

from typing import Any, Final, Protocol

from flexchat.errors import FlexchatError

MAX_PATTERN_LENGTH: Final = 1_000
_MAX_MEMORY: Final = 2 << 20


class PatternError(FlexchatError, ValueError):
    """Invalid or unsupported regular expression; the message has the reason."""


class Pattern(Protocol):
    """Compiled pattern."""

    pattern: str

    def search(self, text: str) -> object | None:
        """Return the first match in `text`, else `None`."""
        ...


def compile_pattern(pattern: str, *, ignore_case: bool = False) -> Pattern:
    """Compile `pattern` for linear-time search. Raises `PatternError`."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise PatternError(f"the pattern has {len(pattern)} characters, at most {MAX_PATTERN_LENGTH} are accepted")
    import re2  # most chats match no pattern

    library: Any = re2  # ships no types
    options = library.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.max_mem = _MAX_MEMORY
    try:
        compiled: Pattern = library.compile(pattern, options)
    except library.error as exc:
        reason = exc.args[0].decode(errors="replace") if isinstance(exc.args[0], bytes) else str(exc)
        raise PatternError(f"not a pattern RE2 can run: {reason}; it has no look-around and no \\1") from exc
    except UnicodeEncodeError as exc:
        raise PatternError("the pattern contains an unpaired surrogate") from exc
    return compiled
