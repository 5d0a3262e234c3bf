"""Statistics as pure functions: integer counts in, numbers out. No frames, no files, no printing. Imports nothing of ours."""
