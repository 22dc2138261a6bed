# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board test``: one board alone on the bench, looped; pass or fail with figures.

Who it is, its RAM by a march over the host link, its PHY, then frames that the machine sends to
itself (``firmware/apps/loopback``) through the loop. A step that fails ends the test.
"""

import dataclasses
import random
import time
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar, Update
from mcpi.engines.board.node import BoardNode, Status, checked, opened
from mcpi.firmware import elf, images
from mcpi.hardware import ethernet_phy
from mcpi.machine import boards
from mcpi.machine.boards import Board
from mcpi.machine.profile import Machine
from mcpi.spec import node_image
from mcpi.spec.run_spec import RunSpec

BLOCK = 32  # bytes of a page that are marched over, as the controller moves them
GUEST = "loopback"
# An Am7990 does not keep up with itself: a burst each way takes it 13.4 us, on the wire it lasts
# 12.8 (docs/sources/lance.md 2). So these times of the controller are zero here.
BURST = ("lance.word_ns", "lance.gap_ns", "lance.arbitration_ns")
LOOPS = ("phy", "cable")
MARCHED = 128
PATIENCE = 10.0, 0.05  # seconds, and for each frame: one that is lost takes a board 0.02
SIMULATED_PATIENCE = 180.0, 1.0  # on a busy computer
_LOOK = 0.05


@dataclass(frozen=True)
class Step:
    """A step of the test: its name and what it found."""

    name: str
    found: str


def march(node: BoardNode, page_bytes: int, pages: int, seed: int, update: Update) -> str:
    """March C- over blocks: each holds what depends on its address.

    Up: write 0; up: read 0, write 1; up: read 1, write 0; the same two down; read 0. 0 and 1 stand
    for a random block and its complement. First and last pass take a block of every page, so that
    all of RAM is given out, the others of some 128; at another offset in each, so that every
    address line moves.
    """
    source = random.Random(seed)
    places = []
    for page in range(pages):
        places.append(page * page_bytes + source.randrange(page_bytes // BLOCK) * BLOCK)
    zero = [source.randbytes(BLOCK) for _ in places]
    one = [bytes(byte ^ 0xFF for byte in data) for data in zero]
    every, up = range(pages), range(0, pages, -(-pages // MARCHED))
    down = up[::-1]
    steps = [(every, None, zero), (up, zero, one), (up, one, zero), (down, zero, one)]
    steps += [(down, one, zero), (every, zero, None)]
    total = sum(len(order) for order, _, _ in steps)
    node.link.write(node.names["board.pages_used"], 0)
    done = 0
    for order, wanted, written in steps:
        for n in order:
            if wanted is not None:
                found = node.link.read_ram(places[n], BLOCK)
                if found != wanted[n]:
                    raise RunError(_where(node, places[n], wanted[n], found))
            if written is not None:
                node.link.write_ram(places[n], written[n])
            done += 1
            update(done, total, "blocks")
    node.check_fault()
    used = node.link.read(node.names["board.pages_used"])
    if used != pages:
        raise RunError(f"{node.path}: {pages} pages were written, the board counts {used}.")
    return f"{pages} pages of {page_bytes} bytes, a block of each; {len(up)} in all six passes"


def _where(node: BoardNode, place: int, wanted: bytes, found: bytes) -> str:
    bits = [
        8 * at + bit
        for at, (a, b) in enumerate(zip(wanted, found))
        for bit in range(8)
        if (a ^ b) >> bit & 1
    ]
    few = ", ".join(map(str, bits[:8])) + (" …" if len(bits) > 8 else "")
    return (
        f"{node.path}: RAM at {place:#x}: {len(bits)} of {8 * BLOCK} bits are wrong (bit {few}): "
        f"wanted {wanted.hex()}, read {found.hex()}."
    )


def _identity(node: BoardNode, machine: Machine) -> tuple[Board | None, str]:
    node.identify(machine)
    node.check_alone()
    about = node.about
    board = boards.by_identity(str(about["board"]))
    if board is None and about["board"] != boards.SIMULATED:
        raise RunError(f"{node.path}: board {about['board']}: boards/ has no such folder.")
    if board and (board.pages, board.clock_khz) != (about["pages"], about["clock_khz"]):
        raise RunError(
            f"{node.path}: {about['pages']} pages at {about['clock_khz']} kHz, its board.toml "
            f"says {board.pages} at {board.clock_khz} kHz: another bitstream than was built here."
        )
    text = f"{about['board']}, {about['clock_khz']} kHz, {about['pages']} pages, RTL "
    return board, text + str(about["rtl_digest"])


def _phy(node: BoardNode, board: Board | None, machine: Machine, loop: str) -> str:
    if board is None:
        return "none: a simulated board"
    mbps = machine.parameters["link.mbps"]
    found = ethernet_phy.loop_back(node.link, node.names, board.phy, mbps, by_cable=loop == "cable")
    return ", ".join(f"{name} {value}" for name, value in found.items())


def guest(machine: Machine) -> tuple[Path, Path]:
    """The image that sends to itself, and PALcode; built if they are not."""
    plan = images.build(images.plan(machine, "std", GUEST))
    return plan.image, plan.pal


def _frames(node: BoardNode, machine: Machine, frames: int, seed: int, update: Update) -> str:
    """The guest's own counts must be the gateway's."""
    own, pal = guest(machine)
    machine = dataclasses.replace(machine, parameters=machine.parameters | dict.fromkeys(BURST, 0))
    spec = RunSpec(round_trips=frames, warmup=0, seed=seed)
    what = node_image.of_images(
        machine, node.names, spec, 0, 1, elf.read(own, machine), elf.read(pal, machine, "pal")
    )
    before = node.gateway()
    node.load(what, update)
    node.start()
    try:
        status = _over(node, frames)
    finally:
        node.stop()
    said = bytes(node.link.console).decode("ascii", "replace").strip().splitlines()
    text = said[-1] if said else "the machine said nothing"
    if status.exit_code:
        raise RunError(f"{node.path}: {text}. {_advice(text)}")
    counts = node.gateway(before)
    if node.about["board"] != boards.SIMULATED:  # which has no gateway
        for name, wanted in (("sent", frames), ("received", frames), ("receive_errors", 0)):
            if counts[name] != wanted:
                raise RunError(f"{node.path}: {text}, but the gateway counts {counts}.")
    return text.removeprefix(f"{GUEST}: ")


def _advice(text: str) -> str:
    if "received 0" in text:
        return "Nothing came back: is the cable looped (or --loop phy), is the PHY's clock there?"
    return "Some came back: signal quality, or the phase of the PHY's clock."


def _over(node: BoardNode, frames: int) -> Status:
    """When the guest has ended; RunError if it does not."""
    simulated = node.about["board"] == boards.SIMULATED
    least, each = SIMULATED_PATIENCE if simulated else PATIENCE
    seconds = least + each * frames
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        status = node.status()
        node.check_fault()
        if status.exited:
            return status
        if status.halted:
            raise RunError(f"{node.path}: the machine has halted.")
        time.sleep(_LOOK)
    raise RunError(f"{node.path}: the machine has not ended within {seconds:.0f} s.")


def test(
    node: BoardNode,
    machine: Machine,
    loop: str,
    frames: int,
    seed: int,
    update: Update,
) -> list[Step]:
    """All steps; RunError at the first that fails."""
    board, who = _identity(node, machine)
    steps = [Step("identity", who)]
    page_bytes = board.page_bytes if board else boards.SIMULATED_PAGE
    pages = int(node.about["pages"])
    steps.append(Step("RAM", march(node, page_bytes, pages, seed, update)))
    steps.append(Step("PHY", _phy(node, board, machine, loop)))
    steps.append(Step("frames", _frames(node, machine, frames, seed, update)))
    steps.append(Step("line", f"{node.link.retries} requests sent again"))
    return steps


def run(
    port: str,
    baud: int,
    loop: str,
    frames: int,
    seed: int,
    name: str,
    settings: dict[str, str],
) -> None:
    """The command: prints each step, then pass; RunError says what failed."""
    if loop not in LOOPS:
        raise UserError(f"--loop {loop}: there are {' and '.join(LOOPS)}.")
    machine = checked(port, name, settings)
    with Bar() as bar, opened(port, baud, name, settings, bar) as node:
        with bar.task("self-test") as update:
            steps = test(node, machine, loop, frames, seed, update)
    for step in steps:
        print(f"  {step.name:<9} {step.found}")
    print(f"pass: {port}")
