import pytest

import splitroute as sr
from splitroute.errors import InputError
from splitroute.formats import csv


def test_a_sheet_that_names_another_customer_is_refused(square: sr.Instance) -> None:
    solution = sr.solve(square, stop=sr.Stop(iterations=10)).solution
    text = csv.dump_solution(square, solution)
    assert csv.parse_solution(text, square, "stops.csv").solution == solution
    lines = text.splitlines()
    cells = lines[1].split(",")
    cells[3] = "nobody"
    wrong = "\n".join([lines[0], ",".join(cells), *lines[2:]])
    with pytest.raises(InputError, match=r"stops.csv:2: customer \d is '\d', but the id is"):
        csv.parse_solution(wrong, square, "stops.csv")


def test_the_order_of_the_stops_counts_not_that_of_the_rows(square: sr.Instance) -> None:
    solution = sr.solve(square, stop=sr.Stop(iterations=10)).solution
    head, *rows = csv.dump_solution(square, solution).splitlines()
    shuffled = "\n".join([head, *sorted(rows, key=lambda row: (row.split(",")[0], -len(row), row))])
    turned = "\n".join([head, *rows[::-1]])
    for text in (shuffled, turned):
        read = csv.parse_solution(text, square, "stops.csv").solution
        assert set(read.routes) == set(solution.routes)
    wrong = rows[0].replace("1,1,", "1,first,", 1)
    with pytest.raises(InputError, match=r"stops.csv:2: the stop is"):
        csv.parse_solution("\n".join([head, wrong]), square, "stops.csv")
