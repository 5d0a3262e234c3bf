"""What the deal settles, and what the policy, from replayed deals: as plain sums over the table say."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simkit import api
from simkit.engine.replays import REPLAYS
from simkit.spec import WHOLE
from simkit.store import Run
from simkit.summary import luck

SCENARIO = """
game = "propuh"
playouts = 2000
seed = 5
[[grid]]
players = 2
policies = [
  { granny = "random", propuh = "random" }, { granny = "builder", propuh = "random" },
  { granny = "blocker", propuh = "random" }, { granny = "builder", propuh = "rusher" },
]
compare = "none"
[[grid]]
presets = ["solo-2"]
policies = [{ granny = "builder" }, { granny = "blocker" }]
compare = "none"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("luck")
    (folder / "s.toml").write_text(SCENARIO)
    return api.run(api.question(str(folder / "s.toml")), out=folder / "run")


@pytest.fixture
def table(run: Run) -> pl.DataFrame:
    found = run.replayed()
    assert found is not None
    return found


def credit_of(table: pl.DataFrame, cell: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
    mine = table.filter(pl.col("cell") == cell, pl.col("seat") == seat).sort("deal")
    each = mine.select(f"replay_{number}" for number in range(REPLAYS)).to_numpy() / WHOLE
    return each.sum(axis=1), (each**2).sum(axis=1)


def test_the_deal_settles_what_replays_of_a_deal_have_in_common(run: Run, table: pl.DataFrame) -> None:
    found = luck.deal_luck(run.recipe, table)
    assert found["cell"].tolist() == list(range(6))
    for row in found.itertuples():
        credit, squared = credit_of(
            table, row.cell, 0
        )  # both seats of two say the same, one has what the other has not
        assert row.deals == len(credit) == 100
        means = credit / REPLAYS
        within = ((squared - REPLAYS * means**2) / (REPLAYS - 1)).mean()
        due = means.var(ddof=1) - within / REPLAYS
        assert row.share == pytest.approx(due / (due + within), abs=1e-12)
        assert row.low < row.share < row.high
    assert found.iloc[4]["low"] > found.iloc[0]["high"], "a thinking player has the deal decide more than a random one"


def test_a_split_is_made_for_every_seat_whose_policy_alone_differs(run: Run, table: pl.DataFrame) -> None:
    found = luck.split(run.recipe, table)
    told = found.drop_duplicates("set")[["cells", "players", "who", "policies", "others"]].to_numpy().tolist()
    assert told == [
        ["0, 1, 2", 2, "granny", "random, builder, blocker", "random"],
        ["4, 5", 1, "granny", "builder, blocker", ""],
        ["1, 3", 2, "propuh", "random, rusher", "builder"],
    ]
    for _, mine in found.groupby("set"):
        assert mine["part"].tolist() == list(luck.PARTS)
        assert mine["share"].sum() == pytest.approx(1)


def test_the_part_of_the_policy_is_the_spread_of_its_means(run: Run, table: pl.DataFrame) -> None:
    """Up to what noise adds, which a hundred deals leave small beside it."""
    found = luck.split(run.recipe, table)
    mine = found[found["cells"] == "0, 1, 2"].set_index("part")
    means = np.array([credit_of(table, cell, 0)[0].mean() / REPLAYS for cell in (0, 1, 2)])
    expected = means.var() / (means.mean() * (1 - means.mean()))
    assert mine.loc["policy", "share"] == pytest.approx(expected, abs=0.02)
    assert mine.loc["policy", "low"] > 0.3


def test_replays_of_cells_with_other_deals_are_not_put_together(tmp_path: Path) -> None:
    text = (
        SCENARIO.split("[[grid]]")[0]
        + """
[[grid]]
players = 2
policies = [{ granny = "random", propuh = "random" }, { granny = "builder", propuh = "random" }]
independent = true
compare = "none"
"""
    )
    (tmp_path / "s.toml").write_text(text)
    run = api.run(api.question(str(tmp_path / "s.toml")), out=tmp_path / "run")
    table = run.replayed()
    assert table is not None
    assert luck.split(run.recipe, table).empty
    assert len(luck.deal_luck(run.recipe, table)) == 2
