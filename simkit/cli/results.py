"""The short table that ends a run."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from simkit.store import Run


def print_run(done: "Run") -> None:
    """One line per cell: who played, the rate with its range, playouts; then where the run is."""
    from simkit.cli.screen import table
    from simkit.summary import looking, tables, words

    recipe = done.recipe
    cells = tables.cells(recipe, done.tallies(), bool(done.until))
    rows = [
        [
            cell.label,
            words.percent(cell.rate, cell.low, cell.high),
            f"{words.span(cell.low, cell.high)} %",
            cell.method,
            words.count(cell.playouts),
        ]
        for cell in cells.itertuples()
    ]
    names = ["cell", words.headline(recipe.spec), "95 % interval", "method", "playouts"]
    table(recipe.title, names, rows, right=names[1:3] + names[4:])
    if recipe.spec.roles:
        typer.echo(f"Policies are named in the order {' / '.join(recipe.spec.roles)}.")
    cut = int(cells["truncated"].sum())
    if cut:
        as_what = f"not {words.outcome(recipe.spec).did}"
        typer.echo(f"{cut:,} playouts were cut off at the limit of decisions and count as {as_what}", err=True)
    for line in looking.told(done.until, cells):
        typer.echo(line)
    seconds = sum(time["seconds"] for time in done.manifest.get("times", []))
    typer.echo(f"{looking.played(cells)} in {words.duration(seconds)}, seed {recipe.seed}: {done.folder}")
    playouts, size = done.row_bytes
    if playouts:
        typer.echo(f"rows of {playouts:,} playouts: {size / playouts:.1f} bytes each, {words.storage(size)} in all")
    typer.echo(
        "The intervals cover simulation noise only. They say nothing about whether the policies play like people."
    )
