"""Playing a recipe: work units, workers, tallies, and the loop that carries a run out."""
