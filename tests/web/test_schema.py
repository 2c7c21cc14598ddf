"""Whether the service keeps to its own description, with requests made up from that description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig

from serving import Service
from splitroute.web.describe import description

# No description can say which text is the file of an instance: well-formed requests may be refused,
# but not as if they were malformed, which would be 422.
CHECKS = {"positive_data_acceptance": {"expected-statuses": ["2xx", "400", "404", "429"]}}


def _described(mode: str) -> Any:
    """The description as a source of requests: the same ones in every run."""
    settings = {
        "cache": {"enabled": False},
        "generation": {"mode": mode, "max-examples": 10, "deterministic": True},
        "checks": CHECKS,
    }
    return schemathesis.openapi.from_dict(
        description(), config=SchemathesisConfig.from_dict(settings)
    )


anything = _described("all")
of_a_job = _described("positive").include(method="GET", path_regex=r"\{id\}")
handing_in = _described("positive").include(method="POST", path="/api/jobs")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    small = ["--most-customers", "50", "--most-seconds", "0.3"]
    running = Service(tmp_path_factory.mktemp("schema"), *small)
    yield running
    running.close()


@pytest.fixture(scope="module")
def job(service: Service) -> str:
    job = service.post()
    service.wait(job)
    return job


@anything.parametrize()  # type: ignore[untyped-decorator]
def test_answers_are_as_described(case: Any, service: Service) -> None:
    case.call_and_validate(base_url=f"http://127.0.0.1:{service.port}")


@of_a_job.parametrize()  # type: ignore[untyped-decorator]
def test_answers_about_a_job_are_as_described(case: Any, service: Service, job: str) -> None:
    case.path_parameters["id"] = job
    case.call_and_validate(base_url=f"http://127.0.0.1:{service.port}")


@handing_in.parametrize()  # type: ignore[untyped-decorator]
def test_answers_to_short_jobs_are_as_described(case: Any, service: Service) -> None:
    if isinstance(case.body, dict):
        case.body |= {"seconds": 0.1, "bound": 0.0}
    case.call_and_validate(base_url=f"http://127.0.0.1:{service.port}")
