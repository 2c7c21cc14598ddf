"""The columns of an uploaded table, so that people can map them; runs in parser processes."""

from __future__ import annotations

import warnings

from splitroute.errors import InputError, InputWarning
from splitroute.formats._preview import preview as preview_table
from splitroute.web.models import ColumnsModel, FileInstance, JobRequest
from splitroute.web.worker import file_content, file_name

MAX_CELL = 100  # characters of a cell


def preview(request: bytes) -> str:
    """Return the columns of a table of customers and its first rows as JSON."""
    job = JobRequest.model_validate_json(request)
    source = job.instance
    if not isinstance(source, FileInstance) or source.format not in ("csv", "workbook"):
        raise InputError("only CSV and workbooks have columns", field="instance")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        found = preview_table(
            file_content(source), file_name(job), columns=source.columns, sheet=source.sheet
        )
    rows = [[cell[:MAX_CELL] for cell in row] for row in found.rows]
    return ColumnsModel(**{**vars(found), "rows": rows}).model_dump_json()
