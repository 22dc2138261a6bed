# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board attach``: one board as a host on the network, for whoever is at the other end.

Nothing is measured: who is there counts no cycles. The image is the graph of ``interop``, ARP,
ICMP, UDP and TCP with services above them; ``test_linux.py`` lets Linux talk to it.
"""

import contextlib
import time
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.progress import Bar, Update
from mcpi.engines.board.node import BoardNode, checked, opened
from mcpi.engines.board.session import bring_up
from mcpi.firmware import elf, interop
from mcpi.firmware import images as firmware
from mcpi.hardware.ethernet_phy import Mode
from mcpi.machine.profile import Machine
from mcpi.spec import node_image
from mcpi.spec.run_spec import RunSpec

NODE = 1  # its address; whoever is at the other end is node 0
SHOWN = ("sent", "received", "receive_errors", "send_dropped", "receive_dropped")
_LOOK = 0.1


def start(node: BoardNode, machine: Machine, own: Path, pal: Path, update: Update) -> None:
    """Link, load, run."""
    node.identify(machine)
    node.check_alone()
    bring_up([node], Mode.of(machine))
    images = elf.read(own, machine), elf.read(pal, machine, "pal")
    spec = RunSpec(round_trips=1, warmup=0)
    node.load(node_image.of_images(machine, node.names, spec, NODE, 1, *images), update)
    node.start()


def serve(node: BoardNode, seconds: float) -> dict[str, int]:
    """Until then, or ^C; the gateway's counts. Leaves the board stopped. RunError if it ends."""
    end = time.monotonic() + seconds if seconds else float("inf")
    said = 0
    try:
        while time.monotonic() < end:
            status = node.status()
            console = node.link.console[said:].decode("ascii", "replace")
            said += len(console)
            print(console, end="", flush=True)
            node.check_fault()
            if status.exited or status.halted:
                word = f"ended with {status.exit_code}" if status.exited else "halted"
                raise RunError(f"{node.path}: the machine has {word}.")
            time.sleep(_LOOK)
    except KeyboardInterrupt:
        print()
    finally:
        node.stop()
    counts = node.gateway()
    return {name: counts[name] for name in SHOWN if name in counts}


def run(port: str, baud: int, name: str, settings: dict[str, str], seconds: float) -> None:
    """The command."""
    machine = checked(port, name, settings)
    with contextlib.ExitStack() as stack:
        with Bar() as bar:
            with bar.task("firmware", 1):
                built = firmware.build(interop.plan(machine))
            node = stack.enter_context(opened(port, baud, name, settings, bar))
            with bar.task(f"board at {port}") as update:
                start(node, machine, built.image, built.pal, update)
        _greet(machine)
        counts = serve(node, seconds)
    print(", ".join(f"{key.replace('_', ' ')} {value}" for key, value in counts.items()))


def _greet(machine: Machine) -> None:
    """Print what the user can do now."""
    (ours, station), (theirs, _) = node_image.written(NODE), node_image.written(NODE ^ 1)
    print(
        f"{ours} ({station}) answers ARP, ping, UDP echo (port 7), and by TCP echo (7), discard "
        f"(9), a quote (17)\nand chargen (19). At the other end of the cable, as root:\n"
        f"  ip address add {theirs}/24 dev eth0; ip link set eth0 up; ping {ours}\n"
        + ("" if machine.real_time else "Its time is slower than yours, and so are time outs. ")
        + "^C ends it.",
        flush=True,
    )
