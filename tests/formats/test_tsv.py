"""Tables with tabs: the same as CSV, whatever the dialect of the input."""

from pathlib import Path

import splitroute as sr
from conftest import routes

TABLE = "# capacity: 2,5\nid;x;y;demand;note\ndepot;0;0;;\na;1,5;2;1,5;Tür 3; links\n"


def test_both_ways(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TABLE.replace("; links", ""))
    instance = sr.read(tmp_path / "a.csv")
    sr.write(instance, tmp_path / "a.tsv")
    lines = (tmp_path / "a.tsv").read_text(encoding="utf-8").splitlines()
    assert "id\tx\ty\tdemand\tnote" in lines
    assert lines[-1] == "a\t1.5\t2\t1.5\tTür 3"
    assert sr.read(tmp_path / "a.tsv") == instance
    solution = routes([(1, 3)])
    sr.write(solution, tmp_path / "s.tsv", instance=instance)
    assert (tmp_path / "s.tsv").read_text().splitlines()[1].split("\t")[:3] == ["1", "1", "1"]
    assert sr.read_solution(tmp_path / "s.tsv", instance).solution == solution
