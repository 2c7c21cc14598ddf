"""The service: jobs over HTTP, and the page."""
