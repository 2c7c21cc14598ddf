"""The Dockerfile: what it copies and installs, and the commands of the image."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from docker.utils import exclude_paths

from conftest import ROOT
from container_files import (
    PORT,
    call,
    environment,
    extras,
    free_port,
    health_check,
    image,
    localised,
    stages,
)
from serving import wait_until


@pytest.fixture(scope="module")
def context() -> set[str]:
    """Paths that the builder sees, by the rules of .dockerignore."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    return {Path(path).as_posix() for path in exclude_paths(str(ROOT), patterns)}


def copied() -> list[str]:
    """Sources that are copied from the repository."""
    return [
        source
        for stage in stages()
        for copy in stage
        if copy.name == "COPY" and "from" not in copy.flags
        for source in copy.words[:-1]
    ]


def test_copied_files_are_in_the_context(context: set[str]) -> None:
    assert set(copied()) >= {"pyproject.toml", "cpp", "src", "page", "examples"}
    assert set(copied()) <= context


def test_the_context_is_what_the_build_needs(context: set[str]) -> None:
    top = {path.split("/")[0] for path in context} - {"Dockerfile", ".dockerignore"}
    assert top == {path.split("/")[0] for path in copied()}
    built = re.compile(r"__pycache__|node_modules|\.so$|^src/splitroute/web/page/|openapi\.json$")
    assert not [path for path in context if built.search(path)]
    listed = call(["git", "ls-files", *copied()], cwd=ROOT)
    if listed.returncode:
        pytest.skip("not a clone: git cannot list the files")
    assert set(listed.stdout.split()) <= context


def test_later_stages_copy_from_earlier_ones() -> None:
    known: list[str] = []
    for stage in stages():
        used = {
            copy.flags["from"] for copy in stage if copy.name == "COPY" and "from" in copy.flags
        }
        assert used <= set(known)
        known += stage[0].words[2:]  # FROM image AS name
    assert known == ["page", "build"]


def test_base_images_are_pinned_to_one_debian() -> None:
    images = [stage[0].words[0] for stage in stages()]
    assert all(re.fullmatch(r"[a-z]+:\d[\w.]*-[\w-]*trixie[\w-]*", name) for name in images)
    build, final = (re.sub("-slim", "", name) for name in images[1:])
    assert build == final  # the compiled core needs the libraries of its compiler


def test_the_extras_exist(tmp_path: Path) -> None:
    """The command that installs the wheel, with a pip that prints its arguments."""
    (argument,) = (i for i in stages()[1] if i.name == "ARG")
    name, _, chosen = argument.text.partition("=")
    assert set(chosen.split(",")) <= extras()
    (tmp_path / "pip").write_text('#!/bin/sh\nprintf "%s\\n" "$*"\n')
    (tmp_path / "pip").chmod(0o755)
    (tmp_path / "splitroute-1-py3.whl").touch()
    install = [i.text for i in stages()[1] if i.name == "RUN"][-1]
    command = localised(["sh", "-c", install], {"/wheels": tmp_path})
    done = call(
        command, env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", name: chosen}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"wheel --no-cache-dir --no-deps --wheel-dir {tmp_path} .",
        f"install --no-cache-dir {tmp_path}/splitroute-1-py3.whl[{chosen}]",
    ]


def test_the_image_runs_as_a_user_who_owns_its_data() -> None:
    uid, gid = image("USER").text.split(":")
    assert int(uid) == int(gid) > 0
    setup = image("RUN").text
    assert f"--uid {uid} " in setup
    assert "--home-dir /data" in setup
    assert "install --directory --owner splitroute --group splitroute /data" in setup
    assert image("VOLUME").words == image("WORKDIR").words == ["/data"]
    assert "HOME=/data" in image("ENV").words


def command(folder: Path, port: object) -> list[str]:
    """What the image runs, with its data in a folder and on a port of the loopback interface."""
    words = [*image("ENTRYPOINT").words, *image("CMD").words]
    return localised(words, {"/data": folder, PORT: port, "0.0.0.0": "127.0.0.1"})


def test_the_image_starts_is_healthy_and_stops(tmp_path: Path) -> None:
    assert image("EXPOSE").words == [PORT]
    port = free_port()
    check = localised(health_check(), {PORT: port})
    assert call(check).returncode != 0
    with subprocess.Popen(
        command(tmp_path, port), env=environment(SPLITROUTE_TOKEN="sesame"), cwd=tmp_path
    ) as process:
        try:
            wait_until(lambda: call(check).returncode == 0)
            # The check does not ask a proxy for the container's own address.
            assert call(check, env=environment(http_proxy="http://127.0.0.1:9")).returncode == 0
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()
    assert (tmp_path / "jobs.db").exists()
    assert call(check).returncode != 0


def test_the_image_refuses_to_start_without_a_token(tmp_path: Path) -> None:
    words = [*image("ENTRYPOINT").words, *image("CMD").words]
    done = call(words, cwd=tmp_path, env=environment(SPLITROUTE_TOKEN=""))
    assert done.returncode == 2
    assert "token" in done.stderr


@contextmanager
def responding(status: int) -> Iterator[int]:
    """A server whose every response has this status; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(("status", "is_healthy"), [(200, True), (503, False)])
def test_health_is_the_status_of_the_service(status: int, is_healthy: bool) -> None:
    with responding(status) as port:
        done = call(localised(health_check(), {PORT: port}))
        assert (done.returncode == 0) == is_healthy
