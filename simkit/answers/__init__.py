"""Answers to single questions: what a change does, how many playouts a plan takes, whether the statistics can be trusted."""
