"""The service matches its OpenAPI description, on requests generated from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig

from serving import Service
from splitroute.web.openapi import description

DESCRIPTION = description()
# The schema cannot tell which text is a valid file: well-formed requests may be refused with 400,
# but not with 422, which is for malformed ones.
CHECKS = {"positive_data_acceptance": {"expected-statuses": ["2xx", "400", "404", "429"]}}


def _generator(mode: str) -> Any:
    """Return a deterministic source of requests."""
    settings = {
        "cache": {"enabled": False},
        "generation": {"mode": mode, "max-examples": 10, "deterministic": True},
        "checks": CHECKS,
    }
    return schemathesis.openapi.from_dict(
        DESCRIPTION, config=SchemathesisConfig.from_dict(settings)
    )


any_request = _generator("all")
job_request = _generator("positive").include(method="GET", path_regex=r"\{id\}")
job_submission = _generator("positive").include(method="POST", path="/api/jobs")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    limits = ["--max-customers", "50", "--max-seconds", "0.3"]
    service = Service(tmp_path_factory.mktemp("schema"), *limits)
    yield service
    service.close()


@pytest.fixture(scope="module")
def job(service: Service) -> str:
    job = service.post()
    service.wait(job)
    return job


@any_request.parametrize()  # type: ignore[untyped-decorator]
def test_responses_match_the_description(case: Any, service: Service) -> None:
    case.call_and_validate(base_url=f"http://127.0.0.1:{service.port}")


@job_request.parametrize()  # type: ignore[untyped-decorator]
def test_responses_about_a_job_match_the_description(case: Any, service: Service, job: str) -> None:
    case.path_parameters["id"] = job
    if case.path_parameters.get("kind") == "gpx":
        return  # which needs latitudes
    case.call_and_validate(base_url=f"http://127.0.0.1:{service.port}")


@job_submission.parametrize()  # type: ignore[untyped-decorator]
def test_responses_to_short_jobs_match_the_description(case: Any, service: Service) -> None:
    if isinstance(case.body, dict):
        case.body |= {"seconds": 0.1, "bound": 0.0}
    case.call_and_validate(base_url=f"http://127.0.0.1:{service.port}")
