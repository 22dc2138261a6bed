# SPDX-License-Identifier: BSD-2-Clause
"""Two machines on a half-duplex segment (link.duplex = half), every instruction in lock-step: both
open a connection to the other in the same moment, and their first frames collide."""

import json
import sys
import zlib
from pathlib import Path

import pytest
from scapy.utils import rdpcap

sys.path.insert(0, str(Path(__file__).parent))
from sim_support import run

from mcpi import graph
from mcpi.progress import Bar
from mcpi.record import Record

SAME = ["events.csv", "stamps.csv", "counters.json", "wire.pcap", "console.0.txt", "console.1.txt"]


@pytest.fixture(scope="module")
def simulate(tmp_path_factory):
    """simulate(name, option...) -> its folder; two TCP clients, none of which serves: both give up
    (status 1) behind the handshake."""
    folder = tmp_path_factory.mktemp("half")
    record = Record(settings={"link.duplex": "half"})
    machine = record.check()
    with Bar() as bar:
        built = graph.build(record, machine, bar)
    description = folder / "machine.json"
    description.write_text(machine.to_json())

    def one(name: str, *options: str, status: int = 1):
        words = [built.simulator, "--out", folder / name, "--machine", description]
        words += ["--node-json", built.node_json]
        for node in (0, 1):
            items = (f"pal={built.pal}", f"image={built.image}", "boot.role=0", "phase=150000")
            words += [word for item in items for word in ("--node", f"{node}:{item}")]
        done = run(*words, "--max-ticks", "2000000", *options, check=False)
        text = done.stderr.decode()
        assert done.returncode == status, text
        if status == 1:
            assert text.splitlines()[-1].startswith("mcpi-sim: node 0 ended with exit code"), text
        return folder / name if status == 1 else text

    return one


def told(folder: Path) -> dict:
    return json.loads((folder / "run.json").read_text())


def different(a: Path, b: Path) -> list[str]:
    return [name for name in SAME if (a / name).read_bytes() != (b / name).read_bytes()]


# Their first frames are some 80 ticks apart: shorter cables carry the one before the other begins.
@pytest.mark.parametrize("cable", [400, 2000])
def test_machines_collide_and_all_arrives(simulate, cable):
    folder = simulate(f"cable-{cable}", "--cable-ticks", str(cable))
    about = told(folder)
    segment = about["wire"]["segment"]
    print(segment)
    assert segment["collided"] >= 2 and segment["collisions"] >= 2
    assert segment["attempts"] - segment["collided"] == about["frames"] >= 4
    frames = [bytes(p) for p in rdpcap(str(folder / "wire.pcap"))]
    assert len(frames) == about["frames"] and about["frames_not_in_pcap"] == 0
    assert {frame[11] for frame in frames[:2]} == {1, 2}, "both first frames came through"
    for frame in frames:
        assert zlib.crc32(frame[:-4]) == int.from_bytes(frame[-4:], "little")


@pytest.mark.parametrize("cable", [9, 2000])
def test_skipping_changes_nothing_on_a_segment(simulate, cable):
    words = ("--cable-ticks", str(cable))
    plain = simulate(f"plain-{cable}", "--no-skip", *words)
    assert not different(plain, simulate(f"skipping-{cable}", *words))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--wire", "0:lose=0.1"], "faults are of the full-duplex wire"),
        (["--cable-ticks", "0"], "1 to 4340"),
        (["--cable-ticks", "5000"], "1 to 4340"),
        (["--outside"], "link.duplex full"),
        (["--serial"], "link.duplex full"),
    ],
)
def test_what_a_segment_has_not(simulate, options, said):
    text = simulate("slip", *options, status=2)
    assert said in text and text.count("\n") == 1
