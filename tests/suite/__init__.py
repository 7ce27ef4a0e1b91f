"""The official JSON-Schema-Test-Suite, run against the library."""
