"""Pictures: routes, and cost and lower bound over time."""
