# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board first-light``: two boards from the bitstream to the comparison with ``exact``.

Each step says what was seen. The first that fails ends the command, and says what to do. The end is
one line for ``boards/lit.csv``.
"""

import csv
import dataclasses
import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mcpi.api import single_run
from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.engines.board import against_exact, exact_time, program, selftest
from mcpi.engines.board.node import BoardNode, checked, opened
from mcpi.engines.board.session import bring_up
from mcpi.engines.rtl.substitute import IN_CLOCKS
from mcpi.fpga import builds
from mcpi.hardware.ethernet_phy import Mode
from mcpi.machine import boards
from mcpi.machine.profile import Machine
from mcpi.results.types import Result
from mcpi.spec.run_spec import BOARD, RunSpec

LIT = ROOT / "boards" / "lit.csv"
ROUND_TRIPS, WARMUP, FRAMES = 10, 2, 100


@dataclass
class Given:
    """Words of the command, and findings of its steps."""

    ports: tuple[str, str]
    baud: int
    machine: Machine
    settings: dict[str, str]
    out: Path
    ask: Callable[[str], object]  # waits until the user has done what it says
    frames: int = FRAMES
    bar: Bar = dataclasses.field(default_factory=Bar)
    bitstream: str = "none"  # its digest; a simulated board has none
    board: str = ""
    phy: str = "none"
    result: Result | None = None
    differences: list[str] = dataclasses.field(default_factory=list)
    digest: str = ""  # of the boards' counters


@dataclass(frozen=True)
class Step:
    name: str
    act: Callable[[Given], str]  # returns what was seen
    otherwise: str


def each(given: Given, act: Callable[[BoardNode], str]) -> list[str]:
    """Return what ``act`` says of each board."""
    found = []
    for port in given.ports:
        name = given.machine.name
        with opened(port, given.baud, name, given.settings, given.bar) as node:
            found.append(act(node))
    return found


def _bitstream(given: Given) -> str:
    """Both boards have the machine, one bitstream, and it is the one that was built here."""

    def identity(node: BoardNode) -> str:
        node.identify(given.machine)
        return f"{node.about['board']}, RTL {node.about['rtl_digest']}"

    first, second = each(given, identity)
    if first != second:
        raise RunError(f"{given.ports[0]} is {first}; {given.ports[1]} is {second}.")
    given.board, _, rtl = first.partition(", RTL ")
    if given.board == boards.SIMULATED:
        return f"{first}; simulated boards have no bitstream"
    board = boards.by_identity(given.board)
    if board is None:
        raise RunError(f"board {given.board}: boards/ has no such folder.")
    file = program.bitstream(board, given.machine.name, given.settings)
    built = json.loads((file.parent / builds.RECORD).read_text())["rtl_digest"]
    if built != rtl:
        raise RunError(f"the boards have RTL {rtl}, {file} has {built}.")
    given.bitstream = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return f"{first}; bitstream {given.bitstream}"


def _selftest(given: Given) -> str:
    """Each board alone, its PHY looped."""

    def test(node: BoardNode) -> str:
        with given.bar.task(f"self-test of {node.path}") as update:
            steps = selftest.test(node, given.machine, "phy", given.frames, 1, update)
        return f"{node.path} {steps[3].found}"

    return "; ".join(each(given, test))


def _cable(given: Given) -> str:
    """Link, as a run in exact time wants it."""
    given.ask("Plug one network cable into both boards (of an i9: jack 1).")
    mode = exact_time.mode(given.machine)
    with (
        opened(given.ports[0], given.baud, given.machine.name, given.settings, given.bar) as a,
        opened(given.ports[1], given.baud, given.machine.name, given.settings, given.bar) as b,
    ):
        for node in (a, b):
            node.identify(given.machine)
        if live := exact_time.hindrance([a, b], given.machine):
            if given.board != boards.SIMULATED:
                raise RunError(f"no exact time: {live}.")
        bring_up([a, b], Mode.of(given.machine) if live else mode)
        if "phy" not in a.about:
            return "simulated boards have no PHY"
        given.phy = str(a.about["phy"]["identity"])
        return f"PHY {given.phy}, {a.about['phy']['mode']}"


def _spec(given: Given, **more) -> RunSpec:
    return RunSpec(
        machine=given.machine.name,
        settings=given.settings,
        round_trips=ROUND_TRIPS,
        warmup=WARMUP,
        lockstep=False,
        **more,
    )


def _round_trip(given: Given) -> str:
    spec = _spec(given, engine=BOARD, ports=given.ports, baud=given.baud)
    _, given.result = single_run.perform(spec, given.out / "boards", given.bar)
    given.digest = digest(given.out / "boards")
    pace = given.result.nodes.client.pace
    speed = f", {pace.ticks_per_second / 1e6:.1f} M ticks/s" if pace.ticks_per_second else ""
    mean = given.result.round_trip.mean_us
    trips = f"{ROUND_TRIPS} round trips of TCP STD" + (f", {mean:.1f} µs each" if mean else "")
    return f"{trips}, counters {given.digest}{speed}"


def digest(place: Path) -> str:
    """Digest of all counters but those in clocks, which any two boards of one machine share."""
    nodes = json.loads((place / "counters.json").read_text())["nodes"]
    rows = [
        f"{number} {bank} {name} {count}\n"
        for number, node in enumerate(nodes)
        for bank in ("all", "path")
        for name, count in sorted(node[bank].items())
        if name not in IN_CLOCKS
    ]
    return hashlib.sha256("".join(rows).encode()).hexdigest()[:16]


def _comparison(given: Given) -> str:
    single_run.perform(_spec(given), given.out / "exact", given.bar)
    by_file = against_exact.differences(given.out / "boards", given.out / "exact")
    given.differences = [f"{name}: {one}" for name, said in by_file.items() for one in said]
    if given.differences:
        few = "; ".join(given.differences[:5])
        raise RunError(f"{len(given.differences)} differences: {few}.")
    there = against_exact.compared(given.out / "boards")[1:]
    said = "no counter of the paths" + "".join(f", nor {name}," for name in there)
    return f"{said} differs from engine exact's"


STEPS = (
    Step(
        "bitstream",
        _bitstream,
        "Type for each board: ./mcpi board build BOARD, ./mcpi board load BOARD, with the same "
        "--machine and --set. Is the baud rate the board's (./mcpi board list)?",
    ),
    Step(
        "self-test",
        _selftest,
        "./mcpi board test --port PORT tests this board alone and gives details. Another USB "
        "cable, another supply, or another board.",
    ),
    Step(
        "cable",
        _cable,
        "Another cable; of an i9 the other jack. The LED of the jack must show link.",
    ),
    Step(
        "round trip",
        _round_trip,
        "Press both boards' buttons and type the command again. If it fails again, report it "
        "with the line below and boards.json.",
    ),
    Step(
        "comparison",
        _comparison,
        "Please report it with the line below, and keep both folders: something in the boards "
        "is not what is simulated.",
    ),
)


def line(given: Given) -> str:
    """The row of ``boards/lit.csv``."""
    result = given.result
    of, pace = (result.provenance, result.nodes.client.pace) if result else (None, None)
    row = {
        "commit": of.commit if of else "",
        "machine": given.machine.digest,
        "board": given.board,
        "bitstream": given.bitstream,
        "phy": given.phy,
        "counters": given.digest,
        "ticks_per_second": (pace.ticks_per_second if pace else None) or "",
        "differences": len(given.differences),
    }
    with LIT.open(newline="") as stream:
        names = next(row for row in csv.reader(stream) if not row[0].startswith("#"))
    text = io.StringIO()
    csv.DictWriter(text, names, lineterminator="").writerow(row)
    return text.getvalue()


def lead(given: Given, say: Callable[[str], object] = print) -> None:
    """All steps; RunError at the first that fails."""
    for number, step in enumerate(STEPS, 1):
        try:
            seen = step.act(given)
        except (RunError, UserError) as error:
            if step.act in (_round_trip, _comparison):
                say(line(given))
            raise RunError(
                f"step {number} of {len(STEPS)}, {step.name}: {error}\n{step.otherwise}"
            ) from None
        say(f"{number} of {len(STEPS)}  {step.name:<10} {seen}")
    say("Please paste this line into an issue, or into boards/lit.csv:")
    say(line(given))


def run(
    ports: list[str], baud: int, name: str, settings: dict[str, str], out: Path, waits: bool
) -> None:
    """The command."""
    if len(ports) != 2 or ports[0] == ports[1]:
        raise UserError("first-light: two boards are wanted: --port CLIENT --port SERVER.")
    machine = [checked(port, name, settings) for port in ports][0]

    def ask(what: str) -> None:
        print(what, flush=True)
        if waits:
            input("Then press Enter. ")

    lead(Given((ports[0], ports[1]), baud, machine, settings, out.resolve(), ask))
