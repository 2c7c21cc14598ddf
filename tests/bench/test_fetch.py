import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from splitroute.bench.fetch import checksums, fetch
from splitroute.errors import SplitRouteError


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def file_server() -> Iterator[Callable[[Path], str]]:
    """Serves a folder over HTTP and returns its URL."""
    servers = []

    def serve(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_wrong_files_are_refused(tmp_path: Path, file_server: Callable[[Path], str]) -> None:
    remote, local = tmp_path / "remote", tmp_path / "local"
    for name in checksums():
        (remote / name).parent.mkdir(parents=True, exist_ok=True)
        (remote / name).write_text("another file")
    url = file_server(remote)
    with pytest.raises(SplitRouteError, match="checksum mismatch"):
        fetch(local, url)
    assert not list(local.glob("*/*"))
    with pytest.raises(SplitRouteError, match="download failed"):
        fetch(local, url + "/nowhere")
    with pytest.raises(SplitRouteError, match="must start with http"):
        fetch(local, "file:///etc")


def test_missing_and_damaged_files_are_downloaded(
    tmp_path: Path,
    file_server: Callable[[Path], str],
    benchmark_file: Callable[[str], Path],
) -> None:
    remote = benchmark_file("SET-1/SD1.txt").parents[1]
    url = file_server(remote)
    local = tmp_path / "local"
    assert fetch(local, url) == 95
    assert fetch(local, url) == 0
    (local / "SET-1" / "SD1.txt").write_text("damaged")
    assert fetch(local, url) == 1
    assert (local / "SET-1" / "SD1.txt").read_bytes() == (remote / "SET-1" / "SD1.txt").read_bytes()
