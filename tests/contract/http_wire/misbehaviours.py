"""Responses that misbehave, by the path of the request."""

import gzip
import json
import socket
import struct
import zlib
from collections.abc import Mapping

from tests.contract.http_wire.hostile_server import Exchange, Misbehaviour

JSON = "Content-Type: application/json"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK = b"10000\r\n" + b"x" * 65_536 + b"\r\n"

DRIP_SECONDS = 0.05
"""Pause between two bytes of a slow response, well below the timeouts of the tests."""


def good(exchange: Exchange) -> None:
    exchange.answer(b'{"ok":true}', JSON)


def endless(exchange: Exchange) -> None:
    exchange.send(CHUNKED)
    exchange.repeat(CHUNK)


def endless_error(exchange: Exchange) -> None:
    exchange.send(CHUNKED.replace(b"200 OK", b"500 Oops"))
    exchange.repeat(CHUNK)


def gzip_bomb(exchange: Exchange) -> None:
    compressor = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    zeros = bytes(500_000)
    bomb = b"".join([*(compressor.compress(zeros) for _ in range(100)), compressor.flush()])
    exchange.answer(bomb, JSON, "Content-Encoding: gzip")


def gzip_of_nothing(exchange: Exchange) -> None:
    exchange.send(CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n"))
    exchange.send(b"a\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\r\n")
    exchange.repeat(b"1388\r\n" + b"\x00\x00\x00\xff\xff" * 1_000 + b"\r\n")


def broken_gzip(exchange: Exchange) -> None:
    exchange.answer(gzip.compress(b"{}" * 1_000)[:-12], JSON, "Content-Encoding: gzip")


def other_coding(exchange: Exchange) -> None:
    exchange.answer(b"x" * 100, JSON, "Content-Encoding: br")


def slow_body(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    exchange.repeat(b"x", pause=DRIP_SECONDS)


def slow_headers(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nX-A: ")
    exchange.repeat(b"x", pause=DRIP_SECONDS)


def silent(exchange: Exchange) -> None:
    exchange.stop.wait(60)


def endless_interim_responses(exchange: Exchange) -> None:
    exchange.repeat(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")


def continues(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    good(exchange)


def switches_protocols(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
    exchange.repeat(b"x" * 65_536)


def many_headers(exchange: Exchange) -> None:
    exchange.answer(b"{}", JSON, *(f"X-{number}: {'v' * 20}" for number in range(10_000)))


def long_header(exchange: Exchange) -> None:
    exchange.answer(b"{}", JSON, "X-Long: " + "v" * 1_000_000)


def endless_status_line(exchange: Exchange) -> None:
    exchange.repeat(b"HTTP/1.1 200 " + b"x" * 65_536)


def endless_trailers(exchange: Exchange) -> None:
    exchange.send(CHUNKED, b"2\r\n{}\r\n0\r\n")
    exchange.repeat(b"X-Trailer: " + b"v" * 10_000 + b"\r\n")


def endless_chunk_extension(exchange: Exchange) -> None:
    exchange.send(CHUNKED, b"2;a=")
    exchange.repeat(b"x" * 65_536)


def negative_chunk(exchange: Exchange) -> None:
    exchange.send(CHUNKED, b"-5\r\nhello\r\n0\r\n\r\n")


def short_body(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{}")


def long_body(exchange: Exchange) -> None:
    exchange.send(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}{"more":1}')


def two_lengths(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}abc")


def huge_length(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n")
    exchange.repeat(b"x" * 65_536)


def long_length(exchange: Exchange) -> None:
    """A number of more digits than `int` converts."""
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: " + b"1" * 4_301 + b"\r\n\r\n{}")


def long_chunk_size(exchange: Exchange) -> None:
    exchange.send(CHUNKED, b"1" * 10_000 + b"\r\n{}")


def long_status(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 " + b"2" * 5_000 + b" OK\r\nContent-Length: 2\r\n\r\n{}")


def long_delay(exchange: Exchange) -> None:
    exchange.answer(b"{}", JSON, "Retry-After: " + "9" * 300, status="429 Too Many Requests")


def longer_delay(exchange: Exchange) -> None:
    exchange.answer(b"{}", JSON, "Retry-After: " + "9" * 5_000, status="429 Too Many Requests")


def garbage(exchange: Exchange) -> None:
    exchange.send(b"<html>HTTP/0.9 has no headers</html>\r\n")


def nothing(_exchange: Exchange) -> None:
    """Close the connection without a response."""


def reset(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def image(exchange: Exchange) -> None:
    exchange.answer(b"\x89PNG", "Content-Type: image/png")


def no_media_type(exchange: Exchange) -> None:
    exchange.answer(b"plain")


def wrong_charset(exchange: Exchange) -> None:
    exchange.answer(b"caf\xe9 \xff", "Content-Type: text/plain; charset=punycode")


def invalid_json(exchange: Exchange) -> None:
    exchange.answer(b'{"a": tru', JSON)


def deep_json(exchange: Exchange) -> None:
    exchange.answer(b"[" * 100_000, JSON)


def long_number(exchange: Exchange) -> None:
    exchange.answer(b"9" * 5_000, JSON)


def rate_limited(exchange: Exchange) -> None:
    exchange.answer(b"{}", JSON, "Retry-After: 3600", status="429 Too Many Requests")


def metadata(exchange: Exchange) -> None:
    exchange.answer(b"", "Location: http://169.254.169.254/latest/meta-data/", status="302 Found")


def loop(exchange: Exchange) -> None:
    exchange.answer(b"", "Location: /loop", status="307 Temporary Redirect")


def echo(exchange: Exchange) -> None:
    """Return everything that was received, as an API in debug mode does."""
    request = exchange.request
    received = {"target": request.target, "headers": request.headers, "body": request.body.decode("latin-1")}
    exchange.answer(json.dumps(received).encode(), JSON)


def echo_error(exchange: Exchange) -> None:
    request = exchange.request
    text = f"{request.target} {request.headers} {request.body.decode('latin-1')}"
    exchange.answer(text.encode(), "Content-Type: text/plain", status="422 Unprocessable Content")


def echo_redirect(exchange: Exchange) -> None:
    key = exchange.request.headers.get("x-key", "")
    exchange.answer(b"", f"Location: http://{key}.example.com/{key}?key={key}", status="302 Found")


PATHS: Mapping[str, Misbehaviour] = {
    f"/{misbehaviour.__name__}": misbehaviour
    for misbehaviour in (
        *(good, endless, endless_error, gzip_bomb, gzip_of_nothing, broken_gzip, other_coding, slow_body, slow_headers),
        *(silent, endless_interim_responses, continues, switches_protocols, many_headers, long_header),
        *(endless_status_line, endless_trailers, endless_chunk_extension, negative_chunk, short_body, long_body),
        *(
            two_lengths,
            huge_length,
            long_length,
            long_chunk_size,
            long_status,
            long_delay,
            longer_delay,
            garbage,
            nothing,
            reset,
            image,
            no_media_type,
            wrong_charset,
            invalid_json,
        ),
        *(deep_json, long_number, rate_limited, metadata, loop, echo, echo_error, echo_redirect),
    )
}
