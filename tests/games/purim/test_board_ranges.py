"""The fields of the boards within the state stay in their declared ranges, as `tests/contract/test_states.py` asks of the others."""

from typing import Any

import numpy as np

from simkit.games.purim.state import BOARD_FIELDS, REAL
from tests.contract.sampling import extremes, settings
from tests.contract.walking import walk
from tests.games.purim.table import SPEC


def test_every_field_of_the_real_board_stays_in_its_range() -> None:
    for name, kind, _, low, high in BOARD_FIELDS:
        info = np.iinfo(kind)
        assert info.min <= low <= high <= info.max, name
    for setting in [*settings(SPEC, 100, seed=2), *extremes(SPEC)]:

        def look(state: Any, rules: Any, streams: Any, setting: Any = setting) -> None:
            for name, _, _, low, high in BOARD_FIELDS:
                values = np.asarray(state.boards[REAL][name])
                assert low <= values.min(), (name, setting)
                assert values.max() <= high, (name, setting)

        walk(setting, 0, look)
