"""Request bodies as raw bytes: they may be large, so a parser process reads them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.encoders import jsonable_encoder
from pydantic.json_schema import models_json_schema

from splitroute.web.errors import RequestError
from splitroute.web.models import JobRequest

SCHEMAS = "#/components/schemas/"

# FastAPI cannot derive this: it never sees the model of the body.
JOB_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": f"{SCHEMAS}JobRequest"}}},
    }
}


async def _json_body(request: Request) -> bytes:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        detail = f"the content type is {media_type!r}; it must be application/json"
        raise RequestError(415, detail, "unsupported_media_type")
    return await request.body()


JsonBody = Annotated[bytes, Depends(_json_body)]


def describe_bodies(app: FastAPI) -> None:
    """Add the models of raw bodies to the OpenAPI description."""
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        description = generate()
        _, models = models_json_schema(
            [(JobRequest, "validation")], ref_template=f"{SCHEMAS}{{model}}"
        )
        # FastAPI describes the other models without null defaults, too.
        schemas = jsonable_encoder(models["$defs"], exclude_none=True)
        description["components"]["schemas"].update(schemas)
        for name in ("InstanceModel", "ReadInstance"):
            # Which fields a file needs; client generators take that for alternative types.
            for key in ("anyOf", "not"):
                description["components"]["schemas"][name].pop(key, None)
        return description

    app.openapi = openapi  # type: ignore[method-assign]
