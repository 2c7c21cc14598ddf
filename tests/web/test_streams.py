"""Limits on open event streams."""

import pytest

from splitroute.web.errors import RequestError
from splitroute.web.streams import Streams


@pytest.mark.parametrize(
    ("client", "detail"),
    [
        ("a", "you have 2 event streams open; close some"),
        ("b", "3 event streams are open; try again later"),
    ],
)
def test_too_many_streams_are_refused(client: str, detail: str) -> None:
    streams = Streams(max_streams=3, max_per_client=2)
    with streams.open("a"), streams.open("a"), streams.open("c"):
        assert streams.count == 3
        with pytest.raises(RequestError, match=detail) as caught, streams.open(client):
            pass
        assert (caught.value.status_code, caught.value.problem.code) == (429, "too_many_streams")
        assert caught.value.headers == {"Retry-After": "10"}
    assert streams.count == 0
