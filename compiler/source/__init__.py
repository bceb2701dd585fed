"""JSON files → documents that remember where everything stands.

`read` takes a module's folder and gives its documents and what is wrong with them; `locate` turns the places of findings
into lines and columns. Nothing in a source file makes either of them raise.
"""

from compiler.source.document import Document
from compiler.source.kinds import KINDS, SCHEMAS, kind_of
from compiler.source.positions import Span, locate
from compiler.source.reader import read

__all__ = ["KINDS", "SCHEMAS", "Document", "Span", "kind_of", "locate", "read"]
