"""The table of step costs, for the Python side; see costs.pxd."""
