"""Documents against schemas/*.schema.json: everything that does not have the right form, in an author's words."""

from compiler.schema.load import load
from compiler.schema.validator import validate
from compiler.schema.words import misspelt
from compiler.source import kind_of

__all__ = ["kind_of", "load", "misspelt", "validate"]
