"""Fault commands in brackets in the latest user message, or in the `x-demo` header."""

import json
import re
from collections.abc import Mapping
from copy import replace
from dataclasses import dataclass
from threading import Lock

from dev.demo_model.conversation import PlannedCall
from flexchat.messages import Json

HEADER = "x-demo"
MAX_SLOW_MS = 120_000
MAX_CHUNK = 100_000

FAULTS_HELP = """\
fault directives, in the latest user message or (without the brackets' "demo:") in the header "x-demo":
  [demo:status=429 retry_after=1]      this status; retry_after in seconds; times=N: only the first N requests,
                                       counted by the message's text, then one works and the count begins again;
                                       after=N: only once N turns with calls are over
  [demo:slow=2000]                     wait so many milliseconds first
  [demo:stream_ms=50 chunk=8]          in a stream: this pause between events, so many characters in each
  [demo:cut]                           cut the connection in the middle of the body; times=N and after=N as above
  [demo:error] [demo:end]              in a stream: an error event (with status=429 that of this status), or an orderly
                                       end without the last event; times=N and after=N as above
                                       at=N: cut, error or end after N events of the stream, not after half of them
  [demo:malformed]                     answer with a body that is not JSON
  [demo:oversize] [demo:drip] [demo:bomb]   send 20 MiB; one byte every 100 ms; gzip that expands to 128 MiB
  [demo:refuse] [demo:length] [demo:empty]   refuse; stop in mid-sentence; say nothing
  [demo:call=NAME {json} times=3]      ask for exactly this call, three turns in a row (once without times);
                                       several of them: all in the same turn
  [demo:bad_json]                      ask for a call whose arguments are broken JSON, where the wire can carry them
  [demo:chaos=SEED percent=30]         any of these by chance, in so many of a hundred requests (30 without percent);
                                       of=bodies: only oversize, drip and bomb; of=streams: only cut, error, end
                                       and pauses in a stream
  [demo:think]                         think before each turn, and insist on getting the signed thoughts back

accuracy, in the model's name: "skill-95" gets 95 of a hundred cases of the validation suite right, which ones
decides "-seed-7" after it; any other message it treats like every other name
"""

_START = re.compile(r"\[demo:\s*")
_CALL = re.compile(r"call=(?P<name>[^\s\]{]+)\s*")
_SETTING = re.compile(r"(?P<name>[a-z_]+)(?:=(?P<value>[\w.-]+))?\s*,?\s*")
_END = re.compile(r"\s*\]")


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults of one request.

    `times` and `after` limit `status`, `cut`, `error` and `end`; in a stream the last three follow `at` events, by
    default half of them. `slow_ms` and `stream_ms` are in milliseconds, `chunk` is in characters. `chaos` is the seed
    of random faults in `percent` of the requests, of the kind `of`. `quirk` and `strict` are an odd answer and a kind
    of server, of `server_quirks`.
    """

    status: int | None = None
    retry_after: str | None = None
    cut: bool = False
    error: bool = False
    end: bool = False
    at: int | None = None
    times: int | None = None
    after: int = 0
    slow_ms: int = 0
    stream_ms: int | None = None
    chunk: int | None = None
    malformed: bool = False
    oversize: bool = False
    drip: bool = False
    bomb: bool = False
    refuse: bool = False
    length: bool = False
    empty: bool = False
    bad_json: bool = False
    think: bool = False
    chaos: str | None = None
    percent: int | None = None
    of: str | None = None
    quirk: str | None = None
    strict: str | None = None
    calls: tuple[tuple[PlannedCall, int], ...] = ()


def read_directives(message: str, header: str | None = None) -> tuple[Faults, str]:
    """Return the requested faults and the message without its directives; unreadable ones remain in the message."""
    faults, words = Faults(), message
    if header:
        faults, _ = _read_directive(f"{header}]", 0, faults) or (faults, 0)
    position = 0
    while match := _START.search(words, position):
        read = _read_directive(words, match.end(), faults)
        if read is None:
            position = match.end()
            continue
        faults, end = read
        words, position = words[: match.start()] + words[end:], match.start()
    return faults, " ".join(words.split()) if words != message else message


def _read_directive(text: str, position: int, faults: Faults) -> tuple[Faults, int] | None:
    """Return the faults with the directive at `position` added, and its end; `None` when there is none."""
    call: PlannedCall | None = None
    if match := _CALL.match(text, position):
        arguments, position = _read_object(text, match.end())
        call = PlannedCall(match["name"], arguments)
    settings: dict[str, str] = {}
    while match := _SETTING.match(text, position):
        settings[match["name"]] = match["value"] or ""
        position = match.end()
    end = _END.match(text, position)
    if end is None:
        return None
    if call is not None:
        times = _number(settings.get("times"), 1)
        return replace(faults, calls=(*faults.calls, (call, times))), end.end()
    return _with_settings(faults, settings), end.end()


def _read_object(text: str, position: int) -> tuple[Mapping[str, Json], int]:
    if not text.startswith("{", position):
        return {}, position
    try:
        value, end = json.JSONDecoder().raw_decode(text, position)
    except json.JSONDecodeError:
        return {}, position
    while text.startswith(" ", end):
        end += 1
    return value, end


def _with_settings(faults: Faults, settings: Mapping[str, str]) -> Faults:
    status = _number(settings.get("status"), 0)
    return replace(
        faults,
        status=status if 400 <= status <= 599 else faults.status,
        retry_after=settings.get("retry_after", faults.retry_after),
        cut=faults.cut or "cut" in settings,
        error=faults.error or "error" in settings,
        end=faults.end or "end" in settings,
        at=_given(settings, "at", 0, faults.at),
        times=_given(settings, "times", 1, faults.times),
        after=_number(settings.get("after"), faults.after),
        slow_ms=min(MAX_SLOW_MS, _number(settings.get("slow"), faults.slow_ms)),
        stream_ms=_at_most(MAX_SLOW_MS, _given(settings, "stream_ms", 0, faults.stream_ms)),
        chunk=_at_most(MAX_CHUNK, _given(settings, "chunk", 0, faults.chunk)),
        malformed=faults.malformed or "malformed" in settings,
        oversize=faults.oversize or "oversize" in settings,
        drip=faults.drip or "drip" in settings,
        bomb=faults.bomb or "bomb" in settings,
        refuse=faults.refuse or "refuse" in settings,
        length=faults.length or "length" in settings,
        empty=faults.empty or "empty" in settings,
        bad_json=faults.bad_json or "bad_json" in settings,
        think=faults.think or "think" in settings,
        chaos=settings.get("chaos", faults.chaos),
        percent=_given(settings, "percent", 0, faults.percent),
        of=settings.get("of", faults.of),
        quirk=settings.get("quirk", faults.quirk),
        strict=settings.get("strict", faults.strict),
    )


def _given(settings: Mapping[str, str], name: str, unreadable: int, absent: int | None) -> int | None:
    return _number(settings[name], unreadable) if name in settings else absent


def _at_most(limit: int, number: int | None) -> int | None:
    return None if number is None else min(limit, number)


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text is not None and text.isdecimal() else otherwise


class FaultCounter:
    """Counts the faults of a message since its last success."""

    def __init__(self) -> None:
        self._met: dict[str, int] = {}
        self._lock = Lock()

    def strikes(self, message: str, times: int | None) -> bool:
        """Return true when the fault applies: always, or to the first `times` requests of each round."""
        if times is None:
            return True
        with self._lock:
            met = self._met.pop(message, 0)
            if met >= times:
                return False
            self._met[message] = met + 1
            return True
