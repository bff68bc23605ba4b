"""Lists of items in several partitions of a table or an index, merged on read, by a bounded number of queries."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from flexchat.aws.dynamodb import Values, from_item
from functions.traces.filters import AFTER_IDS

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import QueryOutputTypeDef

    type ReadPage = Callable[[str, Mapping[str, Any] | None, int], QueryOutputTypeDef]

MAX_QUERIES: Final = 160
"""Most queries of one list, at least those of one index; a list that needs more has a short page with a cursor."""

MAX_READ_ITEMS: Final = 80_000
"""Number of items after which no further query of one list begins."""

MAX_PAGE_ITEMS: Final = 2_000
"""Most items that one query reads; DynamoDB returns at most 1 MB of them."""

_UNREAD: Final = AFTER_IDS
"""Position in a partition that is not read yet, after every sort key."""


def search(
    indexes: Iterable[tuple[Sequence[str], str]], read_page: "ReadPage", *, before: str | None, limit: int
) -> tuple[Sequence[Values], str]:
    """Return at most `limit` items, and the sort key that the rest begins before, empty without a rest.

    `indexes` are read one after another, the newest first: each has the keys of its partitions, and the sort key that
    the next one begins before. `read_page` is a query of one partition in descending order, with its start key and the
    number of items to read. The item `before` is that of a cursor, and left out.

    There are less than `limit` with a rest only after `MAX_QUERIES`.
    """
    found: list[Values] = []
    rest = ""
    queries, read = 0, 0
    for pks, day in indexes:
        merged = _Merged(pks)
        while (partition := merged.next_partition) is not None:
            if queries >= MAX_QUERIES or read >= MAX_READ_ITEMS:
                return [*found, *merged.complete], rest if merged.position == _UNREAD else merged.position
            size = _items_to_read(limit, found=len(found) + merged.found, read=read, partitions=len(pks))
            answer = read_page(partition.pk, partition.after, size)
            queries, read = queries + 1, read + answer["ScannedCount"]
            items = [item for item in map(from_item, answer["Items"]) if item["sk"] != before]
            merged.add(partition, items, answer.get("LastEvaluatedKey"))
            if len(found) + len(merged.complete) > limit:
                page = [*found, *merged.complete][:limit]
                return page, page[-1]["sk"]
        found += merged.complete
        rest = day
    return found, ""


def _items_to_read(limit: int, *, found: int, read: int, partitions: int) -> int:
    """Return the number of items that the next query reads of one of `partitions`.

    Those are what the rest of the page needs at the share of matches so far, and a quarter more; without a match, three
    times as many as all queries before.
    """
    page = limit + 2  # one after the page, and that of the cursor
    wanted = (page - found) * read * 5 // (found * 4) if found else read * 3
    return min(MAX_PAGE_ITEMS, max(page, wanted // partitions))


class _Partition:
    """Partition of an index, read from its end down to the sort key `position`, which is empty when all is read."""

    def __init__(self, pk: str) -> None:
        self.pk = pk
        self.after: Mapping[str, Any] | None = None
        self.position = _UNREAD


class _Merged:
    """Items of the partitions of one index in descending order of their sort keys."""

    def __init__(self, pks: Sequence[str]) -> None:
        self._partitions = [_Partition(pk) for pk in pks]
        self._items: list[Values] = []

    @property
    def next_partition(self) -> _Partition | None:
        """Return the partition that limits `complete`; None when all are read."""
        unfinished = [each for each in self._partitions if each.position]
        return max(unfinished, key=lambda each: each.position, default=None)

    @property
    def position(self) -> str:
        """Return the sort key down to which all partitions are read."""
        return max(each.position for each in self._partitions)

    @property
    def found(self) -> int:
        """Return the number of items that are read."""
        return len(self._items)

    @property
    def complete(self) -> Sequence[Values]:
        """Return the items down to `position`; those after it may have others between them."""
        position = self.position
        return [item for item in self._items if item["sk"] >= position]

    def add(self, partition: _Partition, items: Sequence[Values], last: Mapping[str, Any] | None) -> None:
        """Add the items of a page; `last` is its last evaluated key, if it is not the last page."""
        self._items = sorted([*self._items, *items], key=itemgetter("sk"), reverse=True)
        partition.after = last
        partition.position = "" if last is None else from_item(last)["sk"]
