"""`vmodc schema`: prints one of the schemas, for an editor that wants it somewhere else."""

from __future__ import annotations

import json

from compiler.commands import CLEAN, Unusable
from compiler.commands.sink import Write
from compiler.suggest import did_you_mean


def schema(name: str, write: Write) -> int:
    """Prints the schema called `name` (with or without `.schema.json`)."""
    from compiler.schema import load

    names = schema_names()
    kind = name.removesuffix(".json").removesuffix(".schema")
    if kind not in names:
        help = did_you_mean(kind, names)
        raise Unusable(f"there is no schema '{name}'; {help or 'schemas: ' + ', '.join(names)}")
    write(json.dumps(load(kind), ensure_ascii=False, indent=2) + "\n")
    return CLEAN


def list_schemas(write: Write) -> int:
    for name in schema_names():
        write(f"{name}\n")
    return CLEAN
