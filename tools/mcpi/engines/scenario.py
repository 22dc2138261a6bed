# SPDX-License-Identifier: BSD-2-Clause
"""Several nodes on a network, on the exact engine: built, run, measured.

The folder of the run has, of node N, ``machine.N.json``, ``image.N.elf``, ``pal.N.elf``, what is
measured (``markers.N.csv``), the bounds of a program (``guard.N.csv``), its console and passages;
of each link a pcap; and ``plan.json``, which ``mcpi-exact scenario`` reads.
"""

import json
import shutil
from pathlib import Path

from mcpi.base.process import Stop
from mcpi.base.progress import Bar
from mcpi.build import graph, models
from mcpi.engines import program
from mcpi.engines.simulate import follow
from mcpi.firmware import bounds, compiler_words
from mcpi.firmware.clone.program import Program
from mcpi.firmware.elf import PHYSICAL
from mcpi.firmware.regions import Region
from mcpi.machine.profile import Machine
from mcpi.results import provenance, regions
from mcpi.spec import watching
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import EXACT
from mcpi.spec.scenario_spec import Link, Node, ScenarioSpec

PLAN = "plan.json"
MAC, HOST = 0x2B0008, 0x0A000001  # of node 0 (sim/base/bootparams.cpp)
# In these functions of the runtime a program does nothing but wait for a frame.
WAITING = ("mcpi_frame_receive",)
PATH = "path"  # a stack's only region
Measured = dict[str, list[Region] | None]  # by node; None: a stack


def prepare(
    spec: ScenarioSpec, machines: dict[str, Machine], place: Path, bar: Bar
) -> tuple[Path, Measured]:
    """Build what changed and put everything that the run depends on into ``place``. Return the
    simulator, and what is measured."""
    graph.check_tools(EXACT)
    place.mkdir(parents=True, exist_ok=True)
    measured: Measured = {}
    plans = []
    with bar.task("nodes", len(spec.nodes)) as update:
        for number, node in enumerate(spec.nodes):
            measured[node.name] = _fill(place, node, number, machines[node.name], bar)
            plans.append(_node(spec, node, number, place))
            update(number + 1, len(spec.nodes), node.name)
    any_of = next(iter(machines.values()))  # their clocks and links are the same
    per_us = any_of.ticks_per_us
    plan = {
        "seed": spec.seed,
        "max_ticks": spec.max_ticks,
        "nibble_ticks": any_of.nibble_ticks,
        "ticks_per_us": per_us,
        "nodes": plans,
        "switches": [
            {"name": s.name, "latency_ticks": round(s.latency_us * per_us), "queue": s.queue}
            for s in spec.switches
        ],
        "links": [_link(spec, link, per_us) for link in spec.links],
    }
    (place / PLAN).write_text(json.dumps(plan, indent=1) + "\n")
    return models.build("mcpi-exact"), measured


def run(spec: ScenarioSpec, place: Path, simulator: Path, bar: Bar) -> None:
    """Leave the run's files in ``place``."""
    words = [str(simulator), "scenario", "--plan", PLAN, "--out", "."]
    with bar.task(spec.title, 1) as update:
        follow(
            words, place, ".", lambda _, ticks: update(0, 1, f"{ticks / 1e6:.1f} M ticks"), Stop()
        )


def record(
    spec: ScenarioSpec, machines: dict[str, Machine], measured: Measured, place: Path
) -> dict:
    """All that ``scenario.json`` says, from the files of the run."""
    ran = json.loads((place / "run.json").read_text())
    commit, dirty = provenance.commit_of_checkout()
    nodes = {}
    for n, node in enumerate(spec.nodes):
        own = machines[node.name]
        places = measured[node.name]
        if places is None:
            whole = regions.whole(place, n, own)
            found = {PATH: whole} if whole else {}
        else:
            found = regions.parts(place, None, n, places, own)
        nodes[node.name] = {
            "machine": own.name,
            "settings": dict(sorted(node.runs.settings.items())),
            "runs": node.runs.program or node.runs.title,
            "exit_code": ran["exit_codes"][n],
            "ended_tick": ran["ended"][n],
            "instructions": ran["instructions"][n],
            "frames": _frames(spec, ran, node.name),
            "regions": found,
        }
    links = {
        one["name"]: dict(zip(link.between, _ends(one), strict=True))
        for link, one in zip(spec.links, ran["links"], strict=True)
    }
    return {
        "scenario": Path(spec.file).name,
        "commit": commit,
        "dirty": dirty,
        "command": spec.command(),
        "seed": spec.seed,
        "ticks": ran["ticks"],
        "ticks_per_us": next(iter(machines.values())).ticks_per_us,
        "nodes": nodes,
        "links": links,
        "switches": {one.pop("name"): one for one in ran["switches"]},
    }


def _ends(link: dict) -> list[dict]:
    """Frames that each end has sent, and the faults they suffered."""
    faults = [{k: v for k, v in counts.items() if v} for counts in link["faults"]]
    return [
        {"frames_sent": sent} | ({"faults": lost} if lost else {})
        for sent, lost in zip(link["frames"], faults, strict=True)
    ]


def _frames(spec: ScenarioSpec, ran: dict, node: str) -> dict[str, int]:
    """Frames that a node has sent, and that came to it over its link."""
    for link, one in zip(spec.links, ran["links"], strict=True):
        if node in link.between:
            at = link.between.index(node)
            return {"sent": one["frames"][at], "came": one["frames"][1 - at]}
    return {"sent": 0, "came": 0}


def _fill(place: Path, node: Node, number: int, machine: Machine, bar: Bar) -> list[Region] | None:
    graph.write(place / f"machine.{number}.json", machine.to_json())
    if not node.is_program:
        built = graph.build(node.runs, machine, bar)
        image = built.peer if SIDES[node.role] and built.peer else built.image
        _copy(place, number, image, built.pal)
        return None
    side, pal = program.build_side(node.runs, machine, node.runs.given, True)
    if words := compiler_words.warnings(side.said):
        bar.say(words.rstrip())
    _copy(place, number, side.elf, pal)
    program.write_markers(place, f"markers.{number}.csv", side, side.regions)
    if text := bounds.text(side.elf, machine):
        (place / f"guard.{number}.csv").write_text(text)
    return side.regions


def _copy(place: Path, number: int, image: Path, pal: Path) -> None:
    shutil.copyfile(image, place / f"image.{number}.elf")
    shutil.copyfile(pal, place / f"pal.{number}.elf")


def _node(spec: ScenarioSpec, node: Node, number: int, place: Path) -> dict:
    """Part of ``plan.json`` of a node."""
    peer = spec.peer(node)
    boot = node.runs.boot() | {"seed": spec.seed}
    boot |= {"role": number if node.is_program else SIDES[node.role]}
    boot |= {"peer_mac": MAC | (peer + 1) << 40, "peer_ip": HOST + peer}
    found = {
        "name": node.name,
        "machine": f"machine.{number}.json",
        "pal": f"pal.{number}.elf",
        "image": f"image.{number}.elf",
        "boot": [f"{key}={value}" for key, value in boot.items()],
        "ends": node.ends,
        "waits": _waits(place / f"image.{number}.elf") if node.is_program else [],
    }
    for kind in ("markers", "guard"):
        if (place / (name := f"{kind}.{number}.csv")).exists():
            found[kind] = name
    return found


def _waits(image: Path) -> list[list[int]]:
    functions = Program(image).functions
    there = [functions[name] for name in WAITING if name in functions]
    return [[one.start & PHYSICAL, one.end & PHYSICAL] for one in there]


def _link(spec: ScenarioSpec, link: Link, per_us: int) -> dict:
    switches = [one.name for one in spec.switches]
    ends = [
        ["switch", switches.index(end)] if end in switches else ["node", spec.number(end)]
        for end in link.between
    ]
    return {
        "name": link.name,
        "delay_ticks": round(link.delay_ns * per_us / 1000),
        "ends": ends,
        "faults": [_faults(spec, link, end) for end in link.between],
    }


def _faults(spec: ScenarioSpec, link: Link, end: str) -> list[str]:
    """``key=value`` of the faults of what an end sends, with a seed of their own."""
    given = dict(link.faults.get(end, {}))
    if set(given).intersection(watching.RATES):
        seed = watching.fault_seed(spec.seed, f"{link.name} {end}")
        given = {"seed": str(seed)} | given
    files = {key: str(Path(given[key]).resolve()) for key in watching.FILES if key in given}
    return [f"{key}={value}" for key, value in (given | files).items()]
