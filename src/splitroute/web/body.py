"""Bodies of requests as bytes: they may be large, so it is a parser process that reads them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.encoders import jsonable_encoder
from pydantic.json_schema import models_json_schema

from splitroute.web.models import JobRequest

SCHEMAS = "#/components/schemas/"

# What the framework cannot know: it never sees the model of the body.
JOB_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": f"{SCHEMAS}JobRequest"}}},
    }
}


async def _json_body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, f"the content type is {kind!r}; it must be application/json")
    return await request.body()


JsonBody = Annotated[bytes, Depends(_json_body)]


def describe_bodies(app: FastAPI) -> None:
    """Adds the models of such bodies to the description of the service."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        description = described()
        _, models = models_json_schema(
            [(JobRequest, "validation")], ref_template=f"{SCHEMAS}{{model}}"
        )
        # As the framework describes the others, where None goes without saying.
        found = jsonable_encoder(models["$defs"], exclude_none=True)
        description["components"]["schemas"].update(found)
        return description

    app.openapi = openapi  # type: ignore[method-assign]
