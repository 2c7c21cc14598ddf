"""Every mistake in a solution file is one error that says where and what."""

from pathlib import Path

import pytest

import splitroute as sr
from splitroute.formats import read_solution
from splitroute.generate import set1

SOLUTIONS = [
    ("it.json", "{", "not valid JSON"),
    ("it.json", '{"routes": 5}', "it.json: routes"),
    (
        "it.json",
        '{"routes": [{"visits": [{"customer": 9, "quantity": 1}]}]}',
        "route 1 visits customer 9; customers are 1 to 8",
    ),
    (
        "it.json",
        '{"routes": [{"visits": [{"customer": 1, "quantity": 0.5}]}]}',
        "quantity of customer 1 is 0.5; it must be",
    ),
    ("it.txt", "Route 1: 0 - 99 ( 5 ) - 0\n", "route 1 visits customer 99; customers are 1 to 8"),
    ("it.txt", "Route 1: 0 - 3 ( many ) - 0\n", "it.txt:1: quantity is many; it must be a number"),
    ("it.txt", "Rout 1: 0 - 3 ( 5 ) - 0\n", "it.txt:1: found 'Rout 1"),
    ("it.sol", "Route #1: 1 2\nRoute #2: 2\n", "it.sol:2: customer is 2; visited twice"),
    ("it.sol", "Route #1: 1 99\n", "it.sol:1: customer is 99; customers are 1 to 8"),
    ("it.sol", "Route #1: one\n", "it.sol:1: customer is one; customers are 1 to 8"),
    ("it.sol", "nothing\n", "no routes"),
    (
        "it.xyz",
        "Route #1: 1\n",
        "unknown solution file extension '.xyz'; known: .csv, .geojson, .json, .sol",
    ),
]


@pytest.mark.parametrize(("name", "text", "message"), SOLUTIONS)
def test_bad_solutions(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(sr.InputError, match=message):
        read_solution(tmp_path / name, set1(1))
