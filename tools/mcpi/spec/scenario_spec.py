# SPDX-License-Identifier: BSD-2-Clause
"""Spec of ``./mcpi scenario``: nodes, switches, links (docs/how-to/scenario.md)."""

import dataclasses
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.firmware.program import has_sockets
from mcpi.machine.profile import Machine, load
from mcpi.spec import watching
from mcpi.spec.numbers import SIDES
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec

LEAST, MOST = 2, 8  # nodes
NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
LIMITS = {"seed": (0, 2**64 - 1), "max_ticks": (1, 10**12)}
LATENCY_US = (0, 100_000)
QUEUE = (1, 4096)
DELAY_NS = (0, 1_000_000)
# Equal on all nodes: they share ticks and bit clock.
SHARED = ("clock.ticks_per_us", "link.mbps", "link.duplex")


@dataclass(frozen=True)
class Node:
    """``runs``: what it runs, a program or a side of a stack; ``role``: which side, client or
    server; ``peer``: the node that it knows as the other machine. ``ends``: the scenario lasts
    until it has exited."""

    name: str
    runs: ProgramSpec | RunSpec
    role: str = "client"
    peer: str = ""
    ends: bool = True

    @property
    def is_program(self) -> bool:
        return isinstance(self.runs, ProgramSpec)


@dataclass(frozen=True)
class Switch:
    """``latency_us``: from the last bit of a frame until it may leave; ``queue``: frames that wait
    at a port at most."""

    name: str
    latency_us: float = 10.0
    queue: int = 64


@dataclass(frozen=True)
class Link:
    """A cable between two nodes or switches. ``delay_ns``: of propagation. ``faults``: of what an
    end sends, by the name of the end: values by key (segment.md)."""

    between: tuple[str, str]
    delay_ns: float = 50.0
    faults: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "-".join(self.between)


@dataclass(frozen=True)
class ScenarioSpec:
    """``file``: where it stands; nodes have the numbers of their order."""

    file: str
    nodes: tuple[Node, ...]
    switches: tuple[Switch, ...]
    links: tuple[Link, ...]
    seed: int = ProgramSpec.seed
    max_ticks: int = ProgramSpec.max_ticks

    @property
    def title(self) -> str:
        return Path(self.file).stem

    def check(self) -> dict[str, Machine]:
        """Refuse what does not exist or does not go together; the machines by node."""
        for name, (low, high) in LIMITS.items():
            if not low <= getattr(self, name) <= high:
                raise UserError(f"{name} = {getattr(self, name)}: outside {low} to {high}.")
        if not LEAST <= len(self.nodes) <= MOST:
            raise UserError(
                f"{self.file}: a scenario has {LEAST} to {MOST} nodes, and this {len(self.nodes)}."
            )
        if not any(node.ends for node in self.nodes):
            raise UserError(f"{self.file}: every node has ends = false: the run would never end.")
        self._check_names()
        self._check_switches_and_links()
        self._check_tree()
        machines = {node.name: _checked(node) for node in self.nodes}
        _check_shared(machines)
        self._check_peers()
        return machines

    def number(self, name: str) -> int:
        return [node.name for node in self.nodes].index(name)

    def peer(self, node: Node) -> int:
        """Number of the node that it knows as the other machine: the first one, if not given."""
        if node.peer:
            return self.number(node.peer)
        return 0 if self.nodes[0] is not node else 1

    def command(self) -> str:
        words = [f"--{name.replace('_', '-')} {getattr(self, name)}" for name in LIMITS]
        return " ".join(["./mcpi scenario", shlex.quote(self.file), *words])

    def _check_names(self) -> None:
        names = [one.name for one in (*self.nodes, *self.switches)]
        for name in names:
            if not NAME.fullmatch(name):
                raise UserError(
                    f"{name!r}: a name is small letters, digits and hyphens, 32 at most."
                )
            if names.count(name) > 1:
                raise UserError(f"{name}: a node and a switch have this name; names differ.")

    def _check_switches_and_links(self) -> None:
        for one in self.switches:
            _within(f"switch {one.name}: latency_us", one.latency_us, LATENCY_US)
            _within(f"switch {one.name}: queue", one.queue, QUEUE)
        names = [one.name for one in (*self.nodes, *self.switches)]
        for link in self.links:
            _within(f"link {link.name}: delay_ns", link.delay_ns, DELAY_NS)
            for end in (*link.between, *link.faults):
                there = link.between if end in link.faults else names
                if end not in there:
                    raise UserError(
                        f"link {link.name}: there is no {end}. There are: {', '.join(there)}."
                    )
            for end, faults in link.faults.items():
                _check_faults(f"link {link.name}: {end}", faults)
        links = [link.name for link in self.links]
        if twice := [name for name in links if links.count(name) > 1]:
            raise UserError(f"two links have the name {twice[0]}, and so one pcap: rename an end.")

    def _check_tree(self) -> None:
        """A node has one link; there is one way between any two."""
        for node in self.nodes:
            links = [link.name for link in self.links if node.name in link.between]
            if len(links) != 1:
                raise UserError(
                    f"node {node.name}: it has one controller, so one link, and there are "
                    f"{len(links)}{': ' if links else '.'}{', '.join(links)}"
                )
        group = {one.name: one.name for one in (*self.nodes, *self.switches)}
        for link in self.links:
            first, second = (group[end] for end in link.between)
            if first == second:
                raise UserError(
                    f"link {link.name}: there is another way between its ends. Frames to all would "
                    "go round for ever: these switches know no spanning tree."
                )
            group = {name: first if of == second else of for name, of in group.items()}
        if len(set(group.values())) > 1:
            apart = sorted(name for name, of in group.items() if of != group[self.nodes[0].name])
            raise UserError(f"{', '.join(apart)}: no link leads to {self.nodes[0].name}.")

    def _check_peers(self) -> None:
        names = {node.name: node for node in self.nodes}
        for node in self.nodes:
            if node.peer and (node.peer not in names or node.peer == node.name):
                raise UserError(f"node {node.name}: peer = {node.peer!r} is no other node.")
            if node.is_program:
                if len(self.nodes) > LEAST and any(
                    has_sockets(Path(source)) for source in node.runs.sources
                ):
                    raise UserError(
                        f"node {node.name}: its sockets know one other machine, and there are "
                        f"{len(self.nodes)} nodes. mcpi_net.h has UDP to any node."
                    )
                continue
            other = names.get(node.peer)
            if other is None or other.is_program or other.role == node.role:
                wanted = next(side for side in SIDES if side != node.role)
                raise UserError(
                    f"node {node.name}: a stack's {node.role} wants a peer that is the {wanted} of "
                    "the same stack."
                )
            if other.peer != node.name or other.runs.stack != node.runs.stack:
                raise UserError(f"nodes {node.name}, {other.name}: they are no pair of one stack.")
            for key in ("round_trips", "warmup"):
                if getattr(other.runs, key) != getattr(node.runs, key):
                    raise UserError(f"nodes {node.name}, {other.name}: they differ in {key}.")


def _within(what: str, value: float, limits: tuple[float, float]) -> None:
    low, high = limits
    if not low <= value <= high:
        raise UserError(f"{what} = {value:g}: outside {low:g} to {high:g}.")


def _check_faults(said: str, faults: dict[str, str]) -> None:
    for key, value in faults.items():
        if key not in watching.FAULTS:
            raise UserError(f"{said}: no fault {key}: {', '.join(watching.FAULTS)}.")
        watching.check_fault(f"{said}: {key} = {value}", key, value)
        watching.check_effect(f"{said}: {key}", key, faults)


def _checked(node: Node) -> Machine:
    """Machine of a node whose own spec is right."""
    runs = node.runs
    if node.is_program:  # somebody is at the other end
        runs = dataclasses.replace(runs, peer=runs.sources)
    try:
        if load(runs.machine, runs.settings).coherent:
            raise UserError(f"machine {runs.machine} has several cores and no wire.")
        machine = runs.check()
    except UserError as error:
        raise UserError(f"node {node.name}: {error}") from None
    assert runs.engine == EXACT
    return machine


def _check_shared(machines: dict[str, Machine]) -> None:
    (first, one), *others = machines.items()
    for key in SHARED:
        for name, machine in others:
            if machine.parameters[key] != one.parameters[key]:
                raise UserError(
                    f"nodes {first} and {name} differ in {key}: {one.parameters[key]} and "
                    f"{machine.parameters[key]}. All nodes share ticks and bit clock."
                )
    if one.parameters["link.duplex"] != "full":
        raise UserError("link.duplex = half: the links of a scenario are full duplex.")
