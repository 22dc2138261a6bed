# SPDX-License-Identifier: BSD-2-Clause
"""The tables of ``docs/reference/memory-map.md`` and the file ``docs/data/registers.csv`` from
``machines/memory-map.toml``, tested equal. ``python -m verify.docgen.memory_map`` writes both.
"""

import csv
import io
import tomllib

from mcpi.base.blocks import fill, table
from mcpi.base.repo import MACHINES, ROOT

PAGE = ROOT / "docs" / "reference" / "memory-map.md"
DATA = ROOT / "docs" / "data" / "registers.csv"
_REGISTERS = ("ioasic", "pmad", "system", "boot_block")
_COMMENT = """\
# SPDX-License-Identifier: BSD-2-Clause
# Registers and fields of the memory map, from machines/memory-map.toml: offset in hex.
# docs/reference/memory-map.md explains it.
"""


def _hex(number: int, digits: int) -> str:
    """Hexadecimal in groups of four, as the data books print addresses."""
    text = f"{number:0{digits}X}"
    head = len(text) % 4
    groups = [text[:head]] if head else []
    return " ".join(groups + [text[i : i + 4] for i in range(head, len(text), 4)])


def render() -> str:
    """The page, with its tables as the file has them."""
    map_ = tomllib.loads((MACHINES / "memory-map.toml").read_text())
    spans = [
        (
            _hex(row["base"], 9),
            _hex(row["base"] + row["size"] - 1, 9),
            f"`{part}.{name}`",
            row["doc"],
        )
        for part in ("ram", "io")
        for name, row in map_[part].items()
    ]
    sources = [
        (row["bit"], f"`{name}`", f"{row['ipl']} and above", row["doc"])
        for name, row in map_["interrupt"].items()
    ]
    texts = {
        "addresses": table(("from", "to", "what", ""), spans),
        "interrupt": table(("HIRR/HIER bit", "source", "held off at IPL", ""), sources),
    }
    return fill(PAGE.read_text(), texts)


def registers() -> str:
    """The data file: a row for each register and each field of the boot block."""
    map_ = tomllib.loads((MACHINES / "memory-map.toml").read_text())
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("part", "offset", "register", "meaning"))
    for part in _REGISTERS:
        for name, row in map_[part].items():
            rows.writerow((part, _hex(row["offset"], 4), name, row["doc"]))
    return _COMMENT + text.getvalue()


if __name__ == "__main__":
    PAGE.write_text(render())
    DATA.write_text(registers())
