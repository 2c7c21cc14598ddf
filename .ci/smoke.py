"""Whether an installed wheel works: its core, its page and its service.

Runs with the Python that the wheel is installed for, with its extra `web`, outside of the sources:

    cd /tmp && python .../splitroute/.ci/smoke.py
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from importlib.metadata import files, version
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import splitroute as sr

LICENCES = {"LICENSE", "nanobind.txt", "robin_map.txt"}
STARTED = re.compile(r"listening on (http://\S+?);")
direct = build_opener(ProxyHandler({})).open  # not through a proxy of the environment


def main() -> None:
    check_files()
    check_search()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        check_service(Path(folder))
    print(f"splitroute {sr.__version__} works with Python {sys.version.split()[0]}")


def check_files() -> None:
    """The wheel has the page, types and all licences."""
    installed = [file for file in files("splitroute") or [] if "__pycache__" not in str(file)]
    names = {file.name for file in installed if ".dist-info" in str(file)}
    assert names >= LICENCES, f"no licences of {LICENCES - names}"
    paths = {file.as_posix() for file in installed}
    assert {"splitroute/py.typed", "splitroute/_core.pyi"} <= paths
    page = [path for path in paths if path.startswith("splitroute/web/page/")]
    [notices] = [file for file in installed if file.match("web/page/assets/licenses-*.txt")]
    assert len(page) > 3
    assert "\nsvelte " in notices.read_text(encoding="utf-8")


def check_search() -> None:
    """The compiled core solves a small instance, and the result is valid."""
    corners = [(0, 0), (0, 3), (4, 0), (0, -3), (-4, 0)]
    instance = sr.Instance.create(10, [6, 6, 4, 4], corners)
    result = sr.solve(instance, stop=sr.Stop(iterations=1000), seed=1)
    assert not sr.validate(instance, result.solution)
    assert result.cost == 24


def check_service(folder: Path) -> None:
    """`splitroute serve` serves the page with its scripts, and does a job."""
    command = [sys.executable, "-m", "splitroute", "serve", "--port", "0"]
    log = folder / "log"
    with log.open("wb") as output:
        service = subprocess.Popen(command, cwd=folder, stderr=output)
    try:
        url = wait(lambda: STARTED.search(log.read_text()), "the service does not start")[1]
        assert json.loads(get(url, "/health"))["version"] == version("splitroute")
        assets = re.findall(r'(?:src|href)="\.?(/assets/[^"]+)"', get(url, "/"))
        assert len(assets) >= 2, "the page is not in the wheel"
        assert all(get(url, asset) for asset in assets)
        body = {"instance": {"format": "coordlist", "text": "1 10\n6\n0 0\n3 4\n"}, "seconds": 0.2}
        job = json.loads(get(url, "/api/jobs", body))["id"]
        wait(lambda: json.loads(get(url, f"/api/jobs/{job}"))["status"] == "done", "no result")
    except BaseException:
        print(log.read_text(), file=sys.stderr)
        raise
    finally:
        service.terminate()
        service.wait(30)


def get(url: str, path: str, body: Any = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    with direct(Request(url + path, data, {"Content-Type": "application/json"}), timeout=30) as got:
        return str(got.read().decode())


def wait(condition: Any, message: str, seconds: float = 60) -> Any:
    for _ in range(int(10 * seconds)):
        if value := condition():
            return value
        time.sleep(0.1)
    raise AssertionError(message)


if __name__ == "__main__":
    main()
