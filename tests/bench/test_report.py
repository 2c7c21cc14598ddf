import re
from collections.abc import Callable
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from made_records import record
from splitroute.bench.fetch import fetch, known_files
from splitroute.bench.figures import profile
from splitroute.bench.records import Journal, read_records
from splitroute.bench.references import BestKnown
from splitroute.bench.results import Runs
from splitroute.errors import SplitRouteError

METHODS = "native,none+native,pasa:L=1+rtr,pasa:L=3+rtr"


@pytest.fixture
def records(run: Callable[..., Any], tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    words = ("--methods", METHODS, "--iterations", 200, "--seeds", "1-2", "--jobs", 2)
    done = run("bench", "run", "--instances", "SD1", "SD2", "SD6", *words, "--records", path)
    assert done.exit_code == 0, done.stderr
    return path


class Page(HTMLParser):
    """Counts open elements and remembers addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.seen: list[str] = []
        self.alternatives: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag == "svg":
            self.alternatives.append(dict(attrs).get("aria-label") or "")
        self.addresses += [v or "" for k, v in attrs if k in ("src", "href", "xlink:href")]


def test_the_report_is_one_page_with_everything(
    run: Callable[..., Any], records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    assert run("bench", "report", "--records", records, "--out", out).exit_code == 0
    text = out.read_text()
    page = Page()
    page.feed(text)
    assert page.seen.count("table") == 2
    assert page.seen.count("svg") >= 3 + 5  # routes of three instances, and figures
    assert all(page.alternatives), "every picture says what it shows"
    assert re.search(r"SD1: \S+, cost 2\d\d\.\d\d; \d+ routes", " ".join(page.alternatives))
    assert all(a.startswith("#") for a in page.addresses), "nothing is loaded from elsewhere"
    assert not re.search(r"url\((?!#)", text)
    assert "comes nearest to the best known values" in text
    for title in ("best known over time", "Performance profile", "splitting saves", "rings L"):
        assert title in text
    assert "prefers-color-scheme: dark" in text
    assert text.count('<div class="scroll"') == 2, "each table scrolls by itself"
    assert "--columns: 5" in text, "for the size of its letters on paper"


def test_figures_are_saved_one_by_one(
    run: Callable[..., Any], records: Path, tmp_path: Path
) -> None:
    done = run("bench", "plot", "--records", records, "--out", tmp_path / "figures")
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {
        f"exact-{n}.svg" for n in ("gaps", "progress", "profile", "sensitivity", "saving")
    } <= names
    assert len(done.stdout.splitlines()) == len(names)


def test_figures_without_data_say_what_they_need(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Journal(path) as journal:
        journal.append(record("x", "m", 10.0, set="mine"))
    done = run("bench", "plot", "--records", path, "--out", tmp_path / "figures")
    assert "not drawn: Performance profile: needs two methods" in done.stderr


def test_names_from_records_are_not_markup(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Journal(path) as journal:
        journal.append(record("<script>alert(1)</script>", "<b>m</b>", 10.0, set="<i>"))
    assert run("bench", "report", "--records", path, "--out", tmp_path / "r.html").exit_code == 0
    text = (tmp_path / "r.html").read_text()
    assert "<script>" not in text
    assert "<b>m</b>" not in text


def test_no_records_no_report(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").touch()
    done = run("bench", "report", "--records", tmp_path / "r.jsonl", "--out", tmp_path / "r.html")
    assert done.exit_code == 2
    assert "no records" in done.stderr
    assert not (tmp_path / "r.html").exists()


def test_the_best_of_the_records_is_kept_and_checked(
    run: Callable[..., Any], records: Path, tmp_path: Path
) -> None:
    folder, table = tmp_path / "best", tmp_path / "best_known.csv"
    names = ",".join(field.name for field in fields(BestKnown))
    table.write_text(f"{names}\nSET-1,SD1,exact,unlimited,no,230,somebody,2020,no,228.28,\n")
    done = run("bench", "records", folder, "--table", table, "--from", records)
    assert done.exit_code == 0, done.stderr
    assert "3 solutions, 0 not valid" in done.stdout
    assert "SET-1,SD1,exact,unlimited,no,228.2843,splitroute," in table.read_text()
    again = run("bench", "records", folder, "--table", table, "--from", records)
    assert "kept" not in again.stdout
    assert "before" not in again.stdout
    path = folder / "exact" / "SD1.txt"
    path.write_text(path.read_text().replace("( 60 )", "( 61 )", 1))
    wrong = run("bench", "records", folder, "--table", table)
    assert wrong.exit_code == 1
    assert "1 not valid" in wrong.stdout


def test_fetch_takes_only_what_it_should(tmp_path: Path, file_server: Callable[..., str]) -> None:
    source = tmp_path / "there"
    (source / "SET-1").mkdir(parents=True)
    for name in known_files():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text("not what it should be")
    address = file_server(source)
    with pytest.raises(SplitRouteError, match="its checksum differs"):
        fetch(tmp_path / "here", address)
    assert not list((tmp_path / "here").glob("*/*"))
    with pytest.raises(SplitRouteError, match="could not be fetched"):
        fetch(tmp_path / "here", address + "/nowhere")
    with pytest.raises(SplitRouteError, match="starts with http"):
        fetch(tmp_path / "here", "file:///etc")


def test_fetch_completes_a_folder(
    tmp_path: Path, file_server: Callable[..., str], benchmark_file: Callable[[str], Path]
) -> None:
    source = benchmark_file("SET-1/SD1.txt").parents[1]
    address = file_server(source)
    here = tmp_path / "here"
    assert fetch(here, address) == 95
    assert fetch(here, address) == 0
    (here / "SET-1" / "SD1.txt").write_text("broken")
    assert fetch(here, address) == 1
    assert (here / "SET-1" / "SD1.txt").read_bytes() == (source / "SET-1" / "SD1.txt").read_bytes()


@pytest.fixture
def file_server() -> Any:
    import threading
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    servers = []

    def serve(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_records_are_read_back(records: Path) -> None:
    assert len(list(read_records([records]))) == 3 * 4 * 2


def test_every_method_of_a_profile_can_be_told_from_the_others() -> None:
    methods = [f"m{k}" for k in range(17)]
    runs = Runs("exact", [record("SD1", method, 230.0) for method in methods])
    figure = profile.draw(runs)
    assert figure is not None
    lines = figure.axes[0].get_lines()
    assert len({(str(line.get_color()), str(line.get_marker())) for line in lines}) == 17
    widths = [line.get_linewidth() for line in lines]
    assert widths == sorted(widths, reverse=True), "what is below shows beside what is above"
