"""`python -m dev.local_gateway`: prints `{"url": ...}` on one line, then serves until it is interrupted."""

import argparse
import json
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dev.local_gateway.forwarding import Forwarder
from dev.local_gateway.server import HOST, LocalGateway, listen, server
from dev.local_gateway.stream_routes import StreamingApi
from dev.request_check import RequestCheck


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        listener = listen(options.port)
    except OSError as error:
        print(f"error: the local gateway cannot listen on {HOST}:{options.port}: {error.strerror}", file=sys.stderr)
        return 1
    with listener:
        port = listener.getsockname()[1]
        print(json.dumps({"url": f"http://{HOST}:{port}"}), flush=True)
        forwarder = Forwarder(options.api, stage=options.stage, key=os.environ["AWS_ACCESS_KEY_ID"])
        check = RequestCheck(port, has_page=True, origins=tuple(options.origin))
        with _streaming(options.api, options.stage, options.functions) as streaming:
            server(LocalGateway(forwarder, streaming), check).run(sockets=[listener])
    return 0


@contextmanager
def _streaming(api: str, stage: str, folder: Path | None) -> Generator[StreamingApi | None]:
    """Yield the streaming routes of the API at `api`; None without one."""
    if folder is None:
        yield None
        return
    from dev.local_gateway.deployed import aws_client, streaming_api
    from dev.local_gateway.function_logs import FunctionLogs

    logs = FunctionLogs(aws_client("logs"))
    found = streaming_api(api.split("/")[4], stage, folder=folder, log=logs.add)
    yield found if found.routes else None
    logs.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dev.local_gateway",
        description="The address of the local stack: an HTTP server in front of the API at the AWS emulator.",
    )
    parser.add_argument("--api", required=True, help="address of the API at the emulator")
    parser.add_argument("--stage", required=True, help="stage of the API, a prefix of the emulator's paths")
    parser.add_argument("--functions", type=Path, help="folder for the code of streaming functions, which run here")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; 0, the default, takes a free one")
    parser.add_argument(
        "--origin", action="append", default=[], help="origin of pages that may send requests; may be repeated"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
