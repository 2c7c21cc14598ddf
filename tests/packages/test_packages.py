"""The packages work for somebody who has nothing but Python; see `make packages`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import splitroute as sr
from conftest import ROOT
from environments import Environment, call, create
from splitroute import testing
from splitroute.engines import Capabilities
from tour import follow_the_tour

DIST = ROOT / "dist"
TAGS = {"3.11": "cp311-cp311", "3.12": "cp312-abi3"}  # of the wheels that a version builds
VERSIONS = ("3.11", "3.12", "3.13")
CONSUMER = Path(__file__).with_name("consumer.py")
TOOLS = Path(sys.executable).parent
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja", "make")
MAX_PACKAGES = 20  # that `pip install splitroute` installs


@pytest.fixture(scope="session")
def sdist() -> Path:
    found = list(DIST.glob("splitroute-*.tar.gz"))
    if len(found) != 1:
        pytest.skip("there is no sdist; run: make packages")
    return found[0]


@pytest.fixture(scope="session")
def wheels(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel that each version of Python builds from the sdist, unless it has been built."""
    built = {}
    for version, tag in TAGS.items():
        pattern = f"splitroute-*-{tag}-*.whl"
        if not list(DIST.glob(pattern)):
            folder = tmp_path_factory.mktemp("build")
            python = create(version, folder)
            call(python, "-m", "pip", "wheel", "--no-deps", "-w", DIST, sdist, folder=folder)
        [built[version]] = DIST.glob(pattern)
    return built


@pytest.fixture(scope="session", params=VERSIONS)
def environment(
    request: pytest.FixtureRequest,
    wheels: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Environment:
    """An environment per version of Python, which is empty at first."""
    folder = tmp_path_factory.mktemp("environment")
    create(request.param, folder)
    return Environment(folder, DIST, sr.__version__)


def test_the_sdist_has_the_page_and_what_a_build_needs(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", ".ci/smoke.py"} <= names
    assert "src/splitroute/web/page/index.html" in names
    assert not [name for name in names if "node_modules" in name or name.endswith(".so")]


def test_a_wheel_has_one_compiled_module(wheels: dict[str, Path]) -> None:
    modules = {}
    for version, wheel in wheels.items():
        with zipfile.ZipFile(wheel) as archive:
            [modules[version]] = (name for name in archive.namelist() if name.endswith(".so"))
    assert ".cpython-311-" in modules["3.11"]
    assert modules["3.12"].endswith("/_core.abi3.so")


def test_the_tour_works_word_for_word(environment: Environment, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash
    path = environment.variables["PATH"]
    assert not [name for name in COMPILERS if shutil.which(name, path=path)]
    code = ""

    def shell(line: str) -> str:
        printed = environment.run(bash, "-c", line, folder=tmp_path)
        if line == "pip install splitroute":
            listed = environment.run("pip", "list", "--format=json", folder=tmp_path)
            assert len(json.loads(listed)) <= MAX_PACKAGES, listed
        return printed

    def python(snippet: str) -> None:  # which goes on from the ones before
        nonlocal code
        code += snippet
        environment.run("python", "-c", code, folder=tmp_path)

    follow_the_tour(tmp_path, shell, python)


def test_core_page_and_service_work(environment: Environment, tmp_path: Path) -> None:
    environment.run("pip", "install", "splitroute[web]", folder=tmp_path)
    environment.run("python", ROOT / ".ci" / "smoke.py", folder=tmp_path)


def test_type_checkers_know_the_types(environment: Environment, tmp_path: Path) -> None:
    environment.run("pip", "install", "splitroute", folder=tmp_path)
    shutil.copy(CONSUMER, tmp_path)
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    python, program = environment.python, CONSUMER.name
    call(TOOLS / "mypy", "--strict", "--python-executable", python, program, folder=tmp_path)
    call(TOOLS / "pyright", "--pythonpath", python, program, folder=tmp_path)


@pytest.mark.parametrize("environment", VERSIONS[-1:], indirect=True)
def test_every_public_name_has_a_type(environment: Environment, tmp_path: Path) -> None:
    """No type checker has to infer one; other modules of the package are not public."""
    environment.run("pip", "install", "splitroute", folder=tmp_path)
    path = {**os.environ, "PATH": f"{environment.folder / 'bin'}:{os.environ['PATH']}"}
    pyright = str(TOOLS / "pyright")
    verify = [pyright, "--outputjson", "--ignoreexternal", "--verifytypes", "splitroute"]
    done = subprocess.run(
        verify, cwd=tmp_path, env=path, capture_output=True, text=True, check=False
    )
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    known = {s["name"]: s["isTypeKnown"] and not s["isTypeAmbiguous"] for s in symbols}
    values = [Capabilities, *(getattr(m, name) for m in (sr, testing) for name in m.__all__)]
    public = {f"{v.__module__}.{v.__name__}" for v in values if not isinstance(v, str)}
    unknown = [name for name, is_known in known.items() if not is_known]
    assert len(public & known.keys()) > 30
    assert not [n for n in unknown if any(f"{n}.".startswith(f"{p}.") for p in public)]
