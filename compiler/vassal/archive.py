"""Zip archives that come out the same byte for byte, whoever builds them and whenever."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime

# Without SOURCE_DATE_EPOCH nothing in the output may depend on the clock: this moment stands for "no date".
_NO_DATE = 1_577_836_800  # 2020-01-01
_STORED = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".vsav",
    ".zip",
    ".pdf",
)  # compressed already: deflating them again gains nothing


def build_time(environment: Mapping[str, str] | None = None) -> int:
    """Seconds since 1970 that the output says it was made at: SOURCE_DATE_EPOCH, else a constant."""
    said = (os.environ if environment is None else environment).get("SOURCE_DATE_EPOCH", "")
    return int(said) if said.isascii() and said.isdigit() else _NO_DATE


def zip_date(seconds: int) -> tuple[int, int, int, int, int, int]:
    """The date as zip can hold it: 1980 to 2107, even seconds, always UTC."""
    low, high = 315_532_800, 4_354_819_198
    moment = datetime.fromtimestamp(min(max(seconds, low), high), UTC)
    return (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second // 2 * 2)


def pack(entries: Mapping[str, bytes], seconds: int | None = None, first: tuple[str, ...] = ()) -> bytes:
    """The archive: entries named in `first`, then the rest sorted. VASSAL reads saves as a stream, so that order counts there."""
    date = zip_date(build_time() if seconds is None else seconds)
    order = [*first, *sorted(name for name in entries if name not in first)]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in order:
            info = zipfile.ZipInfo(name, date)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith(_STORED) else zipfile.ZIP_DEFLATED
            archive.writestr(info, entries[name], compresslevel=6 if info.compress_type else None)
    return buffer.getvalue()
