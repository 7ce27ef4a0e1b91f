"""Figures, measured beside jsonschema-rs in one process."""
