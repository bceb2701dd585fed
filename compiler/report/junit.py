"""Findings as a JUnit report: a suite for each module; a finding that counts is a failed test."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from compiler.findings import Severity
from compiler.report.rows import Row, Tally

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Junit:
    """Findings below `fail_on` are passed tests with their words in system-out. A clean module is one passed test."""

    def __init__(self, fail_on: Severity = Severity.ERROR) -> None:
        self._fail_on = fail_on
        self._suites = etree.Element("testsuites", name="vmodc")

    def start(self) -> Iterator[str]:
        return iter(())

    def module(self, name: str, rows: Sequence[Row]) -> Iterator[str]:
        failures = sum(row.severity >= self._fail_on for row in rows)
        counts = {"tests": str(len(rows) or 1), "failures": str(failures), "errors": "0", "skipped": "0"}
        suite = etree.SubElement(self._suites, "testsuite", {"name": _xml(name), **counts})
        for row in rows:
            self._case(suite, row)
        if not rows:
            etree.SubElement(suite, "testcase", name="check", classname=_xml(name))
        return iter(())

    def end(self, tally: Tally) -> Iterator[str]:
        for total in ("tests", "failures"):
            self._suites.set(total, str(sum(int(suite.get(total, "0")) for suite in self._suites)))
        document = etree.tostring(self._suites, encoding="unicode", pretty_print=True)
        yield f'<?xml version="1.0" encoding="utf-8"?>\n{document}'

    def _case(self, suite: etree._Element, row: Row) -> None:
        file, line = (row.spot.file, row.spot.line) if row.spot else ("", 0)
        name = f"{row.code} {file}:{line}"
        where = {"name": name, "classname": file, "file": file, "line": str(line)}
        case = etree.SubElement(suite, "testcase", {key: _xml(value) for key, value in where.items()})
        if row.severity >= self._fail_on:
            failure = etree.SubElement(case, "failure", message=_xml(row.message), type=_xml(row.code))
            failure.text = _xml(_words(row))
        else:
            etree.SubElement(case, "system-out").text = _xml(_words(row))


def _words(row: Row) -> str:
    place = f"{row.spot.file}:{row.spot.line}:{row.spot.column}: " if row.spot else ""
    lines = [f"{place}{row.severity.word}[{row.code}]: {row.message}"]
    lines += [f"help: {row.help}"] if row.help else []
    lines += [f"rule: {row.rule or row.code}, section {row.section}"] if row.section else []
    return "\n".join(lines)


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
