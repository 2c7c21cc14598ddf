"""`python -m splitroute.web.describe`: the OpenAPI description, for generating clients."""

import json
import sys

from splitroute.web.app import create_app
from splitroute.web.settings import Settings

if __name__ == "__main__":
    json.dump(create_app(Settings(store="sqlite://")).openapi(), sys.stdout, indent=2)
