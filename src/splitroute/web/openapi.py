"""`python -m splitroute.web.openapi`: print the OpenAPI description, to generate clients."""

import json
import sys
import tempfile
from typing import Any

from splitroute.web.app import create_app
from splitroute.web.settings import Settings


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the service."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(store=f"sqlite:///{folder}/jobs.db"))
        app.state.service.store.close()
    return app.openapi()


if __name__ == "__main__":
    json.dump(description(), sys.stdout, indent=2)
