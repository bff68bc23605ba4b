"""Pages of lists that http tools read."""

from tests.unit.http_tool.scripted_api import URL, Api, answer


def test_pages_of_a_link_header_are_joined() -> None:
    api = Api(
        answer([1, 2], Link='<https://api.example.com/items?page=2>; rel="next", </items?page=9>; rel="last"'),
        answer([3], Link='</items?page=1>; rel="prev"'),
    )

    assert api.call(pagination={"type": "link"}) == [1, 2, 3]
    assert str(api.requests[1].url) == f"{URL}?page=2"


def test_a_next_page_on_another_host_is_refused() -> None:
    api = Api(answer([1], Link='<https://evil.example.net/?page=2>; rel="next"'))

    error = api.error(pagination={"type": "link"}, allowed_hosts=["evil.example.net"])

    assert (error.message, len(api.requests)) == ("The API names a next page on another host", 1)


def test_pages_of_a_cursor_are_joined_up_to_the_maximum() -> None:
    api = Api(lambda _: answer({"items": [len(api.requests)], "next": f"c{len(api.requests)}"}))

    result = api.call(
        {"q": "x"},
        response_path="$.items",
        pagination={"type": "cursor", "parameter": "after", "cursor_path": "$.next", "max_pages": 3},
    )

    assert result == {
        "items": [1, 2, 3],
        "truncated": True,
        "note": "The list of the API has more items: max_pages is 3",
    }
    assert [sent.url.query for sent in api.requests] == [b"q=x", b"q=x&after=c1", b"q=x&after=c2"]


def test_pages_that_end_at_the_maximum_are_the_whole_list() -> None:
    api = Api(answer({"items": [1], "next": "c1"}), answer({"items": [2]}))

    pagination = {"type": "cursor", "parameter": "after", "cursor_path": "$.next", "max_pages": 2}
    assert api.call(response_path="$.items", pagination=pagination) == [1, 2]


def test_pages_that_end_at_the_limit_of_bytes_are_marked() -> None:
    api = Api(answer(["x" * 700]))

    result = api.call(pagination={"type": "page"}, max_response_bytes=1_024)

    note = "The list of the API has more items: the next page would exceed max_response_bytes, 1408 bytes were read"
    assert result == {"items": ["x" * 700] * 2, "truncated": True, "note": note}


def test_numbered_pages_end_at_an_empty_one() -> None:
    api = Api(answer(["a"]), answer(["b"]), answer([]))

    assert api.call(pagination={"type": "page"}) == ["a", "b"]
    assert [sent.url.query for sent in api.requests] == [b"page=1", b"page=2", b"page=3"]


def test_pages_that_are_no_lists_are_a_configuration_error() -> None:
    assert Api(answer({"items": []})).error(pagination={"type": "page"}).type == "configuration"
