"""Real road servers on a small extract of OpenStreetMap; tests skip where they cannot be had.

The programs come from wheels on PyPI, which contain them as executables. They and the prepared maps
are kept in build/, so that only the first run downloads and prepares anything.
"""

import contextlib
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import splitroute as sr

ROOT = Path(__file__).parents[1]

MAP = ROOT.parent / "shared" / "roads" / "monaco.osm.pbf"
KEPT = ROOT / "build" / "road-servers"
START_SECONDS = 20


def monaco(count: int, seed: int = 1) -> sr.Instance:
    """Customers in the town, all of them near a road."""
    draw = random.Random(seed)
    places = [
        (round(draw.uniform(43.731, 43.742), 6), round(draw.uniform(7.415, 7.426), 6))
        for _ in range(count)
    ]
    demands = [draw.randint(5, 60) for _ in range(count)]
    lat, lon = zip((43.7384, 7.4246), *places, strict=True)
    return sr.Instance.create(100, demands, lat=lat, lon=lon, name="Monaco")


@contextlib.contextmanager
def osrm_server(port: int | None = None) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A running OSRM: what `roads` takes, and its process."""
    program = osrm_programs()
    data = _prepared("osrm-map", lambda folder: _prepare_osrm(program, folder))
    port = port or _free_port()
    arguments = ["-i", "127.0.0.1", "-p", str(port), "--algorithm", "mld", data / "monaco.osrm"]
    with _running([program / "bin" / "osrm-routed", *arguments], port) as process:
        yield f"osrm:http://127.0.0.1:{port}", process


def osrm_programs() -> Path:
    """Folder with OSRM's programs in bin/ and its profiles in share/."""
    return _programs("osrm-bindings") / "osrm"


@contextlib.contextmanager
def valhalla_server() -> Iterator[str]:
    """A running Valhalla: what `roads` takes."""
    programs = _programs("pyvalhalla") / "valhalla"
    data = _prepared("valhalla-map", lambda folder: _prepare_valhalla(programs, folder))
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        config = json.loads((data / "valhalla.json").read_text())
        for name in ("loki", "thor", "odin"):
            config[name]["service"]["proxy"] = f"ipc://{folder}/{name}"
        service = config["httpd"]["service"]
        service |= {
            "listen": f"tcp://127.0.0.1:{port}",
            "loopback": f"ipc://{folder}/loopback",
            "interrupt": f"ipc://{folder}/interrupt",
        }
        path = Path(folder) / "valhalla.json"
        path.write_text(json.dumps(config))
        with _running([programs / "bin" / "valhalla_service", path, "1"], port):
            yield f"valhalla:http://127.0.0.1:{port}"


def _prepare_osrm(program: Path, folder: Path) -> None:
    shutil.copy(MAP, folder)
    profile = program / "share" / "profiles" / "car.lua"
    _call(folder, program / "bin" / "osrm-extract", "-p", profile, "monaco.osm.pbf")
    for step in ("osrm-partition", "osrm-customize"):
        _call(folder, program / "bin" / step, "monaco.osrm")


def _prepare_valhalla(programs: Path, folder: Path) -> None:
    # The script needs nothing of its package, whose library is for another Python.
    script = programs / "valhalla_build_config.py"
    tiles = KEPT / "valhalla-map" / "tiles"  # where the folder will be
    config = subprocess.run(
        [sys.executable, script, "--mjolnir-tile-dir", tiles], capture_output=True, check=True
    )
    settings = json.loads(config.stdout)
    settings["mjolnir"].pop("tile_extract", None)
    draft = {**settings, "mjolnir": {**settings["mjolnir"], "tile_dir": str(folder / "tiles")}}
    (folder / "draft.json").write_text(json.dumps(draft))
    (folder / "valhalla.json").write_text(json.dumps(settings))
    (folder / "tiles").mkdir()
    _call(folder, programs / "bin" / "valhalla_build_tiles", "-c", "draft.json", MAP)


def _programs(package: str) -> Path:
    """Folder with the unpacked wheel of a package."""
    if not MAP.exists():
        pytest.skip(f"the map {MAP.name} is absent; it belongs into ../shared/roads")
    if sys.platform != "linux":
        pytest.skip("the programs are for Linux")
    return _prepared(package, lambda folder: _download(package, folder))


def _download(package: str, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as wheels:
        # The wheels are for Python 3.12; their programs need no Python at all.
        options = ["--no-deps", "--only-binary=:all:", "--python-version", "3.12"]
        options += ["--implementation", "cp", "--abi", "abi3", "--dest", wheels]
        command = [sys.executable, "-m", "pip", "download", "--quiet", *options, package]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"{package} cannot be downloaded: {done.stderr.strip()[-200:]}")
        (wheel,) = Path(wheels).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    for program in folder.glob("*/bin/*"):
        program.chmod(0o755)


def _prepared(name: str, prepare: Callable[[Path], None]) -> Path:
    """A folder that is prepared once, even if several test processes need it."""
    target = KEPT / name
    if not target.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=KEPT))
        try:
            prepare(draft)
            with contextlib.suppress(OSError):  # another process was faster
                draft.rename(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return target


def _call(folder: Path, *command: object) -> None:
    subprocess.run([str(word) for word in command], cwd=folder, check=True, capture_output=True)


@contextlib.contextmanager
def _running(command: Sequence[object], port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server on a port of this machine."""
    words = [str(word) for word in command]
    environment = {**os.environ, "LC_ALL": "C"}
    silent = subprocess.DEVNULL
    with subprocess.Popen(words, env=environment, stdout=silent, stderr=silent) as process:
        try:
            _wait_for(port, process)
            yield process
        finally:
            process.kill()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    pytest.fail(f"{process.args!r} did not start")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
