# SPDX-License-Identifier: BSD-2-Clause
"""A whole node runs a small guest: every path from the host link to the station ROM."""

import hashlib
import json
import re
import struct
import subprocess
from pathlib import Path

import pytest

from mcpi.base.process import heard
from mcpi.build import graph
from mcpi.machine import profile
from mcpi.results import windows
from mcpi.spec.run_spec import RTL, RunSpec

PAL = 0x10000
PERIOD = round(175e6 / 1024)  # ticks of the timer
NOT_TIME = ("clocks", "withheld")  # what RAM and host change
GUEST = Path(__file__).with_name("guest.S")


@pytest.fixture(scope="module")
def built():
    return graph.build(RunSpec(engine=RTL))


def link(folder: Path, source: Path, base: int) -> Path:
    """`source`, assembled and linked to run at `base`."""
    out = folder / source.stem
    words = ["alpha-linux-gnu-as", "-mev4", f"-I{GUEST.parent}", "-o", f"{out}.o", source]
    subprocess.run(words, check=True)
    words = ["alpha-linux-gnu-ld", "-Ttext", hex(base), "-e", hex(base), "-o", out, f"{out}.o"]
    subprocess.run(words, check=True)
    return out


@pytest.fixture(scope="module")
def simulate(built, tmp_path_factory):
    """simulate(name, option...): both banks of node 0's counters, and the guest's results."""
    folder = tmp_path_factory.mktemp("node")
    pal = link(folder, GUEST, PAL)
    (folder / "image.S").write_text("\t.text\n1:\tbr\t$31, 1b\n")
    image = link(folder, folder / "image.S", 0x100000)

    def one(name: str, *options: str, settings: dict[str, str] | None = None):
        description = folder / f"{name}.json"
        description.write_text(profile.load(RunSpec.machine, settings).to_json())
        words = [built.simulator, "run", "--out", folder / name, "--machine", description]
        words += ["--node-json", built.node_json, "--max-ticks", "3000000"]
        for node in (0, 1):
            words += ["--node", f"{node}:pal={pal}", "--node", f"{node}:image={image}"]
            words += ["--node", f"{node}:phase=9000", "--node", f"{node}:boot.mac=0x1e2b0008"]
        subprocess.run([*words, *options], check=True, capture_output=True, timeout=600)
        node = json.loads((folder / name / "counters.json").read_text())["nodes"][0]
        one.node = node
        console = (folder / name / "console.0.txt").read_bytes()
        return node["all"], node["path"], struct.unpack(f"<{len(console) // 8}Q", console)

    return one


@pytest.fixture(scope="module")
def reference(simulate):
    return simulate("reference")


def check_identities(bank):
    assert sum(v for k, v in bank.items() if k.startswith("owner.")) == bank["ticks"]
    assert bank["owner.issue"] == bank["instructions"] == bank["icache.accesses"]
    assert bank["clocks"] == bank["ticks"] + bank["withheld"]
    kinds = ("fetches", "prefetches", "loads", "writes")
    assert bank["bcache.accesses"] == sum(bank[f"bcache.{k}"] for k in kinds)
    assert bank["bcache.loads"] == bank["dcache.misses"]
    sent = bank["write_buffer.accesses"] - bank["write_buffer.merges"]
    assert bank["bcache.writes"] == bank["write_buffer.writes"] == sent


def test_the_guest_finds_everything(built, reference):
    everything, path, results = reference
    digest = int(json.loads(built.node_json.read_text())["rtl_digest"], 16)
    magic, rtl, node, upper, status, first, pending, acknowledged, second, station = results
    assert magic == 1 << 32 | int.from_bytes(b"mCPI", "little")
    assert (rtl, node, upper) == (digest, 0, 1)
    assert status == 2, "nothing to read; can always write"
    assert 9000 < first < 9100 and abs(second - first - PERIOD) < 20
    assert (pending, acknowledged) == (4, 0)
    assert station & 0xFF == 0x08
    check_identities(everything)
    assert set(path.values()) == {0}, "no window was opened"
    assert everything["owner.io"] > 0 and everything["owner.idle"] > PERIOD


def test_slow_memory_changes_no_tick(simulate, reference):
    slow, _, results = simulate("slow", "--backing-latency", "1-200")
    check_identities(slow)
    assert results == reference[2]
    assert {k: v for k, v in slow.items() if k not in NOT_TIME} == {
        k: v for k, v in reference[0].items() if k not in NOT_TIME
    }
    assert slow["withheld"] > reference[0]["withheld"] + 1000


def test_ideal_memory(simulate, reference):
    """No tick is owned by a miss; the instructions are the same."""
    ideal, _, _ = simulate("ideal", settings={"memory.ideal": "on"})
    check_identities(ideal)
    for owner in ("i_demand", "i_stream", "refill_restart", "d_miss", "write_buffer_full"):
        assert ideal[f"owner.{owner}"] == 0, owner
    assert reference[0]["owner.i_demand"] > 0 and reference[0]["owner.d_miss"] > 0
    assert ideal["instructions"] == reference[0]["instructions"]


@pytest.mark.parametrize("end", [0, 1], ids=["least", "most"])
def test_every_run_time_parameter_at_an_end_of_its_range(simulate, reference, end):
    """The oracles, which know the machine file only, find the caches' and the bus's counters."""
    plain = RunSpec().check()
    acting = plain.selected("run").keys() - plain.choices.keys() - {"memory.ideal"}
    settings = {key: str(plain.ranges.get(key, (0, 1))[end]) for key in acting}
    found, _, _ = simulate(f"end{end}", settings=settings)
    check_identities(found)
    assert (found["bus.core_ticks"] > reference[0]["bus.core_ticks"]) == bool(end)
    assert (found["icache.misses"] > reference[0]["icache.misses"]) == (not end), "it is off"


def test_an_empty_slot_ends_in_a_machine_check_whose_cause_can_be_read(built, tmp_path):
    """sources/lance.md 4: no ready, I/O timeout. Who was silent is in system registers."""
    pal = link(tmp_path, GUEST.with_name("fault.S"), PAL)
    (tmp_path / "image.S").write_text("\t.text\n1:\tbr\t$31, 1b\n")
    image = link(tmp_path, tmp_path / "image.S", 0x100000)
    (tmp_path / "machine.json").write_text(RunSpec(settings={}).check().to_json())
    words = [
        built.simulator,
        "run",
        "--out",
        tmp_path / "out",
        "--machine",
        tmp_path / "machine.json",
    ]
    words += ["--node-json", built.node_json, "--max-ticks", "100000"]
    for node in (0, 1):
        words += ["--node", f"{node}:pal={pal}", "--node", f"{node}:image={image}"]
    done = heard(words, timeout=600)
    assert done.returncode == 0, done.stderr
    console = (tmp_path / "out" / "console.0.txt").read_bytes()
    cause, address, cleared = struct.unpack("<3Q", console)
    assert cause == 2 << 8 | 1, "timeout, in slot 2"
    assert address == 0x1_4000_0018
    assert cleared & 0xF == 0


def loop_address(folder: Path) -> int:
    """Address of `ldq $2, 0x1000($8)`, the loop's first instruction, which is in the guest only
    once."""
    flat = folder / "flat"
    words = ["alpha-linux-gnu-objcopy", "-O", "binary", "-j", ".text"]
    subprocess.run([*words, link(folder, GUEST, PAL), flat], check=True)
    code = flat.read_bytes()
    first = struct.pack("<I", 0xA448_1000)
    assert code.count(first) == 1
    return PAL + code.index(first)


def test_window_by_comparators(simulate, reference, tmp_path):
    """A window around one pass of the guest's loop, without the branch at its end."""
    at, markers = loop_address(tmp_path), tmp_path / "markers"
    markers.write_text(f"{at},1,1\n{at + 20},2,1\n{at},5,1\n")
    options = [x for n in (0, 1) for x in ("--node", f"{n}:markers={markers}")]
    everything, path, _ = simulate("window", *options)
    assert path["invocations"] == everything["invocations"] == 200
    assert path["instructions"] == 200 * 5 and path["taken_branches"] == 0
    assert path["dcache.accesses"] == path["write_buffer.accesses"] == 200
    assert sum(v for k, v in path.items() if k.startswith("owner.")) == path["ticks"]
    moved = [k for k in everything if everything[k] != reference[0][k]]
    assert moved == ["invocations"], "looking changes nothing"


def with_markers(file: Path, *markers: tuple[int, int, int]) -> list[str]:
    """Options that give both nodes these markers: address, action, window."""
    file.write_text("".join(f"{','.join(map(str, marker))}\n" for marker in markers))
    return [x for n in (0, 1) for x in ("--node", f"{n}:markers={file}")]


def test_windows_nest_and_overlap(simulate, reference, tmp_path):
    """On each of the loop's 200 passes of six instructions spin lies in the path, and hold lasts
    from its fifth into the next pass."""
    at = loop_address(tmp_path)
    path = [(at, 1, 1), (at, 5, 1), (at + 20, 2, 1)]
    spin = [(at + 4, 1, 2), (at + 4, 5, 2), (at + 12, 2, 2)]
    hold = [(at + 16, 1, 3), (at + 4, 2, 3), (at + 24, 2, 3)]
    options = with_markers(tmp_path / "markers", *path, *spin, *hold)
    everything, counted, _ = simulate("nest", *options)
    node = simulate.node
    moved = {k for k in everything if everything[k] != reference[0][k]}
    assert moved - {"clocks", "withheld"} == {"invocations"}  # those two depend on the host
    issued = {name: owners["owner.issue"] for name, owners in node["sets"].items()}
    outside = issued.pop("")
    assert issued == {"path": 201, "path+spin": 400, "path+hold": 399, "hold": 200}
    assert outside == everything["instructions"] - sum(issued.values())
    assert node["windows"]["spin"]["invocations"] == 200
    assert node["windows"]["hold"]["instructions"] == 599
    assert node["windows"]["hold"]["invocations"] == 0
    assert set(node["windows"]["probe"].values()) == {0}
    windows.check(node)
    simulate("path alone", *with_markers(tmp_path / "markers", *path))
    alone = simulate.node
    assert alone.keys() == {"all", "path"}, "nothing else is written"
    for name in everything.keys() - {"clocks", "withheld"}:
        assert alone["all"][name] == everything[name]
        assert alone["path"][name] == counted[name]


@pytest.mark.parametrize(
    ("markers", "words"),
    [
        ([(0x10000, 1, 5)], "node 0: a marker of window 5; there are windows 1 to 4."),
        ([(0x10000, 1, 0)], "node 0: a marker of window 0; there are windows 1 to 4."),
        ([(0x10000, 5, 2)] * 25, "node 0: more than 24 markers that need a comparator."),
    ],
)
def test_what_no_comparator_can_is_refused(simulate, tmp_path, markers, words):
    with pytest.raises(subprocess.CalledProcessError) as refused:
        simulate("refused", *with_markers(tmp_path / "markers", *markers))
    assert refused.value.returncode == 2 and words in refused.value.stderr.decode()


def test_a_part_that_ends_where_the_next_begins_is_measured(simulate, tmp_path):
    """The same instruction closes the window and opens it: a measurement by registers sees it
    close."""
    at, markers = loop_address(tmp_path), tmp_path / "markers"
    markers.write_text(f"{at},1,1\n{at},5,1\n{at + 20},2,1\n{at + 20},1,1\n")
    options = ["--measure-by-registers"]
    for node in (0, 1):
        options += ["--node", f"{node}:markers={markers}"]
        options += ["--node", f"{node}:register.measure_from=50"]
        options += ["--node", f"{node}:register.measure_to=100"]
    everything, path, _ = simulate("parts", *options)
    assert path["invocations"] == everything["invocations"] == 50
    # The clear, eight ticks after a closing, has closed it: until the next part begins.
    assert 0 < everything["ticks"] - path["ticks"] < everything["ticks"] / 50


def test_verilog_knows_itself(built):
    """The digest in Node.v is the hash of its text with the placeholder put back."""
    text = built.node_json.with_name("Node.v").read_text()
    digest = json.loads(built.node_json.read_text())["rtl_digest"]
    assert text.count(f"64'h{digest}") == 1
    blank = text.replace(f"64'h{digest}", "64'hd16e57ed16e57ed1")
    assert hashlib.sha256(blank.encode()).hexdigest()[:16] == digest


def test_every_register_has_a_name(built):
    text = built.node_json.with_name("Node.v").read_text()
    # SpinalHDL itself names what it reads of a memory that is written in parts: after the memory.
    anonymous = set(re.findall(r"^\s+(_zz_(?!\w+symbol_read)\w+) <= .*;$", text, re.M))
    assert not anonymous, anonymous


def test_description_names_every_run_time_parameter(built):
    registers = json.loads(built.node_json.read_text())["registers"]
    resolved = json.loads(RunSpec().check().to_json())
    numbers = [registers[key] for key in resolved["run_parameters"]]
    assert numbers == list(range(0x20, 0x20 + len(numbers)))
    assert registers["snapshot.all.ticks"] == 0x200
    assert len(set(registers.values())) == len(registers)
