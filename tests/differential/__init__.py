"""The library beside jsonschema-rs, on definitions that real servers ship."""
