"""compose.yaml: its commands, run with the PostgreSQL and OSRM of this machine."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg
import pytest

import stores
from conftest import ROOT
from container_files import (
    PORT,
    SECRETS,
    call,
    compose,
    environment,
    free_port,
    image,
    localised,
)
from road_servers import MAP, osrm_programs
from serving import wait_until
from splitroute.web.roads import RoadServers

postgres = stores.postgres
SERVICES = compose()["services"]


def health_check(name: str, places: dict[str, object]) -> list[str]:
    kind, *words = SERVICES[name]["healthcheck"]["test"]
    assert kind == "CMD"
    return localised(words, places)


@contextmanager
def running(words: list[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def test_secrets_are_required_and_in_no_command() -> None:
    for name in SECRETS:
        others = {key: value for key, value in SECRETS.items() if key != name}
        with pytest.raises(KeyError, match=rf"{name}: set it in \.env"):
            compose(others)
    commands = [" ".join(described.get("command", [])) for described in SERVICES.values()]
    assert not [secret for secret in SECRETS.values() if secret in " ".join(commands)]


def test_services_wait_for_those_that_they_name() -> None:
    for described in SERVICES.values():
        for name, wanted in described.get("depends_on", {}).items():
            has_check = "healthcheck" in SERVICES[name]
            assert (wanted["condition"] == "service_healthy") == has_check
    (roads,) = (w for w in SERVICES["splitroute"]["command"] if w.startswith("--roads="))
    servers = RoadServers.parse([roads.removeprefix("--roads=")])
    assert servers.names == ["car"]
    hosts = re.findall(
        r"[@/](\w+)(?::\d+|/splitroute)", " ".join(SERVICES["splitroute"]["command"])
    )
    assert set(hosts) == set(SERVICES["splitroute"]["depends_on"])


def test_images_are_pinned_and_volumes_declared() -> None:
    images = {d["image"] for name, d in SERVICES.items() if name != "splitroute"}
    assert all(re.fullmatch(r"[a-z/-]+:v?\d[\w.-]*", name) for name in images)
    mounted = {v.split(":")[0] for d in SERVICES.values() for v in d.get("volumes", ())}
    assert {name for name in mounted if not name.startswith(".")} == set(compose()["volumes"])
    # The user of the image can write to its folder only.
    assert f"answers:{image('VOLUME').text}" in SERVICES["splitroute"]["volumes"]


def test_only_this_machine_reaches_the_service() -> None:
    assert SERVICES["splitroute"]["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
    assert not [name for name, d in SERVICES.items() if "ports" in d and name != "splitroute"]


class Roads(NamedTuple):
    """A map, the file that is prepared last, and where the paths of OSRM's containers are here."""

    map: Path
    last: Path
    places: dict[str, object]
    environment: dict[str, str]

    def prepare(self) -> subprocess.CompletedProcess[str]:
        words = localised(SERVICES["osrm-prepare"]["command"], self.places)
        return call(words, env=self.environment)


@pytest.fixture(scope="module")
def roads(tmp_path_factory: pytest.TempPathFactory) -> Roads:
    """A folder with a map, not prepared yet."""
    programs = osrm_programs()
    maps, folder = (tmp_path_factory.mktemp(name) for name in ("osm", "osrm"))
    places: dict[str, object] = {
        "/maps": maps,
        "/roads": folder,
        "/opt/": f"{programs}/share/profiles/",
        "5000": free_port(),
    }
    shutil.copy(MAP, maps / "region.osm.pbf")
    last = folder / "region.osrm.mldgr"
    return Roads(maps / "region.osm.pbf", last, places, environment(programs / "bin"))


@pytest.fixture(scope="module")
def osrm(roads: Roads) -> Iterator[object]:
    """The port of OSRM as compose.yaml prepares and starts it."""
    prepared = roads.prepare()
    assert prepared.returncode == 0, prepared.stderr
    check = health_check("osrm", roads.places)
    assert call(check).returncode != 0
    words = localised([*SERVICES["osrm"]["command"], "--ip=127.0.0.1"], roads.places)
    with running(words, env=roads.environment):
        wait_until(lambda: call(check).returncode == 0)
        yield roads.places["5000"]


def test_a_map_is_prepared_again_only_if_it_has_changed(roads: Roads, osrm: object) -> None:
    first = roads.last.stat().st_mtime_ns
    assert roads.prepare().returncode == 0
    assert roads.last.stat().st_mtime_ns == first
    os.utime(roads.map, (0, 0))
    assert roads.prepare().returncode == 0
    assert roads.last.stat().st_mtime_ns > first


def test_a_missing_map_is_named(roads: Roads, tmp_path: Path) -> None:
    done = roads._replace(places={**roads.places, "/maps": tmp_path}).prepare()
    assert done.returncode != 0
    assert "region.osm.pbf" in done.stderr


@pytest.fixture(scope="module")
def database(postgres: str) -> int:
    """The port of PostgreSQL with the user and the database that its image creates."""
    wanted = SERVICES["postgres"]["environment"]
    user, name, password = (wanted[f"POSTGRES_{k}"] for k in ("USER", "DB", "PASSWORD"))
    with psycopg.connect(postgres.replace("+psycopg", ""), autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {user} LOGIN PASSWORD '{password}'")
        admin.execute(f"CREATE DATABASE {name} OWNER {user}")
        (rules,) = admin.execute("SHOW hba_file").fetchone() or ()
        others = Path(rules).read_text()
        Path(rules).write_text(f"host {name} {user} 127.0.0.1/32 scram-sha-256\n{others}")
        admin.execute("SELECT pg_reload_conf()")
    port: int = httpx.URL(postgres).port or 0
    return port


def test_postgres_is_checked(database: int) -> None:
    check = health_check("postgres", {})
    if shutil.which(check[0]) is None:
        pytest.skip("pg_isready is not installed")
    assert call([*check, f"--port={database}"]).returncode == 0
    assert call([*check, f"--port={free_port()}"]).returncode != 0


def serving(database: int, osrm: object, port: int) -> list[str]:
    words = [*image("ENTRYPOINT").words, *SERVICES["splitroute"]["command"]]
    places = {
        "@postgres/": f"@127.0.0.1:{database}/",
        "osrm:5000": f"127.0.0.1:{osrm}",
        "0.0.0.0": "127.0.0.1",
        PORT: port,
    }
    return localised(words, places)


def test_the_service_needs_the_password_of_the_database(database: int, tmp_path: Path) -> None:
    variables = {**SERVICES["splitroute"]["environment"], "PGPASSWORD": "wrong"}
    done = call(serving(database, 9, free_port()), env=environment(**variables), cwd=tmp_path)
    assert done.returncode == 2
    assert "password authentication failed" in done.stderr


def test_the_service_solves_a_job_on_roads(database: int, osrm: object, tmp_path: Path) -> None:
    port = free_port()
    variables = {**SERVICES["splitroute"]["environment"], "HOME": str(tmp_path)}
    client = httpx.Client(
        base_url=f"http://127.0.0.1:{port}",
        headers={"Authorization": f"Bearer {SECRETS['SPLITROUTE_TOKEN']}"},
    )
    words = serving(database, osrm, port)
    with client, running(words, env=environment(**variables), cwd=tmp_path) as process:
        wait_until(lambda: client.get("/health").status_code == 200)
        job = {
            "instance": {"format": "csv", "text": (ROOT / "examples" / "kiosks.csv").read_text()},
            "roads": "car",
            "seconds": 0.5,
        }
        id = client.post("/api/jobs", json=job).json()["id"]
        wait_until(lambda: client.get(f"/api/jobs/{id}").json()["status"] == "done")
        assert client.get(f"/api/jobs/{id}").json()["solution"]["distances"] == "roads (osrm)"
        process.terminate()
        assert process.wait(30) == 0
    # The answers are kept in the image's home, which is the volume.
    assert [path for path in tmp_path.rglob("*") if path.is_file()]
