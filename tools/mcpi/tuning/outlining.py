# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi layout outline``: train on the path, compare with the marks by hand, and what it costs
when the code that outlining moves is needed after all."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.analysis import attribution
from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.batch import perform
from mcpi.batch.plan import Experiment
from mcpi.engines import span, trace
from mcpi.firmware import recipes
from mcpi.firmware.clone import path_order
from mcpi.firmware.clone.path_order import Step
from mcpi.layout import outlining
from mcpi.layout.outlining import Mark, Never, Training
from mcpi.machine.profile import Machine
from mcpi.results import measure
from mcpi.spec import run_jobs
from mcpi.spec.numbers import CLIENT, SIDES
from mcpi.spec.run_spec import EXACT, RunSpec

WARMUP = trace.WARMUP  # invocations that open the connection and fill the caches
CLOSING = 2  # invocations at the end: the last byte, the close
ENDS = ("std", "out")  # the same code, in the compiler's order and outlined
ROUND_TRIPS = 100
# A ping-pong's frames of one side, counted from 0, that are all measured.
LOST, TWICE = WARMUP + 20, range(WARMUP + 10, WARMUP + 90, 4)
AROUND = 60_000  # ticks before and after a retransmission
AGAIN, REQUEST, REPLY = (
    "a frame is lost: the client sends it again",
    "a request comes twice",
    "a reply comes twice",
)


@dataclass(frozen=True)
class Trained:
    """Training of one stack: ways that were never taken, marks by hand on the path, and marks not
    found."""

    stack: str
    training: Training
    never: list[Never]
    by_hand: list[Mark]
    missed: list[Mark]


def check(stacks: tuple[str, ...], variant: str, machine: str, settings: dict[str, str]) -> Machine:
    """UserError for what cannot be trained on."""
    for stack in stacks:
        resolved = span.judged(trace.spec(stack, variant, machine, settings))
    rules = recipes.recipe(variant)
    if "clone" in rules or rules.get("path", {}).get("inline"):
        others = [v for v in recipes.variants() if _has_own_lines(recipes.recipe(v))]
        raise UserError(
            f"--variant {variant}: its path is copies of functions, or one function made of many, "
            f"and training looks at each source's own. Train on one of: {', '.join(others)}."
        )
    return resolved


def _has_own_lines(rules: dict) -> bool:
    return "clone" not in rules and not rules.get("path", {}).get("inline")


def train(
    stack: str,
    variant: str,
    machine: str,
    settings: dict[str, str],
    round_trips: int,
    least: int,
    bar: Bar,
) -> Trained:
    """The path of both ends, the connection's begin and end left out."""
    paths = []
    for server in (False, True):
        folder = trace.traced(
            stack, variant, machine, settings, server, bar, round_trips=round_trips
        )
        paths += measured(folder, stack, round_trips)
    training = Training(folder / "image.elf", tuple(paths), least)
    found = outlining.never(training)
    by_hand = outlining.on_path(training)
    return Trained(stack, training, found, by_hand, outlining.missed(by_hand, found))


def measured(folder: Path, stack: str, round_trips: int) -> tuple[tuple[Step, ...], ...]:
    """The path's invocations of a trace, the connection's begin and end left out."""
    found = path_order.invocations(folder / "trace.csv")[WARMUP:-CLOSING]
    if len(found) < round_trips / 2:
        raise UserError(
            f"stack {stack} has no markers of a path's invocations, which say what is trained "
            "on (docs/contributing.md)."
        )
    return tuple(map(tuple, found))


def costs(
    stacks: tuple[str, ...], machine: str, settings: dict[str, str], bar: Bar
) -> dict[tuple[str, str], tuple[float, ...]]:
    """By stack and event: the prices of each of ``ENDS``."""
    found: dict[tuple[str, str], tuple[float, ...]] = {}
    for stack in stacks:
        specs = [RunSpec(machine, settings, stack, v, peer_variant=v) for v in ENDS]
        found |= {(stack, event): ticks for event, ticks in prices(specs, bar).items()}
    return found


def prices(specs: list[RunSpec], bar: Bar) -> dict[str, tuple[float, ...]]:
    """Ticks of a processor by event, for each spec. Of a retransmission, those from idle to idle.
    Of a frame that comes twice, what both machines have more, in the mean."""
    specs = [replace(spec, engine=EXACT, round_trips=ROUND_TRIPS) for spec in specs]
    folder = BUILD / "outlining"
    folder.mkdir(parents=True, exist_ok=True)
    lost, twice = _script(folder, "lose", [LOST]), _script(folder, "duplicate", TWICE)
    found: dict[str, tuple[float, ...]] = {AGAIN: tuple(_again(spec, lost, bar) for spec in specs)}
    busy = _busy(specs, twice, folder, bar)
    for event, side in ((REQUEST, "client"), (REPLY, "server")):
        more = (busy[n, side] - busy[n, ""] for n in range(len(specs)))
        found[event] = tuple(ticks / len(TWICE) for ticks in more)
    return found


def _script(folder: Path, what: str, frames) -> Path:
    file = folder / f"{what}.txt"
    file.write_text("".join(f"frame {n} {what}\n" for n in frames))
    return file


def _again(spec: RunSpec, script: Path, bar: Bar) -> int:
    """Ticks of the client from idle to idle in which the lost frame is handed over once more."""
    spec = replace(spec, wire=(f"client:script={script}",))
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="outlining-") as temporary:
        place = Path(temporary, "run")
        run = span.prepare(spec, spec.check(), place, bar)
        if error := run.look(CLIENT, [], bar):
            raise error
        with (place / "stamps.csv").open() as stream:
            rows = [line.strip().split(",") for line in stream]
        handed = [int(t) for t, node, name in rows if (node, name) == (str(CLIENT), "hand_over")]
        at = handed[LOST + 1]
        run.log(at - AROUND, at + AROUND, [], bar)
        return busy_around(attribution.read(place / f"span.{CLIENT}.csv"), at)


def busy_around(rows, at: int) -> int:
    """Number of the ticks ``rows`` around ``at`` in which the processor is not idle."""
    ticks, passed = 0, False
    for row in rows:
        if row.owner == "idle":
            if passed:
                return ticks
            ticks = 0
            continue
        ticks += row.count
        passed |= row.first <= at < row.first + row.count
    raise RunError(f"tick {at}: the processor is not busy there, or longer than was recorded.")


def _busy(specs: list[RunSpec], script: Path, folder: Path, bar: Bar) -> dict[tuple[int, str], int]:
    """By the spec's number and the side whose frames come twice: busy ticks of both machines."""
    experiments = {
        (n, side): Experiment(
            f"{spec.title}-{n}-{side or 'clean'}",
            replace(spec, wire=(f"{side}:script={script}",) if side else ()),
            (run_jobs.Job(1, run_jobs.REAL),),
        )
        for n, spec in enumerate(specs)
        for side in ("", *SIDES)
    }
    perform.perform(perform.build(list(experiments.values()), folder, bar), 2, bar)
    found = {}
    for key, one in experiments.items():
        nodes = (node["all"] for node in measure.counters(folder / one.name / "counters.json"))
        found[key] = sum(all_["ticks"] - all_["owner.idle"] for all_ in nodes)
    return found
