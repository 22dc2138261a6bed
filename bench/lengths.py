#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Lengths by part of the stack next to the paper's, and what a lower -O changes.

PYTHONPATH=tools python3 bench/lengths.py

STD and OUT as they are, and compiled by -O1, on the exact engine: instructions of the client's
path by part, iCPI, the slots that the cold invocation fetches in vain, and what small TCP state in
words (XK_WORDS) saves.
"""

import csv
import json
import shutil
import tempfile
from pathlib import Path

from mcpi import api
from mcpi.analysis.places import of_side
from mcpi.firmware import recipes
from mcpi.papers import sigcomm96 as published
from mcpi.papers.tables import row
from mcpi.tracing.disassembly import Disassembly

LOWER = "-O1"
PARTS = {
    "IP input and TCP input": "ip_input_to_tcp_input",
    "TCP input and socket input": "tcp_input_to_socket_input",
}
BYTES = "XK_WORDS=0"
STD = ("std", "stdo1")
TABLE1 = "sigcomm96/table1_instruction_savings"
TABLE3 = "sigcomm96/table3_tcpip_implementations"


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        recipes.VARIANTS = shutil.copytree(recipes.VARIANTS, place / "variants")
        for base in ("std", "out"):
            written(recipes.VARIANTS, base)
        printed(place / "runs")


def written(folder: Path, base: str) -> None:
    """The recipe ``base`` by the lower level: ``stdo1``."""
    flags = recipes.recipe(base)["compile"]["optimise"]
    flags = json.dumps([LOWER if flag == "-O2" else flag for flag in flags])
    (folder / f"{base}o1.toml").write_text(f'base = "{base}"\n[compile]\noptimise = {flags}\n')


def measured(runs: Path, stack: str, variant: str, *defines: str) -> dict:
    """The result of a run of 50 round trips, with a cold invocation."""
    out = runs / "-".join((stack, variant, *defines))
    api.run(stack=stack, variant=variant, defines=defines, round_trips=50, cold=True, out=out)
    return json.loads((out / "result.json").read_text())


def printed(runs: Path) -> None:
    tcp, lower = (measured(runs, "tcp", variant) for variant in ("std", "stdo1"))
    rpc, slower = (measured(runs, "rpc", variant) for variant in ("std", "stdo1"))
    theirs = published.path("tcp", "std")
    print(f"{'STD: instructions':35}{'paper':>7}{'-O2':>8}{'share':>7}{LOWER:>8}{'share':>7}")
    rest = [theirs["instructions"], length(tcp), length(lower)]
    for name, key in PARTS.items():
        paper = row(TABLE3, row=f"instructions between {name}")["alpha_improved_xkernel"]
        cells = [float(paper), tcp["ranges"][key], lower["ranges"][key]]
        rest = [a - b for a, b in zip(rest, cells, strict=True)]
        line(f"TCP/IP: {name}".replace(" and ", " to "), *cells)
    line("TCP/IP: all else", *rest)
    line("TCP/IP", theirs["instructions"], length(tcp), length(lower))
    line("RPC", published.path("rpc", "std")["instructions"], length(rpc), length(slower))
    saved = [
        length(measured(runs, "tcp", variant, BYTES)) - length(one)
        for variant, one in (("std", tcp), ("stdo1", lower))
    ]
    paper = row(TABLE1, technique="Change bytes and shorts to words in TCP state")
    line("TCP/IP: words for bytes save", float(paper["instructions_saved"]), *saved)
    for what, short in (("loaded", "ext"), ("stored", "msk")):
        more = [
            small(runs / f"tcp-{v}-{BYTES}", short) - small(runs / f"tcp-{v}", short) for v in STD
        ]
        print(f"{f'  bytes and shorts {what}':35}{'-':>7}{more[0]:>8}{more[1]:>15}")
    shares("TCP/IP: iCPI", 2, theirs["icpi"], *(client(one)["icpi"] for one in (tcp, lower)))
    for variant, two in (
        ("std", (tcp, lower)),
        ("out", [measured(runs, "tcp", variant) for variant in ("out", "outo1")]),
    ):
        paper = published.path("tcp", variant)["fetch.unused_percent"]
        unused = (one["replay"]["client"]["fetch"]["unused_percent"] for one in two)
        shares(f"TCP/IP: unused slots of {variant.upper()}, %", 1, paper, *unused)


def small(run: Path, name: str) -> int:
    """Accesses of bytes and shorts in the cold invocation: each takes them out of a quadword, or
    makes room for them there."""
    text = Disassembly(of_side(run, "client"), run / "pal.elf").text
    with (run / "cold" / "cold_trace.csv").open(newline="") as stream:
        said = [text(int(each["pc"], 16)) for each in csv.DictReader(stream)]
    return sum(one.startswith((f"{name}bl", f"{name}wl")) for one in said)


def client(result: dict) -> dict:
    return result["steady"]["client"]


def length(result: dict) -> float:
    return client(result)["instructions"]


def line(name: str, paper: float, *ours: float) -> None:
    cells = "".join(f"{one:>8,.0f}{one / paper:>7.2f}" for one in ours)
    print(f"{name:35}{paper:>7,.0f}{cells}")


def shares(name: str, digits: int, paper: float, one: float, lower: float) -> None:
    print(f"{name:35}{paper:>7.{digits}f}{one:>8.{digits}f}{lower:>15.{digits}f}")


if __name__ == "__main__":
    main()
