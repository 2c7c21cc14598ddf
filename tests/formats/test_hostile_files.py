"""Memory and time of parsing are bounded by the size of the input."""

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.files import Dialect
from splitroute.formats import parse, read_solution
from splitroute.generate import set1

END = "NODE_COORD_SECTION\n1 0 0\n2 1 1\nDEMAND_SECTION\n1 0\n2 5\nDEPOT_SECTION\n1\n-1\nEOF\n"
MEGABYTE = 2**20
MANY = 200_000
SOME = 20_000  # tracing memory makes parsing slow

FALSE_COUNTS = {
    "DIMENSION": ("it.vrp", f"DIMENSION: 1000000000000\nCAPACITY: 9\n{END}"),
    "DIMENSION of a table": (
        "it.vrp",
        f"DIMENSION: 999999999\nEDGE_WEIGHT_TYPE: CEIL_2D\nCAPACITY: 9\n{END}",
    ),
    "DIMENSION of a matrix": (
        "it.vrp",
        "DIMENSION: 999999999\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
        "CAPACITY: 9\nEDGE_WEIGHT_SECTION\n1 2 3\n" + END,
    ),
    "count of a coordinate list": ("it.txt", "999999999 5\n1 2 3\n"),
    "digits of DIMENSION": ("it.vrp", f"DIMENSION: {'9' * 10_000}\nCAPACITY: 9\n{END}"),
    "digits of VEHICLES": ("it.vrp", f"DIMENSION: 2\nVEHICLES: {'9' * 999}\nCAPACITY: 9\n{END}"),
    "digits of a demand": ("it.csv", f"# capacity: 9\nid,x,y,demand\na,0,0,{'9' * 10_000}\n"),
    "digits of a JSON number": ("it.json", f'{{"capacity": {"9" * 10_000}, "customers": []}}'),
    "vehicles of a JSON": (
        "it.json",
        f'{{"capacity": 1, "vehicles": {"9" * 4000}, "customers": [], "depot": {{"x":0,"y":0}}}}',
    ),
}


@pytest.mark.parametrize("what", FALSE_COUNTS)
def test_a_false_count_allocates_nothing(what: str) -> None:
    name, text = FALSE_COUNTS[what]
    _rejected_within(text, name, MEGABYTE)


# Each as short as possible for the work that it causes.
LONG = {
    "wrong rows of a table": (
        "it.csv",
        "# capacity: 1\nid,x,y,demand\n" + ",,,\na,b,c,d\n" * SOME,
    ),
    "repeated settings": ("it.csv", "# capacity: 1\n" * SOME + "id,x,y,demand\n"),
    "separators": ("it.csv", "id,x,y,demand\n" + "," * SOME + "a"),
    "many sections": (
        "it.vrp",
        "DIMENSION: 2\n" + "".join(f"A{k}_SECTION\n" for k in range(SOME)),
    ),
    "a long row": ("it.vrp", "DIMENSION: 9999\nCAPACITY: 1\nEDGE_WEIGHT_SECTION\n" + "1 " * SOME),
    "nested lists": ("it.json", "[" * SOME),
}


@pytest.mark.filterwarnings("ignore:.*repeats line")
@pytest.mark.parametrize("what", LONG)
def test_memory_is_bounded_by_the_size_of_the_input(what: str) -> None:
    name, text = LONG[what]
    _rejected_within(text, name, 80 * len(text) + MEGABYTE)


def _rejected_within(text: str, name: str, limit: int) -> None:
    with pytest.raises(sr.SplitRouteError):
        parse("{", "it.json")  # imports what is imported late
    tracemalloc.start()
    try:
        with pytest.raises((sr.InputError, sr.LimitError)) as caught:
            parse(text, name)
        assert tracemalloc.get_traced_memory()[1] < limit
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 10_000


@pytest.mark.parametrize("suffix", [".txt", ".vrp", ".json", ".csv"])
def test_a_hundred_megabytes_of_garbage(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"garbage{suffix}"
    with path.open("wb") as out:
        out.truncate(100 * 2**20)
    _rejected_file_within(path, sr.LimitError, MEGABYTE)


@pytest.mark.parametrize("suffix", [".txt", ".vrp", ".json", ".csv"])
@pytest.mark.parametrize("content", [os.urandom(1000), b"7 words of text, ", b"1 2\n"])
def test_garbage_of_the_maximum_size(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"garbage{suffix}"
    path.write_bytes(content * (60 * 2**20 // len(content)))
    began = time.process_time()
    _rejected_file_within(path, sr.InputError, 400 * MEGABYTE)
    assert time.process_time() - began < 20  # generous: hours would be the failure


def _rejected_file_within(path: Path, error: type[Exception], limit: int) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(error):
            sr.read(path)
        assert tracemalloc.get_traced_memory()[1] < limit
    finally:
        tracemalloc.stop()


# Pydantic keeps errors outside of Python's memory at first, so a separate process is measured.
GROWTH = """
import resource, sys
from splitroute import InputError
from splitroute.formats import parse
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
text = sys.argv[1] % (sys.argv[2] * 1_000_000)
try:
    parse("{}", "it.json")
except InputError:
    before = peak()
try:
    parse(text, "it.json")
except InputError as error:
    print(peak() - before, len(str(error)))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is counted otherwise")
@pytest.mark.parametrize(
    ("text", "item"),
    [
        ('{"capacity": 1, "customers": [%s1]}', "1,"),
        ('{"capacity": 1, "customers": [], "matrix": [%s1]}', "1,"),
        ('{"capacity": 1, "customers": [], "matrix": [[%s1]]}', '"",'),
    ],
)
def test_millions_of_json_errors_take_little_memory(text: str, item: str) -> None:
    arguments = [sys.executable, "-c", GROWTH, text, item]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    megabytes, length = map(int, done.stdout.split())
    assert megabytes < 40 * len(item)
    assert length < 10_000


@pytest.mark.parametrize("name", ["it.txt", "it.sol", "it.csv"])
@pytest.mark.parametrize("text", ["Route" + " " * MANY, "Cost" + " " * MANY + "x", "9" * MANY])
def test_blanks_and_digits_take_no_quadratic_time(name: str, text: str, tmp_path: Path) -> None:
    (path := tmp_path / name).write_text(text)
    with pytest.raises(sr.InputError):  # after hours, if each blank is looked at again and again
        read_solution(path, set1(1))


HUGE = "1e9999999"
INSTANCES = {
    "it.csv": "# capacity: {capacity}\n# unit: {unit}\nid,x,y,demand\ndepot,0,0,\n"
    "a,{x},1,{demand}\n",
    "it.json": '{{"capacity":{capacity},"unit":{unit},"depot":{{"x":0,"y":0}},'
    '"customers":[{{"x":{x},"y":1,"demand":{demand}}}]}}',
    "it.txt": "1 {capacity}\n{demand}\n0 0\n{x} 1\n",
    "it.vrp": "DIMENSION: 2\nCAPACITY: {capacity}\nNODE_COORD_SECTION\n1 0 0\n2 {x} 1\n"
    "DEMAND_SECTION\n1 0\n2 {demand}\nDEPOT_SECTION\n1\n-1\nEOF\n",
}


FIELDS = [
    (name, field)
    for name, text in INSTANCES.items()
    for field in ("capacity", "demand", "unit", "x")
    if f"{{{field}}}" in text
]


def with_number(name: str, field: str, number: str) -> str:
    values = {"capacity": "9", "demand": "5", "unit": "1", "x": "1", field: number}
    return INSTANCES[name].format(**values)


@pytest.mark.parametrize("number", [HUGE, "1e400", "1.000e9999999", "-1e9999999"])
@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_absurd_numbers_are_rejected(name: str, field: str, number: str) -> None:
    with pytest.raises(sr.InputError):
        parse(with_number(name, field, number), name)


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_absurdly_small_numbers_are_rejected_or_0(name: str, field: str) -> None:
    text = with_number(name, field, "1e-9999999")
    if field == "x" or (name, field) == ("it.json", "demand"):
        parse(text, name)  # it is 0 to a float, and in JSON all numbers are floats
    else:
        with pytest.raises(sr.InputError):
            parse(text, name)


@pytest.mark.parametrize(
    ("option", "number"),
    [
        *((option, n) for option in ("--capacity", "--unit") for n in (HUGE, "1e-9999999", "nan")),
        *(("--scale", n) for n in (HUGE, "1e-9999999", "nan")),
        *(("--depot", f"{n},{n}") for n in (HUGE, "nan", "1e400")),
    ],
)
def test_absurd_options_are_rejected(
    option: str, number: str, tmp_path: Path, run: Callable[..., Any]
) -> None:
    (path := tmp_path / "it.csv").write_text(with_number("it.csv", "x", "1"))
    done = run("solve", path, option, number)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: ")


@pytest.mark.parametrize("field", ["windows", "service", "penalty", "x"])
def test_integers_that_are_no_floats_are_rejected(field: str) -> None:
    value = f"[[0, {10**400}]]" if field == "windows" else str(10**400)
    text = with_number("it.json", "demand", f'5, "{field}": {value}')
    with pytest.raises(sr.InputError, match=rf"customers\[0\].{field}.*: expected a"):
        parse(text, "it.json")


@pytest.mark.parametrize("unit", [HUGE, "1e-9999999", "x", "0", "nan"])
def test_absurd_units_are_rejected(unit: str) -> None:
    with pytest.raises(sr.InputError, match="unit is"):
        sr.Instance.create(9, [1], [(0, 0), (1, 1)], unit=unit)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("it.sol", f"Route #1: 1\nCost {HUGE}\n"),
        ("it.sol", f"Route #1: {'9' * 9999}\n"),
        ("it.txt", f"Route 1: 0 - 1 ( {HUGE} ) - 0\n"),
        ("it.txt", f"Route 1: 0 - {'9' * 9999} ( 1 ) - 0\n"),
        ("it.csv", f"route,number,quantity\n1,1,{HUGE}\n"),
        ("it.csv", f"route,number,quantity\n1,{'9' * 9999},1\n"),
        ("it.json", f'{{"routes": [{{"visits": [{{"customer": 1, "quantity": {HUGE}}}]}}]}}'),
        ("it.json", f'{{"routes": [], "cost": {HUGE}}}'),
    ],
)
def test_absurd_numbers_in_solutions_are_rejected(name: str, text: str, tmp_path: Path) -> None:
    (path := tmp_path / name).write_text(text)
    with pytest.raises(sr.InputError):
        read_solution(path, set1(1))


def test_a_matrix_is_not_copied_with_its_instance() -> None:
    instance = sr.Instance.create(9, [1], matrix=[[0, 1], [2, 0]])
    assert sr.Instance.create(9, [1], matrix=instance.matrix).matrix is instance.matrix
    given = instance.table.copy()
    other = sr.Instance.create(9, [1], matrix=given, dialect=Dialect())
    given[0, 1] = 7
    assert other.table[0, 1] == 1
