"""HTTP service and web page."""
