"""What goes with the outcome is what one would find in the rows."""

from pathlib import Path

import polars as pl
import pytest

from simkit import api
from simkit.spec import GameSpec
from simkit.store import Run
from simkit.summary import links


def run_of(spec: GameSpec, folder: Path, playouts: int = 400) -> Run:
    players = max(spec.players)
    line_up = {str(seat): name for seat, name in enumerate(spec.line_ups[players][-1])}
    return api.run(api.question(spec.name, players=players, policies=line_up, playouts=playouts), out=folder, jobs=1)


def test_given_and_found_are_what_the_rows_say(spec: GameSpec, tmp_path: Path) -> None:
    run = run_of(spec, tmp_path / "run")
    players = run.scan("players").collect()
    first = players.filter(pl.col("turn_order") == 0).select("playout", had=spec.outcome)
    playouts = run.scan("playouts").collect().join(first, on="playout")
    given = links.given(run.recipe, run.tallies())
    for row in given.itertuples():
        if row.of == "playout":
            everybody = playouts
        else:
            seats = [spec.roles.index(row.name.split(":")[0].lower())] if spec.roles else list(range(row.players))
            everybody = players.filter(pl.col("turn_order").is_in(seats)).with_columns(had=spec.outcome)
        mine = everybody.filter(pl.col(row.column) == row.value)
        assert row.counted == mine.height
        assert row.others == everybody.height - mine.height
        assert row.rate == pytest.approx(mine["had"].mean())
    linked = {c.name for c in (*spec.columns, *spec.player_columns) if c.linked == "given"}
    varies = {n for n in linked if (playouts if n in playouts.columns else players)[n].n_unique() > 1}
    assert set(given["column"]) == varies
    lost = playouts.filter(pl.col("had") == (0 if spec.outcome == "won" else 1))
    for row in links.found(run.recipe, run.tallies()).itertuples():
        assert row.lost == lost.height
        assert row.share == pytest.approx((lost[row.column] == 1).mean())


def test_a_card_in_force_for_all_or_none_has_no_difference(tmp_path: Path) -> None:
    asked = api.question("purim", players=2, policies={"all": "random"}, options={"messenger_cards": "5"}, playouts=300)
    run = api.run(asked, out=tmp_path / "run", jobs=1)
    assert links.given(run.recipe, run.tallies()).empty
    assert not links.found(run.recipe, run.tallies()).empty


def test_within_a_cell_one_value_against_the_rest_is_a_difference_of_rates(tmp_path: Path) -> None:
    asked = api.question("purim", players=2, policies={"all": "greedy"}, options={"messenger_cards": "1"}, playouts=500)
    run = api.run(asked, out=tmp_path / "run", jobs=1)
    rows = run.scan("playouts").collect()
    given = links.given(run.recipe, run.tallies())
    assert len(given) == 5  # five Messenger cards, one of them in force
    for row in given.itertuples():
        rates = dict(rows.group_by(row.column).agg(pl.col("team_won").mean()).iter_rows())
        assert row.difference == pytest.approx(rates[1] - rates[0])


def test_tallies_from_before_links_are_left_out(tmp_path: Path) -> None:
    asked = api.question("purim", players=1, policies={"all": "greedy"}, playouts=300)
    run = api.run(asked, out=tmp_path / "run", jobs=1)
    old = run.tallies().filter(~pl.col("kind").is_in(["playout_had", "player_had"]))
    assert links.given(run.recipe, old).empty
    assert links.found(run.recipe, old).empty


def test_what_only_tells_cells_apart_is_no_difference(tmp_path: Path) -> None:
    """Reputations are all 0 in the one cell, and never in the other."""
    Path("q.toml").write_text(
        'game = "pug_you"\nplayouts = 200\nseed = 1\n[[grid]]\nplayers = 5\npolicies = { all = "honest" }\n'
        'options = { reputation_sd = ["0", "1"] }\n'
    )
    run = api.run(api.question("q.toml"), out=tmp_path / "run", jobs=1)
    given = links.given(run.recipe, run.tallies())
    assert set(given["value"]) == {1, 2, 3, 4, 5}
    assert given["difference"].notna().all()
