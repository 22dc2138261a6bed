# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``model``: from a recording and an image to the numbers of a run."""

import json
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar
from mcpi.build import graph, run_folder
from mcpi.engines.model import recording, remap
from mcpi.engines.model.recording import Recording
from mcpi.firmware import elf
from mcpi.machine.profile import Machine, load
from mcpi.results import measure, provenance
from mcpi.results import record as result
from mcpi.results.measure import (
    CLIENT,
    HAND_OVER,
    MEASURE_END,
    MEASURE_START,
    NET_INTERRUPT,
    SERVER,
    Event,
)
from mcpi.results.types import Result
from mcpi.spec.run_spec import MODEL, MODELLED, RunSpec

# Counters that the model predicts; a name it has never counted is a zero.
PREDICTED = ("owner.", "icache.", "dcache.", "write_buffer.", "bcache.", "bus.", "fetch.fill_words")
PREDICTED += ("taken_branches", "mispredicts", "instructions", "ticks", "invocations")


@dataclass(frozen=True)
class Predicted:
    """Counters of one node by bank, and its events."""

    counters: dict[str, dict[str, int]]
    events: list[tuple[int, int]]  # tick, number


def predict(
    record: RunSpec,
    base: Recording,
    images: tuple[Path, Path],
    program: Path,
    place: Path,
) -> Result:
    """The result of ``record`` but for its times. ``images``: folders of the client's and the
    server's; ``place``: a folder for what is made on the way."""
    machine = load(record.machine, record.settings)
    check(machine)
    place.mkdir(parents=True, exist_ok=True)
    (place / "machine.json").write_text(machine.to_json())
    ideal = load(record.machine, record.settings | {"memory.ideal": "on"})
    (place / "ideal.json").write_text(ideal.to_json())
    recorded = measure.events(base.folder / "events.csv")
    for n in (CLIENT, SERVER):
        _prepare(n, base, images[n], place)
    real = [_node(n, base, program, place, recorded, "machine") for n in (CLIENT, SERVER)]
    idle = [_node(n, base, program, place, recorded, "ideal") for n in (CLIENT, SERVER)]
    return _result(record, machine, base, recorded, real, idle, place)


def check(machine: Machine) -> None:
    """Refuse what the model does not know, before anything is run for it."""
    if machine.parameters["core.prediction"] != "paper":
        raise UserError("--engine model: core.prediction = ev4 is not modelled; use --engine rtl.")


def _prepare(n: int, base: Recording, new: Path, place: Path) -> None:
    """Where everything of node ``n`` has moved, and the new image's markers."""
    old = base.images[n]
    remap.write(place / f"map.{n}", remap.ranges(old, new) if old != new else [])
    found = elf.read(new / "image.elf", load(base.record.machine))
    lines = (f"{m.address & elf.PHYSICAL:x},{m.action:x},{m.window:x}\n" for m in found.markers)
    (place / f"markers.{n}").write_text("".join(lines))


def _node(
    n: int,
    base: Recording,
    program: Path,
    place: Path,
    recorded: list[Event],
    machine: str,
) -> Predicted:
    map_, marks, out = (place / f"{kind}.{n}" for kind in ("map", "markers", machine))
    ends = {e.number: e.tick for e in recorded if e.node == CLIENT}
    words = [program, "--machine", place / f"{machine}.json", "--map", map_, "--markers", marks]
    words += ["--steps", base.folder / f"steps.{n}.bin", "--out", out]
    words += ["--begin", ends[MEASURE_START], "--end", ends[MEASURE_END]]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise RunError(done.stderr.strip() or f"mcpi-model ended with status {done.returncode}")
    told = json.loads(out.read_text())
    known = json.loads((base.folder / "counters.json").read_text())["nodes"][n]["all"]
    zeros = {name: 0 for name in known if name.startswith(PREDICTED)}
    banks = {bank: zeros | told[bank] for bank in ("all", "path")}
    return Predicted(banks, [tuple(event) for event in told["events"]])


def _result(
    record: RunSpec,
    machine: Machine,
    base: Recording,
    recorded: list[Event],
    real: list[Predicted],
    ideal: list[Predicted],
    place: Path,
) -> Result:
    for name in ("Node.json", "pal.elf"):
        shutil.copyfile(base.folder / name, place / name)
    counts, twins = ([one.counters for one in both] for both in (real, ideal))
    found = {
        "provenance": provenance.of(place, record, machine),
        "steady": measure.steady(counts, twins, machine),
        "nodes": measure.nodes(counts),
    }
    # Of controllers and wire the times are the recording's own.
    return result.of(
        found
        | measure.times(
            [timeline(recorded, real)],
            base.record.round_trips,
            machine.parameters["clock.ticks_per_us"],
            base.folder / "stamps.csv",
            measure.measured(recorded),
        )
    )


def timeline(recorded: list[Event], real: list[Predicted]) -> list[Event]:
    """The measured round trips with the model's busy times and the recording's other times."""
    kept: dict[int, list[Event]] = {n: [e for e in recorded if e.node == n] for n in (0, 1)}
    ours: dict[tuple[int, int], int] = {}  # (node, recorded tick, event) are unique by position
    index: dict[int, int] = {}
    for n in (CLIENT, SERVER):
        if [e.number for e in kept[n]] != [number for _, number in real[n].events]:
            raise RunError("the model passed other markers than the recording has")
        for k, e in enumerate(kept[n]):
            index[id(e)] = k
            ours[n, k] = real[n].events[k][0]
    window = measure.measured(recorded)
    trips = measure.round_trips(window)
    begin = next(e for e in window if (e.node, e.number) == (CLIENT, MEASURE_START))
    ends = [e for e in window if (e.node, e.number) == (CLIENT, measure.END)]
    out, now = [Event(0, CLIENT, MEASURE_START)], 0
    for (start, end), first, last in zip(trips, [begin, *ends], ends):
        inside = [e for e in window if start <= e.tick <= end]
        chain = _exchange(inside, first, last)
        # Five parts: the first, third and last are a processor's, the others are told.
        out.append(Event(now, CLIENT, measure.START))
        for part, (a, b) in enumerate(zip(chain, chain[1:])):
            busy = part % 2 == 0
            now += ours[b.node, index[id(b)]] - ours[a.node, index[id(a)]] if busy else (
                b.tick - a.tick
            )  # fmt: skip
            out.append(Event(now, b.node, b.number))
    return [*out, Event(now, CLIENT, MEASURE_END)]


def _exchange(inside: list[Event], first: Event, last: Event) -> list[Event]:
    """Start, hand-over, interrupt at the server, its hand-over, interrupt at the client, end."""

    def of(node: int, number: int) -> list[Event]:
        return [e for e in inside if (e.node, e.number) == (node, number)]

    sent, answered = of(CLIENT, HAND_OVER), of(SERVER, HAND_OVER)
    if len(sent) != 1 or len(answered) != 1:
        raise RunError("a recorded round trip is no single exchange; record another seed")
    arrived = [e for e in of(SERVER, NET_INTERRUPT) if sent[0].tick < e.tick < answered[0].tick]
    returned = [e for e in of(CLIENT, NET_INTERRUPT) if e.tick > answered[0].tick]
    return [first, sent[0], arrived[0], answered[0], returned[-1], last]


class Model:
    """A prediction: always of the same round trips of a short recording (explanation/model.md)."""

    name = MODEL

    def check(self, spec: RunSpec, machine: Machine) -> None:
        check(machine)

    def prepare(self, spec: RunSpec, machine: Machine, place: Path, bar: Bar) -> None:
        run_folder.write_spec(place, replace(spec, **MODELLED))

    def run(self, spec: RunSpec, machine: Machine, place: Path, built: None, bar: Bar) -> None:
        spec = replace(spec, **MODELLED)
        base = recording.make([recording.of(spec)], 1, bar)[0]
        plain = replace(spec, settings={})
        images = graph.images([plain], plain.check(), bar)[0]
        found = predict(spec, base, images, graph.model(bar), place)
        (place / "result.json").write_text(result.text(found))

    def result(self, spec: RunSpec, machine: Machine, place: Path) -> Result:
        return result.read(place / "result.json")


ENGINE = Model()
