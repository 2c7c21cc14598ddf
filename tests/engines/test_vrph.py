"""The adapter of VRPH with a stand-in for its program, and with the real one if installed."""

import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

import splitroute as sr
from splitroute.engines.vrph import CAPABILITIES, run, tsplib
from splitroute.generate import set1
from splitroute.testing import check_engine

STAND_IN = r"""
import re, sys, time
words = [word for word in sys.argv[1:] if word != "-v"]
options = dict(zip(words[::2], words[1::2]))
text = open(options["-f"]).read()
assert text.endswith("EOF\n") and max(map(len, text.splitlines())) < 100
n = int(re.search(r"DIMENSION: (\d+)", text)[1]) - 1
print("CW solution 0[L=0.6000]: 4321.5000", flush=True)

def write(*visits):
    # As vrp_rtr does: one line, five empty ones, and the objective value.
    with open(options["-out"], "w") as out:
        print(n, *visits, 0, end=" " + 6 * "\n", file=out)
        print("OBJ=", "40.000", "BEST_KNOWN=", "1073741824.000", sep="\n", file=out)
"""
SINGLE_CUSTOMER_ROUTES = "write(*range(-1, -n - 1, -1))"


def program(folder: Path, code: str) -> str:
    """Create an executable that reads VRPH's options and instance, then runs some code."""
    path = folder / "vrp_rtr"
    path.write_text(f"#!{sys.executable}\n{STAND_IN}\n{code}\n")
    path.chmod(0o755)
    return str(path)


def solve(instance: sr.Instance, program: str, seconds: float = 20) -> sr.Result:
    return sr.solve(instance, engine="vrph", program=program, stop=sr.Stop(seconds=seconds))


def test_contract(tmp_path: Path) -> None:
    check_engine(
        partial(run, program=program(tmp_path, SINGLE_CUSTOMER_ROUTES)), CAPABILITIES, seconds=20
    )


def test_the_solution_is_parsed_merged_and_validated(tmp_path: Path) -> None:
    instance = set1(3)
    result = solve(instance, program(tmp_path, SINGLE_CUSTOMER_ROUTES))
    assert result.solution.num_visits == result.pieces
    assert sr.validate(instance, result.solution) == []


def test_routes_begin_with_negative_numbers(tmp_path: Path) -> None:
    instance = sr.Instance.create(100, [60, 40, 90], [(0, 0), (1, 0), (2, 0), (3, 0)])
    result = sr.solve(
        instance, rule="none", engine="vrph", program=program(tmp_path, "write(-2, 1, -3)")
    )
    assert [[v.customer for v in r.visits] for r in result.solution.routes] == [[2, 1], [3]]


def test_the_program_is_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, SINGLE_CUSTOMER_ROUTES)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert sr.solve(set1(1), engine="vrph").engine == "vrph"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("sys.exit(255)", "crashed: exit code 255"),
        ("pass", "crashed"),
        ("time.sleep(60)", "was stopped after .* it has no solution before it terminates"),
        ('write("what?")', "unreadable"),
        ('open(options["-out"], "wb").write(b"6 -1 \\xff")', "unreadable"),
        ("write(-99)", "unknown customers"),
        ("write(-1, 2)", "invalid solution"),
        ('open(options["-out"], "w").write("6 -1 2")', "incomplete"),
        ('open(options["-out"], "w")', "incomplete"),
    ],
)
def test_a_failure_is_one_error(code: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(sr.EngineError, match=message):
        solve(set1(1), program(tmp_path, code), seconds=1)


def test_progress_is_parsed_from_its_output(tmp_path: Path) -> None:
    costs: list[float] = []
    sr.solve(
        set1(1),
        engine="vrph",
        program=program(tmp_path, "time.sleep(0.5)\n" + SINGLE_CUSTOMER_ROUTES),
        listener=lambda progress: costs.append(progress.cost),
    )
    assert 4321.5 in costs


def test_a_stop_request_gives_a_solution(tmp_path: Path) -> None:
    result = sr.solve(
        set1(1),
        engine="vrph",
        program=program(tmp_path, "time.sleep(60)"),
        stop=sr.Stop(seconds=20),
        listener=lambda progress: True,
    )
    assert sr.validate(result.instance, result.solution) == []


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    (path := tmp_path / "vrp_rtr").write_text("no program")
    path.chmod(0o755)
    with pytest.raises(sr.EngineError, match=r"cannot run .*vrp_rtr: Exec format error") as caught:
        solve(set1(1), str(path))
    assert caught.value.field == "program"


@pytest.mark.parametrize("limit", [{"iterations": 9}, {"stall": 9}, {"target": 9.0}])
def test_only_seconds_limit_it(limit: dict[str, float], tmp_path: Path) -> None:
    stop = sr.Stop(seconds=20, **limit)  # type: ignore[arg-type]
    found = program(tmp_path, SINGLE_CUSTOMER_ROUTES)
    with pytest.raises(sr.InputError, match="limited by seconds alone"):
        sr.solve(set1(1), engine="vrph", program=found, stop=stop)


def test_a_missing_program_is_refused() -> None:
    with pytest.raises(sr.EngineError, match="'no-such-program' of VRPH is not installed"):
        solve(set1(1), "no-such-program")


def test_rounded_distances_are_written_as_a_matrix() -> None:
    instance = sr.Instance.create(5, [3], [(0, 0), (1, 1)], metric="dimacs")
    assert "EDGE_WEIGHT_SECTION\n0\n1\n0\nDEMAND" in tsplib(sr.split(instance, "none").to_cvrp())


def test_an_asymmetric_matrix_is_refused(tmp_path: Path) -> None:
    one_way = sr.Instance.create(5, [3], matrix=[[0, 1], [2, 0]])
    with pytest.raises(sr.InputError, match="symmetric"):
        solve(one_way, program(tmp_path, SINGLE_CUSTOMER_ROUTES))


@pytest.mark.skipif(shutil.which("vrp_rtr") is None, reason="VRPH's vrp_rtr is not on the PATH")
def test_the_real_program() -> None:
    instance = set1(6, rounded=False)
    result = sr.solve(instance, engine="vrph", stop=sr.Stop(seconds=120))
    assert result.cost < 900
