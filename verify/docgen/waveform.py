# SPDX-License-Identifier: BSD-2-Clause
"""Waveforms of the TURBOchannel for docs/reference/turbochannel.md, out of a simulation.

``python -m verify.docgen.waveform`` runs ``rtl/bus/test/test_waveforms.py``, which records what
is on a slot in each bus cycle, and writes ``turbochannel-<scene>.svg``; a test keeps the two
equal.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from mcpi.base.repo import BUILD, ROOT

DOCS = ROOT / "docs" / "reference"
RECORD = BUILD / "waveforms.json"
# In the order of the drawing; what comes from the host first.
BITS = ("sel", "write", "conflict", "rdy", "rReq", "wReq", "ack", "err", "int")
BUSES = ("adHost", "adOption")
_CYCLE, _ROW, _HIGH, _LEFT = 64, 26, 16, 76
_STYLE = (
    "text{font:11px sans-serif;fill:#222}.n{font-family:monospace}"
    ".w{fill:none;stroke:#225;stroke-width:1.3}.b{fill:#eef;stroke:#225}.g{stroke:#ddd}"
)


def svg(title: str, lines: Sequence[Mapping[str, int]]) -> str:
    """Draw signals: a column for each bus cycle, a row for each signal that ever moves."""
    rows = [n for n in (*BITS, *BUSES) if any(line[n] for line in lines)]
    width = _LEFT + _CYCLE * len(lines) + 8
    height = 44 + _ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="4" y="14">{escape(title)}</text>',
    ]
    for i in range(len(lines)):
        x = _LEFT + _CYCLE * i
        parts.append(f'<line class="g" x1="{x}" y1="34" x2="{x}" y2="{height - 4}"/>')
        parts.append(f'<text x="{x + _CYCLE // 2}" y="30" text-anchor="middle">{i}</text>')
    for n, name in enumerate(rows):
        base = 44 + _ROW * n + _HIGH
        parts.append(f'<text class="n" x="4" y="{base - 3}">{name}</text>')
        values = [line[name] for line in lines]
        parts += [_bit(values, base)] if name in BITS else _bus(values, base)
    return "\n".join([*parts, "</svg>", ""])


def _bit(values: Sequence[int], base: int) -> str:
    points = []
    for i, value in enumerate(values):
        y = base - (_HIGH if value else 0)
        points += [f"{_LEFT + _CYCLE * i},{y}", f"{_LEFT + _CYCLE * (i + 1)},{y}"]
    return f'<polyline class="w" points="{" ".join(points)}"/>'


def _bus(values: Sequence[int], base: int) -> list[str]:
    """A box for each stretch of cycles with one value; zero is a line."""
    parts, start = [], 0
    for end in range(1, len(values) + 1):
        if end < len(values) and values[end] == values[start]:
            continue
        x, w = _LEFT + _CYCLE * start, _CYCLE * (end - start)
        if values[start]:
            parts.append(
                f'<rect class="b" x="{x + 1}" y="{base - _HIGH}" width="{w - 2}" height="{_HIGH}"/>'
            )
            parts.append(
                f'<text class="n" x="{x + w // 2}" y="{base - 4}" text-anchor="middle" '
                f'font-size="10">{values[start]:X}</text>'
            )
        else:
            parts.append(f'<polyline class="w" points="{x},{base} {x + w},{base}"/>')
        start = end
    return parts


def pages(record: Path = RECORD) -> dict[Path, str]:
    """Path below docs/ and text of every drawing, from what a simulation wrote."""
    scenes = json.loads(record.read_text())
    return {
        DOCS / f"turbochannel-{name}.svg": svg(scene["title"], scene["lines"])
        for name, scene in scenes.items()
    }


def simulate() -> None:
    """Makes ``RECORD`` anew."""
    from mcpi.hdl import cocotb_run

    RECORD.parent.mkdir(parents=True, exist_ok=True)
    RECORD.unlink(missing_ok=True)
    os.environ["MCPI_WAVEFORMS"] = str(RECORD)
    cocotb_run.run_cocotb(str(ROOT / "rtl" / "bus" / "test" / "test_waveforms.py"), "TcScratchOnTc")


if __name__ == "__main__":
    simulate()
    for path, text in pages().items():
        path.write_text(text)
        print(path.relative_to(ROOT))
