"""Child processes and pools of them, here or on a cluster."""
