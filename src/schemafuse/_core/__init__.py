"""The native part: the plan of C structs, the evaluator that walks it, and the explainer. Private."""
