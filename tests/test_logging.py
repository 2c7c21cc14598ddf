"""Everything is logged under one name, and nothing is shown unless the user asks for it."""

import logging
import subprocess
import sys

import pytest

import splitroute as sr


def test_a_run_logs_its_start_its_improvements_and_its_end(
    square: sr.Instance, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "splitroute")
    result = sr.solve(square, stop=sr.Stop(iterations=100), seed=7)
    first, *improvements, last = caplog.records
    assert {record.name for record in caplog.records} == {"splitroute"}
    assert (first.levelname, last.levelname) == ("INFO", "INFO")
    assert "'square': 4 customers, rule free, engine native, seed 7" in first.getMessage()
    assert f"cost {result.cost:.10g}, {len(result.solution.routes)} routes" in last.getMessage()
    assert [record.levelname for record in improvements] == ["DEBUG"] * len(result.trace)


SOLVE = """
import logging, splitroute as sr
sr.solve(sr.Instance.create(5, [3], [(0, 0), (1, 1)]), stop=sr.Stop(iterations=5))
logging.getLogger("splitroute.bounds").warning("a warning")
"""
COMMAND = """
from splitroute import cli
cli.app = lambda: cli.logging.getLogger("splitroute.bounds").warning("a warning")
cli.main()
"""


@pytest.mark.parametrize(("code", "shown"), [(SOLVE, ""), (COMMAND, "a warning\n")])
def test_only_the_command_line_shows_warnings(code: str, shown: str) -> None:
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (out.stdout, out.stderr) == ("", shown)
