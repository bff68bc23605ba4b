"""AWS clients with random faults: throttling, errors, delays, and responses lost after their effect."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

FAULTS = ("throttled", "broken", "slow", "lost")
MAX_SLOW_SECONDS = 4.0

_TOKENS: Mapping[str, tuple[str, str]] = {
    "query": ("LastEvaluatedKey", "ExclusiveStartKey"),
    "get_parameters_by_path": ("NextToken", "NextToken"),
}
"""Pagination token and request parameter of the next page, by operation."""


class FaultSource:
    """Random source of faults with a percentage, deterministic for a seed; disabled without a seed."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._lock = threading.Lock()
        self._random: random.Random | None = None

    def seed(self, seed: str | None) -> None:
        """Use `seed` from now on; None disables faults."""
        self._random = random.Random(seed) if seed is not None else None  # noqa: S311 (no secret depends on it)

    def draw(self, faults: tuple[str, ...], longest: float) -> tuple[str | None, float]:
        """Return a fault, if drawn, and the seconds of a slow request."""
        with self._lock:
            if self._random is None or self._random.random() >= self._share:
                return None, 0.0
            return self._random.choice(faults), self._random.uniform(0.05, longest)


@dataclass
class FaultyClient:
    """Client of one service with random faults.

    Requests run one at a time: writes are atomic in DynamoDB, but not in moto.
    """

    client: Any
    source: FaultSource
    met: Counter[str] = field(default_factory=Counter[str])
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __getattr__(self, name: str) -> Any:
        real = getattr(self.client, name)
        if name not in self.client.meta.method_to_api_mapping:
            return real

        def request(**parameters: Any) -> Any:
            return self._request(name, real, parameters)

        return request

    def get_paginator(self, operation: str) -> "Pages":
        return Pages(getattr(self, operation), *_TOKENS[operation])

    def _request(self, operation: str, real: Callable[..., Any], parameters: Mapping[str, Any]) -> Any:
        fault, seconds = self.source.draw(FAULTS, MAX_SLOW_SECONDS)
        if fault is not None:
            self.met[fault] += 1
        if fault == "throttled":
            raise _refused("ThrottlingException", operation)
        if fault == "broken":
            raise _refused("InternalServerError", operation)
        if fault == "slow":
            time.sleep(seconds)
        with self._lock:
            answer = real(**parameters)
        if fault == "lost":
            raise ReadTimeoutError(endpoint_url="https://aws.test")
        return answer


@dataclass(frozen=True, slots=True)
class Pages:
    """Paginator that makes single requests, each of which may fail."""

    request: Callable[..., Any]
    more: str
    start: str

    def paginate(self, *, PaginationConfig: object = None, **parameters: Any) -> Iterator[Any]:  # noqa: N803 (botocore's)
        del PaginationConfig
        page = self.request(**parameters)
        yield page
        while self.more in page:
            page = self.request(**parameters, **{self.start: page[self.more]})
            yield page


def _refused(code: str, operation: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "by chance"}}, operation)
