# SPDX-License-Identifier: BSD-2-Clause
"""A waveform as FST, from the VCD that the simulator writes (IEEE 1364, 18.2). GTKWave's own
library writes it, and it is read and written as it goes."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pylibfst

from mcpi.base.errors import RunError

_LIB, _STRING = pylibfst.lib, pylibfst.ffi.new
KINDS = {
    "wire": _LIB.FST_VT_VCD_WIRE,
    "reg": _LIB.FST_VT_VCD_REG,
    "integer": _LIB.FST_VT_VCD_INTEGER,
}
KINDS |= {"parameter": _LIB.FST_VT_VCD_PARAMETER, "event": _LIB.FST_VT_VCD_EVENT}
END = "$end"


def write(vcd: Path, file: Path) -> tuple[int, int]:
    """Leave in ``file`` what ``vcd`` has; how many signals and samples. RunError if it is none."""
    context = _LIB.fstWriterCreate(str(file).encode(), 1)
    if context == pylibfst.ffi.NULL:
        raise RunError(f"{file}: cannot be written.")
    try:
        with vcd.open() as stream:
            signals = _declare(context, _words(stream), vcd)
            samples = _changes(context, stream, signals, vcd)
    finally:
        _LIB.fstWriterClose(context)
    return len(signals), samples


def _words(stream: "IO[str]") -> Iterator[list[str]]:
    """The words of each declaration, its END left out."""
    words: list[str] = []
    for line in stream:
        words += line.split()
        if words and words[-1] == END:
            yield words[:-1]
            if words[0] == "$enddefinitions":
                return
            words = []


def _declare(context, declarations: Iterator[list[str]], vcd: Path) -> dict[str, tuple[int, int]]:
    """Handle and width by the VCD's code; a code that comes again is the same signal."""
    found: dict[str, tuple[int, int]] = {}
    for name, *rest in declarations:
        match name:
            case "$timescale":
                _LIB.fstWriterSetTimescaleFromString(context, "".join(rest).encode())
            case "$scope":
                scope = _LIB.FST_ST_VCD_MODULE
                _LIB.fstWriterSetScope(context, scope, rest[1].encode(), pylibfst.ffi.NULL)
            case "$upscope":
                _LIB.fstWriterSetUpscope(context)
            case "$var":
                kind, width, code, *names = rest
                alias = found.get(code, (0, 0))[0]
                direction = _LIB.FST_VD_IMPLICIT
                said = " ".join(names).encode()
                words = (KINDS[kind], direction, int(width), said, alias)
                handle = _LIB.fstWriterCreateVar(context, *words)
                found.setdefault(code, (handle, int(width)))
            case "$enddefinitions":
                return found
    raise RunError(f"{vcd}: its declarations do not end.")


def _changes(context, stream: "IO[str]", signals: dict[str, tuple[int, int]], vcd: Path) -> int:
    samples = 0
    for line in stream:
        first = line[0]
        if first == "#":
            _LIB.fstWriterEmitTimeChange(context, int(line[1:]))
            samples += 1
        elif first == "b":
            value, code = line[1:].split()
            handle, width = signals[code]
            _LIB.fstWriterEmitValueChange(context, handle, value.zfill(width).encode())
        elif first in "01xz":
            _LIB.fstWriterEmitValueChange(context, signals[line[1:].strip()][0], first.encode())
        elif first not in "$\n":
            raise RunError(f"{vcd}: the line '{line.strip()}' is of no known kind.")
    return samples
