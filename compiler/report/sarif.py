"""Findings as SARIF 2.1.0, for code-scanning services: rules with their help, relative URIs, columns from 1."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import quote

from compiler import __version__
from compiler.codes import Code, all_codes
from compiler.report.rows import Row, Spot, Tally

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Sarif:
    """One run. The rules that fired stand before the results, so the log is written at the end, in one piece."""

    def __init__(self) -> None:
        self._rules: list[dict[str, object]] = []
        self._indices: dict[str, int] = {}
        self._results: list[dict[str, object]] = []

    def start(self) -> Iterator[str]:
        return iter(())

    def module(self, name: str, rows: Sequence[Row]) -> Iterator[str]:
        for row in rows:
            index = self._indices.setdefault(row.code, len(self._indices))
            if index == len(self._rules):
                self._rules.append(_rule(row))
            self._results.append(_result(row, index))
        return iter(())

    def end(self, tally: Tally) -> Iterator[str]:
        driver = {"name": "vmodc", "version": __version__, "rules": self._rules}
        run = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": self._results,
            "properties": {"notShown": tally.not_shown},
        }
        yield (
            json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)
            + "\n"
        )


def _rule(row: Row) -> dict[str, object]:
    code = all_codes().get(row.code)
    return _own_rule(code) if code else _game_rule(row)


def _own_rule(code: Code) -> dict[str, object]:
    parts = [code.what, code.why, f"Wrong:\n\n{code.wrong}", f"Right:\n\n{code.right}", code.help]
    return {
        "id": code.code,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.what},
        "help": {"text": "\n\n".join(filter(None, parts)), "markdown": _markdown(code)},
        "defaultConfiguration": {"level": code.severity.word},
    }


def _markdown(code: Code) -> str:
    examples = f"Wrong:\n\n```json\n{code.wrong}\n```\n\nRight:\n\n```json\n{code.right}\n```"
    return "\n\n".join(filter(None, [code.what, code.why, examples, code.help]))


def _game_rule(row: Row) -> dict[str, object]:
    section = f", section {row.section}" if row.section else ""
    words = f"The game's own rule {row.code}{section}."
    return {
        "id": row.code,
        "shortDescription": {"text": words},
        "fullDescription": {"text": words},
        "help": {"text": f"{words} 'vmodc explain {row.code}' reads it back in words."},
        "defaultConfiguration": {"level": row.severity.word},
    }


def _result(row: Row, index: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": row.code,
        "ruleIndex": index,
        "level": row.severity.word,
        "message": {"text": f"{row.message}\nhelp: {row.help}" if row.help else row.message},
        "partialFingerprints": {"vmodcFinding/v1": _fingerprint(row)},
        "properties": {"rule": row.rule, "section": row.section, "spaces": row.spaces, "pieces": row.pieces},
    }
    if row.spot:
        result["locations"] = [{"physicalLocation": _location(row.spot)}]
    if row.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(related.spot), "message": {"text": related.message}}
            for number, related in enumerate(row.related, start=1)
        ]
    return result


def _location(spot: Spot) -> dict[str, object]:
    region = {
        "startLine": spot.line,
        "startColumn": spot.column,
        "endLine": spot.end_line,
        "endColumn": spot.end_column,
    }
    return {"artifactLocation": {"uri": _uri(spot.file)}, "region": region}


def _uri(file: str) -> str:
    """Relative as shown; an absolute path becomes a file URI, so that no reader takes it for a relative one."""
    if PurePosixPath(file).is_absolute():
        return "file://" + quote(file, errors="replace")
    if PureWindowsPath(file).drive:
        return "file:///" + quote(file, safe="/:", errors="replace")
    return quote(file, errors="replace")


def _fingerprint(row: Row) -> str:
    """The same as long as the finding is about the same thing, wherever its line moves to."""
    parts = [row.code, row.spot.file if row.spot else "", *(row.subject or (row.message,))]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
