"""Figures: functions from summary tables to a matplotlib figure, one file each."""
