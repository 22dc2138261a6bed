# SPDX-License-Identifier: BSD-2-Clause
"""Two machines on a half-duplex segment (link.duplex = half): a bulk transfer, in which data and
acknowledgements collide, every instruction in lock-step."""

import json
import sys
from pathlib import Path

import pytest
from scapy.utils import rdpcap

sys.path.insert(0, str(Path(__file__).parent))
from sim_support import run

from mcpi import compose, firmware, graph
from mcpi.paths import ROOT
from mcpi.progress import Bar
from mcpi.record import Record

SEGMENTS = 12
SAME = ["events.csv", "stamps.csv", "counters.json", "wire.pcap", "console.0.txt", "console.1.txt"]


@pytest.fixture(scope="module")
def simulate(tmp_path_factory):
    """simulate(name, option...) -> its folder; a TCP client fills the server's window."""
    folder = tmp_path_factory.mktemp("half")
    record = Record(settings={"link.duplex": "half"})
    machine = record.check()
    with Bar() as bar:
        built = graph.build(record, machine, bar)
    with compose.graphs_in(ROOT / "bench" / "bulk"):
        plan = firmware.plan(machine, "std", "tcp", ("BULK_BUFFER=4096",))
    firmware.build(plan)
    description = folder / "machine.json"
    description.write_text(machine.to_json())

    def one(name: str, *options: str, check=True):
        words = [built.simulator, "--out", folder / name, "--machine", description]
        words += ["--node-json", built.node_json]
        for node in (0, 1):
            items = (f"pal={plan.pal}", f"image={plan.image}", f"boot.round_trips={SEGMENTS}")
            words += [word for item in items for word in ("--node", f"{node}:{item}")]
        done = run(*words, *options, check=check)
        return folder / name if check else done

    return one


def told(folder: Path) -> dict:
    return json.loads((folder / "run.json").read_text())


def different(a: Path, b: Path) -> list[str]:
    return [name for name in SAME if (a / name).read_bytes() != (b / name).read_bytes()]


@pytest.mark.parametrize("cable", [9, 2000])
def test_machines_collide_and_all_arrives(simulate, cable):
    folder = simulate(f"cable-{cable}", "--cable-ticks", str(cable))
    about = told(folder)
    segment = about["wire"]["segment"]
    print(segment)
    assert about["exit_codes"] == [0, 0]
    assert segment["collided"] > 0, "nobody collided: then this shows nothing"
    assert segment["collisions"] >= segment["collided"] // 2
    assert segment["attempts"] - segment["collided"] == about["frames"]
    assert len(rdpcap(str(folder / "wire.pcap"))) == about["frames"]


@pytest.mark.slow
@pytest.mark.parametrize("cable", [9, 2000])
def test_skipping_changes_nothing_on_a_segment(simulate, cable):
    words = ("--cable-ticks", str(cable), "--seed", "3")
    plain = simulate(f"plain-{cable}", "--no-skip", *words)
    assert told(plain)["wire"]["segment"]["collided"] > 0
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
    done = simulate("slip", *options, check=False)
    text = done.stderr.decode()
    assert done.returncode == 2 and said in text and text.count("\n") == 1
