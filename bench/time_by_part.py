#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Where the simulator's time goes, by part of the node; needs Linux perf and binutils.

PYTHONPATH=tools python3 bench/time_by_part.py [round trips]

Builds mcpi-sim once more, with line numbers, runs it with every tick simulated, and gives each
sample to the part whose signal the C++ line, which Verilator made, names first.
"""

import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import two_nodes

from mcpi.hdl import verilator

PART = re.compile(r"Node__DOT__(\w+?)(_1)?__DOT__(ticked_|banks_1|snapshot_1)?(\w*?)(_1)?__DOT__")
RATE = 2000  # samples a second
SHOWN = 30


def build(verilog: Path, folder: Path) -> Path:
    """The simulator with line numbers; optimised as ever."""
    verilator.FAST.append("-g")
    return verilator.build(verilog)


def samples(program: Path, data: Path) -> collections.Counter:
    """How often each address of the program was seen."""
    said = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    symbols = {row[2]: int(row[0], 16) for row in map(str.split, said.splitlines()) if row[2:]}
    words = ["perf", "script", "-i", data, "--no-demangle", "-F", "ip,sym,symoff"]
    seen = collections.Counter()
    for line in subprocess.run(words, capture_output=True, text=True).stdout.splitlines():
        if (found := re.search(r"(\w+)\+0x([0-9a-f]+)$", line)) and found[1] in symbols:
            seen[symbols[found[1]] + int(found[2], 16)] += 1
    return seen


def parts(program: Path, seen: collections.Counter) -> collections.Counter:
    """Samples by part."""
    asked = "\n".join(map(hex, seen))
    words = ["addr2line", "-e", program]
    said = subprocess.run(words, input=asked, capture_output=True, text=True, check=True).stdout
    texts: dict[str, list[str]] = {}
    sums = collections.Counter()
    for count, place in zip(seen.values(), said.splitlines(), strict=True):
        file, _, number = place.partition(" (")[0].rpartition(":")
        if "/verilated/" not in file or not number.isdigit():
            sums["(driver)"] += count
            continue
        if file not in texts:
            texts[file] = Path(file).read_text().splitlines()
        text = " ".join(texts[file][int(number) - 1 : int(number) + 2])
        found = PART.search(text)
        sums[f"{found[1]} {found[3] or ''}{found[4]}".strip() if found else "(wires)"] += count
    return sums


def main() -> None:
    trips = sys.argv[1] if len(sys.argv) > 1 else "10"
    built = two_nodes.usual()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        program = build(built.node_json.with_name("Node.v"), folder)
        words = ["perf", "record", "-q", "-F", str(RATE), "-o", folder / "perf.data", program]
        words += two_nodes.words(built, folder, built.pal, built.image, round_trips=trips)[1:]
        words += ["--out", folder, "--no-lockstep", "--no-oracle", "--no-skip"]
        subprocess.run([str(w) for w in words], check=True, capture_output=True)
        sums = parts(program, samples(program, folder / "perf.data"))
    total = sum(sums.values())
    whole = collections.Counter()
    for name, count in sums.items():
        whole[name.split()[0]] += count
    for title, counted in (("parts", whole), ("inside", sums)):
        print(title)
        for name, count in counted.most_common(SHOWN):
            if count > total / 500:
                print(f"  {100 * count / total:5.1f} %  {name}")


if __name__ == "__main__":
    main()
