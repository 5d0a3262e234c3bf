"""The report: one model in memory, and from it the page, the Markdown, the tables, the figures and report.json."""
