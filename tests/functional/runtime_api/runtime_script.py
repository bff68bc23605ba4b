"""Runtime for tests, with the standard library alone: the event names the behaviour."""

import base64
import http.client
import json
import os
import socket
import sys
import time
from typing import Any

HOST = os.environ["AWS_LAMBDA_RUNTIME_API"]
VERSION = "/2018-06-01/runtime"


def log(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def post(path: str, document: object) -> None:
    connection = http.client.HTTPConnection(HOST)
    connection.request("POST", VERSION + path, body=json.dumps(document))
    connection.getresponse().read()
    connection.close()


def stream(id: str, event: dict[str, Any]) -> None:
    connection = http.client.HTTPConnection(HOST)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.putrequest("POST", f"{VERSION}/invocation/{id}/response")
    connection.putheader("Lambda-Runtime-Function-Response-Mode", "streaming")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.putheader("Trailer", "Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body")
    connection.endheaders()
    size, number = event.get("size", 5), 0
    while number < event["pieces"]:
        piece = f"{number}".ljust(size).encode()
        connection.send(b"%x\r\n%b\r\n" % (len(piece), piece))
        number += 1
    while event.get("until") and not os.path.exists(event["until"]):  # noqa: PTH110 - fewer imports
        connection.send(b"1\r\n.\r\n")
        time.sleep(0.01)
    connection.send(b"0\r\n")
    if "error" in event:
        body = base64.b64encode(json.dumps({"errorType": "E", "errorMessage": event["error"]}).encode())
        connection.send(b"Lambda-Runtime-Function-Error-Type: E\r\n")
        connection.send(b"Lambda-Runtime-Function-Error-Body: " + body + b"\r\n")
    connection.send(b"\r\n")
    connection.getresponse().read()
    connection.close()


def main() -> None:
    if sys.argv[1:] == ["fail"]:
        post("/init/error", {"errorType": "ImportError", "errorMessage": "no module"})
        sys.exit(1)
    log("started")
    while True:
        connection = http.client.HTTPConnection(HOST)
        connection.request("GET", f"{VERSION}/invocation/next")
        response = connection.getresponse()
        event: dict[str, Any] = json.loads(response.read())
        request = response.headers["Lambda-Runtime-Aws-Request-Id"]
        connection.close()
        match event["do"]:
            case "stream":
                try:
                    stream(request, event)
                except OSError:
                    log("client gone")
            case "describe":
                post(f"/invocation/{request}/response", {"pid": os.getpid(), **dict(response.headers)})
            case "error":
                post(f"/invocation/{request}/error", {"errorType": "ValueError", "errorMessage": "bad"})
            case "exit":
                os._exit(3)
            case _:
                time.sleep(600)


if __name__ == "__main__":
    main()
