"""vmodc: declarative JSON in, a checked and playable VASSAL module out.

The sub-packages are the passes, in the order of the data's way: source, schema, model, rules, draw, vassal, report.
A pass imports only passes to its left.
"""

__version__ = "0.1.0"
