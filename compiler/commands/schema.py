"""`vmodc schema`: prints one of the schemas, whole, for an editor or another program that wants it in one piece."""

from __future__ import annotations

import json

from compiler.commands import CLEAN, Unusable
from compiler.commands.sink import Write
from compiler.suggest import did_you_mean


def schema(name: str, write: Write) -> int:
    """Prints the schema called `name` (with or without `.schema.json`), with all that it refers to inside it."""
    from compiler.schema.load import whole
    from compiler.source import SCHEMAS

    kind = name.removesuffix(".json").removesuffix(".schema")
    if kind not in SCHEMAS:
        help = did_you_mean(kind, SCHEMAS)
        raise Unusable(f"there is no schema '{name}'; {help or 'schemas: ' + ', '.join(SCHEMAS)}")
    write(json.dumps(whole(kind), ensure_ascii=False, indent=2) + "\n")
    return CLEAN


def list_schemas(write: Write) -> int:
    from compiler.source import SCHEMAS

    for name in SCHEMAS:
        write(f"{name}\n")
    return CLEAN
