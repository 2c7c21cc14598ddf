"""The benchmark sets of the paper and where their files are."""
