"""`python -m dev.demo_model`: prints `{"url": ...}` on one line, then serves until it is interrupted."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from threading import Thread
from types import FrameType

from dev.demo_model import STREAM_MS_VARIABLE
from dev.demo_model.fault_injection import FAULTS_HELP, MAX_CHUNK, MAX_SLOW_MS
from dev.demo_model.protocols import all_protocols
from dev.demo_model.server import HOST, DemoServer
from dev.demo_model.streams import DEFAULT_CHARACTERS, StreamRate

DEFAULT_STREAM_MS = 20


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        rate = StreamRate(characters=options.chunk, pause_ms=options.stream_ms)
        server = DemoServer(all_protocols(), port=options.port, rate=rate)
    except OSError as exc:
        print(f"the demo model cannot listen on {HOST}:{options.port}: {exc.strerror}", file=sys.stderr)
        return 1

    def stop(_signal: int, _frame: FrameType | None) -> None:
        # In a thread: shutdown waits for the loop that this call interrupts.
        Thread(target=server.shutdown).start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    print(json.dumps({"url": server.url}), flush=True)
    with server:
        server.serve_forever(poll_interval=0.1)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dev.demo_model",
        description="A small rule-based model that speaks the wires of OpenAI, Ollama, Gemini, Anthropic and Bedrock,"
        " on this machine only. It says what it is.",
        epilog=FAULTS_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    port = _from_to(0, 65535)
    parser.add_argument("--port", type=port, default=0, help="port on 127.0.0.1; 0, the default, takes a free one")
    parser.add_argument(
        "--stream-ms",
        type=_from_to(0, MAX_SLOW_MS),
        default=os.environ.get(STREAM_MS_VARIABLE) or DEFAULT_STREAM_MS,
        metavar="MS",
        help=f"pause between the events of a stream, in milliseconds; by default {STREAM_MS_VARIABLE} or"
        f" {DEFAULT_STREAM_MS}",
    )
    parser.add_argument(
        "--chunk",
        type=_from_to(1, MAX_CHUNK),
        default=DEFAULT_CHARACTERS,
        metavar="CHARACTERS",
        help=f"characters in each event of a stream; {DEFAULT_CHARACTERS} by default",
    )
    return parser


def _from_to(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text) if text.isdecimal() else -1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be a number from {least} to {most}")
        return value

    return number


if __name__ == "__main__":
    sys.exit(main())
