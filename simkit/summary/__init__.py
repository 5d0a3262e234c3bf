"""From tallies to tables for people: one row per cell, differences between cells, distributions. pandas from here on."""
