"""From a scenario file to a recipe: load, validate, expand the grid into cells."""
