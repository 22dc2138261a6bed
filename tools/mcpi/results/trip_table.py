# SPDX-License-Identifier: BSD-2-Clause
"""The owners of a round trip, each with its share of T_e, drawn from ``result.json``."""

from rich.table import Table

from mcpi.results import round_trip_owners
from mcpi.spec.numbers import SIDES

WORDS = {
    "off_path": "interrupt handlers and context switches",
    "hand_over": "the driver's word reaches the controller",
    "controller.poll": "the controller notices it",
    "controller.descriptor": "words of descriptors",
    "controller.set_up": "from the descriptor to the first burst",
    "controller.silo": "bursts between memory and silo",
    "controller.start": "from the filled silo to the first bit",
    "bus": "TURBOchannel and memory move the data",
    "wire": "from the first bit to the last",
    "controller.status": "before the status is written",
    "controller.raise": "from the status to the interrupt line",
    "interrupt": "from the line to the handler",
}
#: Legs in which a processor has the frame.
PROCESSORS = {"client": ("client_send", "client_receive"), "server": ("server",)}


def rows(line: dict) -> dict[str, tuple[int, str]]:
    """Ticks and meaning by owner; those of the path's owners together, by machine."""
    found = {}
    for side, legs in PROCESSORS.items():
        ticks = sum(n for leg in legs for o, n in line["legs"][leg].items() if o not in WORDS)
        found[f"path, {side}"] = ticks, "protocol code that the frame waits for"
    for owner, words in WORDS.items():
        found[owner] = sum(owners.get(owner, 0) for owners in line["legs"].values()), words
    return {owner: row for owner, row in found.items() if row[0]}


def table(result: dict, words: bool = True) -> Table:
    """Every owner in µs of a mean round trip, with its share; the sum against T_e."""
    line = result["time_line"]
    ticks = line["round_trips"] * result["round_trip"]["ticks_per_us"]
    found = Table("who owns the round trip", box=None, pad_edge=False, show_footer=True)
    found.columns[0].overflow = "fold"
    for title in ("µs", "%"):
        found.add_column(title, justify="right", no_wrap=True)
    if words:
        found.add_column("")
    owned = rows(line)
    for owner, (count, meaning) in owned.items():
        cells = [f"{count / ticks:.2f}", f"{100 * count / line['ticks']:.1f}"]
        found.add_row(owner, *cells, *([f"[dim]{meaning}[/]"] if words else []))
    total = sum(count for count, _ in owned.values())
    found.columns[0].footer = "sum of owners"
    found.columns[1].footer = f"{total / ticks:.2f}"
    found.columns[2].footer = "= T_e" if total == line["ticks"] else "≠ T_e"
    return found


def meanwhile(result: dict) -> str:
    """A line on what either processor does while nothing waits for it."""
    per_us = result["round_trip"]["ticks_per_us"]
    said = []
    for side in SIDES:
        if one := result["time_line"]["meanwhile"].get(side):
            busy, idle = (one[key] / one["times"] / per_us for key in ("busy", "idle"))
            said.append(f"the {side} is busy {busy:.1f} µs and idle {idle:.1f}")
    return f"while its frame and the answer are under way, {'; '.join(said)}"


assert WORDS.keys() == set(round_trip_owners.OWNERS)
