"""Parsing of requests: what is refused before anything is parsed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from splitroute import formats
from splitroute.web import parsing
from splitroute.web.limits import Limits
from splitroute.web.models import JobRequest


def make_text(format: str, count: int) -> str:
    if format == "csv":
        rows = "".join(f"{k},{k},{k},1\n" for k in range(count))
        return f"# capacity: 9\nid,x,y,demand\ndepot,0,0,0\n{rows}"
    if format == "json":
        return '{"capacity": 9, "customers": [' + '{"x": 1, "y": 1, "demand": 1},' * count + "]}"
    if format == "vrplib":
        return f"NAME : x\nCOMMENT : DIMENSION: 3\nDIMENSION : {count + 1}\nCAPACITY : 9\n"
    return f"\n {count} 9\n" + "1 " * count


@pytest.mark.parametrize("format", ["csv", "json", "vrplib", "coordlist"])
def test_too_many_customers_are_refused_before_anything_is_parsed(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(job: JobRequest) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(parsing, "build_instance", fail)

    def parse(count: int) -> Any:
        job = {"instance": {"format": format, "text": make_text(format, count)}}
        request = json.dumps(job).encode()
        return parsing.call(parsing.parse_job, request, Limits(100, 60.0))

    refused = parse(101)
    assert refused.detail == "101 customers; at most 100 are allowed"
    assert (refused.field, refused.code) == ("instance", "too_large")
    assert isinstance(parse(100), parsing.Bug), "it was parsed"


@pytest.mark.parametrize(
    "text",
    [
        "id,x,y,demand,note\ndepot,0,0,0,\na,1,1,1,\"three\nlines\nhere\"\n",
        "id;x;y;demand;note\ndepot;0;0;0;\na;1;1;1;\"three\n\nlines\"\n",
        "# capacity: 3\n\nid\tx\ty\tdemand\ndepot\t0\t0\t0\na\t1\t1\t1\n" + "\t\t\t\n" * 50,
        "id,x,y,demand\ndepot,0,0,0\na,1,1,1\n" + ",,,\n" * 50,
        "sep=;\nid;x;y;demand\ndepot;0;0;0\na;1;1;1\n",
        'sep=;\n"# capacity: 3";;;\nid;x,y;y;demand\ndepot;0;0;0\na;1,5;1;1\n',
    ],
)  # fmt: skip
def test_only_customers_of_a_table_are_counted(text: str) -> None:
    assert formats.min_customers(text, "csv") == 1
