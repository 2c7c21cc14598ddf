"""Tables of visits."""

import pytest

import splitroute as sr
from splitroute.errors import InputError
from splitroute.formats import csv


def test_an_id_that_contradicts_the_number_is_rejected(square: sr.Instance) -> None:
    solution = sr.solve(square, stop=sr.Stop(iterations=10)).solution
    text = csv.dump_solution(square, solution)
    assert csv.parse_solution(text, square, "visits.csv").solution == solution
    lines = text.splitlines()
    cells = lines[1].split(",")
    cells[3] = "nobody"
    wrong = "\n".join([lines[0], ",".join(cells), *lines[2:]])
    with pytest.raises(
        InputError, match=r"visits.csv:2: id is 'nobody'; customer \d has the id '\d'"
    ):
        csv.parse_solution(wrong, square, "visits.csv")


def test_visits_are_ordered_by_number_not_by_row(square: sr.Instance) -> None:
    solution = sr.solve(square, stop=sr.Stop(iterations=10)).solution
    head, *rows = csv.dump_solution(square, solution).splitlines()
    shuffled = "\n".join([head, *sorted(rows, key=lambda row: (row.split(",")[0], -len(row), row))])
    reversed_ = "\n".join([head, *rows[::-1]])
    for text in (shuffled, reversed_):
        read = csv.parse_solution(text, square, "visits.csv").solution
        assert set(read.routes) == set(solution.routes)
    wrong = rows[0].replace("1,1,", "1,first,", 1)
    with pytest.raises(
        InputError, match=r"visits.csv:2: visit is first; it must be a whole number"
    ):
        csv.parse_solution("\n".join([head, wrong]), square, "visits.csv")
