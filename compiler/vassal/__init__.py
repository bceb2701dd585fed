"""VASSAL output: build file, pieces, saves and archives; and the reading of any module or save.

`build_module` makes a module, `check_module` runs the pre-flight in memory, `inspect_file` reads any file, and
`compiler.vassal.verify` runs an installed VASSAL on one. See docs/vassal.md.
"""

from compiler.vassal.build import Built, build_module
from compiler.vassal.inspect import Inspection, Unreadable, inspect_file
from compiler.vassal.lock import Lock
from compiler.vassal.targets import check_module

__all__ = ["Built", "Inspection", "Lock", "Unreadable", "build_module", "check_module", "inspect_file"]
