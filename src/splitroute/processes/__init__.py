"""Child processes and pools of them, local or on a cluster."""
