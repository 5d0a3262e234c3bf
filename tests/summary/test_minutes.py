"""Minutes from counts, against minutes playout by playout."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simkit import api
from simkit.scenario.pace import PACES, paces
from simkit.stats.histograms import histogram_quantile
from simkit.store import Run
from simkit.summary.minutes import QUANTILES, minutes

TOLERATED = 0.05  # of a quantile: what keeping the counts apart may cost


@pytest.fixture(scope="module", params=["propuh", "granny_wars"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    players = {"propuh": 2, "granny_wars": 4}[request.param]
    asked = api.question(request.param, players=players, playouts=4000, seed=3)
    return api.run(asked, out=Path(tmp_path_factory.mktemp("minutes")) / "run")


def by_playout(run: Run, cell: int, pace: str) -> np.ndarray:
    profile, rows = paces(run.recipe.game), run.scan("playouts", cell).collect()
    fixed, weights = profile.seconds(pace, run.recipe.cells[cell].players)
    total = sum((weight * rows[name].cast(pl.Float64) for name, weight in weights.items()), pl.Series([0.0]))
    return (fixed + total.to_numpy()) / 60


def test_means_are_exact_and_quantiles_close(run: Run) -> None:
    found = minutes(run.recipe, run.tallies()).set_index(["cell", "pace"])
    for cell in run.recipe.cells:
        for pace in PACES:
            each, row = by_playout(run, cell.id, pace), found.loc[(cell.id, pace)]
            assert row["mean"] == pytest.approx(each.mean(), abs=1e-9)
            for q, name in zip(QUANTILES, ("q05", "median", "q95"), strict=True):
                assert row[name] == pytest.approx(np.quantile(each, q, method="inverted_cdf"), rel=TOLERATED)


def test_propuh_for_two_has_exact_quantiles() -> None:
    """It has five decisions a round, so decisions and rounds are as long together as they are apart."""
    run = api.run(api.question("propuh", players=2, playouts=4000, seed=4), out=Path("run"))
    found = minutes(run.recipe, run.tallies()).set_index(["cell", "pace"])
    usual = paces("propuh").usual
    for cell in run.recipe.cells:
        rounds = run.scan("playouts", cell.id).collect()["rounds"].to_numpy()
        values, counts = np.unique(rounds, return_counts=True)
        middle = histogram_quantile(values, counts, 0.5)
        seconds = usual.setup + middle * (usual.round + 5 * usual.decision)
        assert found.loc[(cell.id, "usual"), "median"] == pytest.approx(seconds / 60)
