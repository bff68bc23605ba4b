"""`python -m dev.demo_model`: prints `{"url": ...}` on one line, then serves until it is interrupted."""

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from threading import Thread
from types import FrameType

from dev.demo_model.fault_injection import FAULTS_HELP
from dev.demo_model.protocols import all_protocols
from dev.demo_model.server import HOST, DemoServer


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        server = DemoServer(all_protocols(), port=options.port)
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
    parser.add_argument("--port", type=_port, default=0, help="port on 127.0.0.1; 0, the default, takes a free one")
    return parser


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError("must be a number from 0 to 65535")
    return port


if __name__ == "__main__":
    sys.exit(main())
