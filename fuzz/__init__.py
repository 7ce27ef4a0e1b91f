"""Hostile input: cases, and a harness that no case can hurt."""
