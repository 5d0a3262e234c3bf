"""The sections of a report, one file each: a question, its answer with ranges, the figure and the table behind it."""
