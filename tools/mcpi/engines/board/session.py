# SPDX-License-Identifier: BSD-2-Clause
"""Run a job on two boards at serial ports. They run what the simulator would, and leave its files.

The same program drives two simulated boards (``mcpi-sim board``) and two real ones.
"""

import contextlib
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Update
from mcpi.engines.board import exact_time, record
from mcpi.engines.board.node import BoardNode, Status, open_node
from mcpi.hardware.ethernet_phy import Mode
from mcpi.machine import boards
from mcpi.machine.profile import Machine, load
from mcpi.spec import node_image
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec

BEHIND_US = 1000  # of a machine in real time, at most: the time-outs of protocols are longer
SECONDS = 60.0  # without one more invocation: something waits for what never comes
MESSAGES = 10**6  # of a board in exact time, some 4 s of its own clock
START_GAP = 0.5  # seconds from the server's start to the client's; a frame lost costs more
_LOOK = 0.05
T = TypeVar("T")


def run(place: Path, folder: str, spec: RunSpec, phases: list[int], update: Update) -> None:
    """Perform a run; its files land in ``place/folder``. Always leaves the boards stopped."""
    machine = load(str(spec.machine), _settings(place / folder, spec))
    about = json.loads((place / "Node.json").read_text())
    with contextlib.ExitStack() as stack:
        nodes = []
        for path in spec.ports:
            node = open_node(path, _baud(spec), about["registers"], about["counters"])
            stack.callback(node.link.port.close)
            nodes.append(node)
        for node in nodes:
            node.identify(machine)
        began = time.monotonic()
        live = exact_time.hindrance(nodes, machine)
        bring_up(nodes, Mode.of(machine) if live else exact_time.mode(machine))
        images = [node_image.image(machine, number, place) for number in (0, 1)]
        unrecorded = live or record.hindrance(images)
        records = None if unrecorded else record.Pair(nodes, images)

        def load_node(number: int) -> dict[str, int]:
            words = about["registers"], spec, number, phases[number], place
            nodes[number].load(node_image.load(machine, *words, events=bool(records)), update)
            nodes[number].about |= {"unrecorded": unrecorded} if unrecorded else {}
            return nodes[number].gateway()

        before = _side_by_side(load_node)
        exact_time.begin(nodes, not live, bool(records))
        loaded = time.monotonic()
        try:
            ended = _until_over(nodes, spec, update, not live, records)
            for node in nodes:
                node.about |= {"live": live} if live else exact_time.waits(node)
            if records:
                records.end()
                records.write(place / folder, machine)
            _side_by_side(lambda number: _tell(nodes[number], machine, before[number]))

            def read(number: int) -> dict[str, dict[str, int]]:
                if not live:
                    nodes[number].stop()  # its counters stay, and a simulated one rests
                return nodes[number].read_counters(update)

            counters = _side_by_side(read)
        finally:
            _leave(place / folder, nodes)
        write(place / folder, "counters.json", {"nodes": counters})
        write(place / folder, "boards.json", {"boards": [node.about for node in nodes]})
        seconds = {"load": round(loaded - began, 3), "run": round(time.monotonic() - loaded, 3)}
        codes = [status.exit_code for status in ended]
        whole = [c["all"]["ticks"] for c in counters]
        summary = {"ticks": whole[0], "wall_seconds": seconds["run"], "exit_codes": codes}
        write(place / folder, "run.json", summary | {"seconds": seconds})


def _side_by_side(act: Callable[[int], T]) -> list[T]:
    """Results of ``act`` for both boards, each of which has a serial line of its own."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(act, SIDES.values()))


def _tell(node: BoardNode, machine: Machine, before: dict[str, int]) -> None:
    """Add to the node's part of boards.json the counts of the run. RunError for a machine in real
    time that its board did not keep up with; with ideal memory none does."""
    late = node.late_us(machine)
    node.about |= {"gateway": node.gateway(before), "pages_used": node.pages_used()}
    node.about |= {"retries": node.link.retries} | ({} if late is None else {"late_us": late})
    if late is not None and late > BEHIND_US and not machine.parameters["memory.ideal"]:
        raise RunError(
            f"{node.path}: virtual time was {late:.0f} µs behind real time: the board does not "
            f"hold the {machine.ticks_per_us} ticks a microsecond of "
            f"{machine.name} in this run. Take fewer: clock.ticks_per_us."
        )


def bring_up(nodes: list[BoardNode], mode: Mode) -> None:
    """Link, at both ends: a PHY is in reset until the host lets it go, so both before either."""
    for node in nodes:
        node.start_phy(mode)
    for node in nodes:
        node.await_link(mode)


def write(folder: Path, name: str, what: dict) -> None:
    (folder / name).write_text(json.dumps(what, indent=1) + "\n")


def _settings(folder: Path, spec: RunSpec) -> dict[str, str]:
    """The spec's, and of this job whether memory is ideal."""
    ideal = json.loads((folder / "machine.json").read_text())["parameters"]["memory.ideal"]
    return spec.settings | ({"memory.ideal": "on"} if ideal else {})


def _baud(spec: RunSpec) -> int:
    return spec.baud or boards.SIMULATED_BAUD


class Stillness:
    """How long no invocation has come. In exact time a board sends messages all the time, so they
    are a clock of its own: a simulated board may need minutes for a round trip."""

    def __init__(self, node: BoardNode, exact: bool) -> None:
        self.node, self.exact = node, exact
        self.invocations, self.since, self.sent = -1, 0.0, 0

    def too_long(self, invocations: int) -> bool:
        if invocations != self.invocations:
            self.invocations, self.since = invocations, time.monotonic()
            self.sent = exact_time.messages(self.node) if self.exact else 0
            return False
        if time.monotonic() - self.since <= SECONDS:
            return False
        return not self.exact or exact_time.messages(self.node, self.sent) > MESSAGES


def _until_over(
    nodes: list[BoardNode],
    spec: RunSpec,
    update: Update,
    exact: bool,
    records: record.Pair | None,
) -> list[Status]:
    """Server first; until both guests have ended. RunError if one fails or nothing moves."""
    client, server = nodes
    server.start()
    if server.about["board"] != boards.SIMULATED and not exact:
        time.sleep(START_GAP)
    client.start()
    total = spec.warmup + spec.round_trips
    still = Stillness(client, exact)
    while True:
        status = [node.status() for node in nodes]
        update(min(status[0].invocations, total), total, "round trips")
        for number, (node, now) in enumerate(zip(nodes, status)):
            node.check_fault()
            if exact:
                exact_time.check(node)
            who = f"node {number} ({node.path})"
            if now.owners_error:
                raise RunError(f"{who}: owners error: the owners' ticks do not sum up to ticks.")
            if now.refused:
                raise RunError(
                    f"{who}: a host register that is set before a run was written during it. "
                    "Does another program use this port?"
                )
            if now.exited and now.exit_code:
                raise RunError(
                    f"{who} ended with exit code {now.exit_code}; see console.{number}.txt."
                )
            if now.halted and not now.exited:
                raise RunError(f"{who} has halted; see console.{number}.txt.")
        if all(now.exited for now in status):
            if not all(now.ended for now in status):
                raise RunError(
                    "the guests ended before the measurement did: "
                    + ", ".join(f"{now.invocations} invocations" for now in status)
                )
            return status
        if still.too_long(sum(now.invocations for now in status)):
            raise RunError(
                f"nothing has moved for {SECONDS:.0f} s: {status[0].invocations} of {total} round "
                f"trips on the client. {_frames(nodes)}"
            )
        if records:
            records.take()
        else:
            time.sleep(_LOOK)


def _frames(nodes: list[BoardNode]) -> str:
    """Where frames were lost, in a sentence."""
    said = []
    for node in nodes:
        g = node.gateway()
        said.append(f"{node.path} sent {g.get('sent')} and received {g.get('received')} frames")
    return "; ".join(said) + "."


def _leave(folder: Path, nodes: list[BoardNode]) -> None:
    """Stop them if they still listen, and keep what the guests printed."""
    for number, node in enumerate(nodes):
        with contextlib.suppress(RunError, UserError):
            node.link.poll()
            node.stop()
        (folder / f"console.{number}.txt").write_bytes(bytes(node.link.console))
