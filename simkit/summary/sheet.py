"""Names in CSV files: a spreadsheet takes some of them for formulas, and a formula can do harm."""

import re

FORMULA = re.compile(r"[=+\-@\t\r＝＋－＠].", re.DOTALL)
NUMBER = re.compile(r"[+-]?[\d.,]+ ?%?")


def harmless(value: object) -> object:
    """A value as it is written to CSV: text that a spreadsheet would compute gets an apostrophe before it, as spreadsheets
    themselves mark text. Numbers stay, also those that are text.
    """
    if isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value):
        return f"'{value}"
    return value
