# SPDX-License-Identifier: BSD-2-Clause
"""The instances of a Verilog file that SpinalHDL made, by their paths from the top."""

import re
from pathlib import Path

_MODULE = re.compile(r"^module (\w+) \(", re.M)
_INSTANCE = re.compile(r"^  (\w+) (?:#\(.*?\) )?(\w+) \($", re.M)


def instances(verilog: Path, top: str) -> dict[str, str]:
    """Module by path, as ``core.pipeline``; the top itself has none."""
    text = verilog.read_text()
    starts = [(m[1], m.start()) for m in _MODULE.finditer(text)]
    ends = [at for _, at in starts[1:]] + [len(text)]
    inside = {
        name: [(m[2], m[1]) for m in _INSTANCE.finditer(text, start, end)]
        for (name, start), end in zip(starts, ends, strict=True)
    }
    found: dict[str, str] = {}

    def descend(module: str, path: str) -> None:
        for name, kind in inside.get(module, ()):
            if kind in inside:
                found[f"{path}{name}"] = kind
                descend(kind, f"{path}{name}.")

    descend(top, "")
    return found
