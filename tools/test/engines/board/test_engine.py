# SPDX-License-Identifier: BSD-2-Clause
"""Engine board on two simulated boards: the same counters as the simulator, and clear words."""

import contextlib
import dataclasses
import json
import os
import pty
import subprocess
import threading
import tty
from pathlib import Path
from types import SimpleNamespace

import pytest
from tools_support.board_bench import Bench, NoisyPort, quiet

from mcpi.base.errors import RunError, UserError
from mcpi.engines.base import of
from mcpi.engines.board import node as board_node
from mcpi.engines.board import selftest as board_selftest
from mcpi.engines.board import session
from mcpi.engines.rtl.substitute import IN_CLOCKS
from mcpi.firmware import elf
from mcpi.hardware.hostlink import HostLink
from mcpi.hardware.serial_port import Gone, Port
from mcpi.machine.c_header import KSEG
from mcpi.machine.profile import Machine
from mcpi.results import measure, summary
from mcpi.spec import node_image, run_jobs
from mcpi.spec.run_spec import RunSpec
from verify.long_tests import sampled

RECORD = RunSpec(engine="board", round_trips=3, warmup=1, lockstep=False)
SEED = int(os.environ.get("MCPI_SEED", "1"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    found = Bench(tmp_path_factory.mktemp("bench"), RECORD)
    yield found
    found.end()


def on_boards(bench: Bench, place: Path, **changes) -> tuple[RunSpec, list[dict]]:
    record = dataclasses.replace(RECORD, ports=bench.ports, **changes)
    phases = bench.prepare(place, record)
    for job in run_jobs.jobs(record):
        session.run(place, job.folder, record, phases, quiet)
    return record, json.loads((place / "counters.json").read_text())["nodes"]


@pytest.fixture(scope="module")
def measured(bench, tmp_path_factory):
    place = tmp_path_factory.mktemp("boards") / "run"
    return place, *on_boards(bench, place)


def simulated(bench: Bench, place: Path, *options: str, folder: str = ".") -> list[dict]:
    """The same files through mcpi-sim, loaded by its own C++; ``folder``: of the job."""
    from mcpi.engines import simulate

    record = dataclasses.replace(RECORD, engine="rtl")
    phases = bench.prepare(place, record)
    words = simulate.command(bench.built.simulator, place, folder, record, phases, list(options))
    subprocess.run(words, cwd=place, check=True, capture_output=True)
    return json.loads((place / folder / "counters.json").read_text())["nodes"]


def test_every_counter_is_the_simulators(bench, measured, tmp_path):
    """Both banks, both nodes, to the last tick: measured by the same registers."""
    wanted = simulated(bench, tmp_path / "sim", *by_registers())
    assert measured[2] == wanted
    assert wanted[0]["path"]["invocations"] == RECORD.round_trips


class Enough(Exception):
    """Ends a run of boards in its measurement."""


def enough(done: int, _: int, what: str) -> None:
    if what == "round trips" and done > 2 * RECORD.warmup:
        raise Enough


def test_a_run_before_decides_nothing(bench, measured, tmp_path):
    """With ideal memory, where no fill empties what the counters know of a line: after a run with
    real memory, and after another one that was stopped in the midst of its measurement."""
    job = run_jobs.Job(1, run_jobs.IDEAL)
    simulated(bench, tmp_path / "sim", *by_registers(), folder=job.folder)
    place, record, _ = measured
    phases = run_jobs.phases_of(record.seed, 1, record.check())

    def found(of: Path) -> list[dict]:
        """All counters but those in clocks, which the RAM decides."""
        nodes = json.loads((of / job.folder / "counters.json").read_text())["nodes"]
        return [
            {
                name: {k: v for k, v in bank.items() if k not in IN_CLOCKS}
                for name, bank in n.items()
            }
            for n in nodes
        ]

    wanted = found(tmp_path / "sim")
    assert found(place) == wanted
    long = dataclasses.replace(record, round_trips=1000)
    with pytest.raises(Enough):
        session.run(place, job.folder, long, phases, enough)
    session.run(place, job.folder, record, phases, quiet)
    assert found(place) == wanted


def by_registers() -> list[str]:
    """Options of mcpi-sim that measure as a board does."""
    limits = (("measure_from", RECORD.warmup), ("measure_to", RECORD.warmup + RECORD.round_trips))
    words = ["--measure-by-registers"]
    for node in (0, 1):
        for name, value in limits:
            words += ["--node", f"{node}:register.{name}={value}"]
    return words


def test_a_measurement_begins_in_its_tick_on_any_ram(bench, measured, tmp_path):
    """A RAM that answers when it likes moves no counter but clocks, outside the path either."""
    words = [*by_registers(), "--backing-latency", "1-60", "--backing-seed", str(SEED)]
    found = simulated(bench, tmp_path / "sim", *words)
    for ours, slow in zip(measured[2], found):
        for bank in ("all", "path"):
            for name, value in slow[bank].items():
                if name not in ("clocks", "withheld"):
                    assert ours[bank][name] == value, f"{bank} {name}, seed {SEED}"
    assert found[0]["all"]["withheld"] > measured[2][0]["all"]["withheld"]


def test_the_path_is_engine_rtls(bench, measured, tmp_path):
    """Armed by the driver, in one tick on both nodes: what lies outside the path differs."""
    wanted = simulated(bench, tmp_path / "sim")
    for node in (0, 1):
        ours, theirs = measured[2][node]["path"], wanted[node]["path"]
        different = {name for name in theirs if ours[name] != theirs[name]}
        assert all("replacement" in name for name in different), different


def test_result(measured):
    place, record, _ = measured
    result = of("board").result(record, record.check(), place)
    assert result.provenance.engine == "board"
    assert result.round_trip.mean_us is None
    assert result.steady.client.mcpi > 0
    pace, count = result.nodes.server.pace, measured[2][1]["path"]
    assert pace.clocks_per_tick == pytest.approx(count["clocks"] / count["ticks"], abs=1e-3)
    assert pace.clocks_per_tick >= 1 and pace.ticks_per_second is None


@pytest.mark.parametrize("khz, rate", [(75000, 37_500_000), (None, None)])
def test_pace(khz, rate):
    """Two clocks a tick on the path are half the clock; a simulated board has none."""
    count = {"path": {"clocks": 2000, "ticks": 1000}, "all": {"clocks": 9000, "ticks": 4000}}
    found = measure.pace(count, khz)
    assert (found["clocks_per_tick"], found["whole_clocks_per_tick"]) == (2, 2.25)
    assert (found.get("clock_khz"), found.get("ticks_per_second")) == (khz, rate)
    said = summary._pace("client", found)
    assert said.endswith("2.000 clocks a tick on the path, 2.250 in the whole run") == bool(khz)
    assert ("37.5 M ticks/s[/]: 75.0 MHz ÷ " in said) == bool(khz)


def test_waits_for_the_host_are_not_those_for_the_other_board():
    count = {"path": {"clocks": 2000, "ticks": 1000}, "all": {"clocks": 9000, "ticks": 4000}}
    found = measure.pace(count, 75000, waits=900, host_waits=4500)
    assert (found["waits_percent"], found["host_waits_percent"]) == (10, 50)
    said = summary._pace("client", found)
    assert "10.0 % wait for the other board, 50.0 % for this program to read the record" in said


ABOUT = {"clock_khz": 50_000, "late_us": 3.0, "gateway": {}}
PASSED = {"send_waiting": 30_000, "receive_waiting": 25_000, "sent_nibbles": 10 * 144}


def test_what_of_a_round_trip_is_the_gateways():
    """Each frame is in two gateways: 60 and 50 µs, and 6 of preamble; bits take 57.6."""
    both = [ABOUT | {"gateway": PASSED}, ABOUT | {"gateway": PASSED, "late_us": 4.0}]
    found = measure.wall(both, clocks=1_000_000, round_trips=10, mbps=10)
    wanted = {"wall_us": 2000, "gateways_us": 2 * (60 + 50 + 6), "wire_alone_us": 2 * 57.6}
    assert found == wanted | {"late_us": 4.0}
    said = summary._wall(found)
    assert "2000.0 µs[/], 1768.0 without 232.0 in gateways; the wire alone would take 115.2" in said
    assert "real time, at most 4.0 µs behind" in said
    plain = [{"clock_khz": 50_000, "gateway": dict.fromkeys(PASSED, 0)}] * 2
    found = measure.wall(plain, clocks=1_000_000, round_trips=10, mbps=10)
    assert found == {"wall_us": 2000} and "stand still for their RAM" in summary._wall(found)


@pytest.mark.parametrize(("late", "ideal"), [(900, False), (1100, False), (1100, True)])
def test_a_board_that_falls_behind_ends_the_run(late, ideal):
    """A machine in real time, if it is not its run with ideal memory."""
    settings = {"memory.ideal": "on"} if ideal else {}
    machine = dataclasses.replace(RECORD, machine="dec3000-35", settings=settings).check()
    said = {f"board.{name}": 7 for name in (*board_node.COUNTS, "pages_used")}
    said |= {"board.real_time": 7 << 16 | 10, "board.late": late * 35 * 10}
    link = SimpleNamespace(port=SimpleNamespace(path="fake"), read=said.__getitem__, retries=0)
    node = board_node.BoardNode(link, {name: name for name in said}, [])
    before = dict.fromkeys(board_node.COUNTS, 5)
    refused = late > session.BEHIND_US and not ideal
    with pytest.raises(RunError, match="1100 µs behind") if refused else contextlib.nullcontext():
        session._tell(node, machine, before)
    assert node.about["late_us"] == late and node.about["gateway"]["sent"] == 2


def test_an_image_larger_than_the_board(monkeypatch):
    """Refused before a byte is sent."""
    node = board_node.BoardNode(None, {}, [])
    monkeypatch.setattr(node, "_read", lambda name: pytest.fail("nothing is asked"))
    node.about = {"board": "ecpix5", "pages": 1023}
    monkeypatch.setattr(board_node.BoardNode, "path", "/dev/ttyUSB7")
    image = [(0x20000, bytes(range(1, 129)) * 2 * 1024)]
    what = node_image.Load(image, (0, b""), {})
    with pytest.raises(RunError, match="/dev/ttyUSB7: the images take 1024 pages of 256 bytes, .*"):
        node.load(what, quiet)


@pytest.mark.parametrize("every", sampled([20000, 4000], (20000).__eq__))
def test_noise_changes_nothing(bench, measured, tmp_path, monkeypatch, every):
    """A line that flips a bit in one of ``every`` bytes, or loses one."""
    ports = []

    def noisy(path, baud, names, counters):
        port = NoisyPort(path, baud, every, SEED + len(ports))
        ports.append(port)
        return board_node.BoardNode(HostLink(port, patience=0.3), names, counters)

    monkeypatch.setattr(session, "open_node", noisy)
    _, counters = on_boards(bench, tmp_path / "run")
    spoiled = sum(port.spoiled for port in ports)
    assert spoiled > 10, "the line was not noisy"
    assert counters == measured[2], f"seed {SEED}, {spoiled} bytes spoiled"


def test_a_start_said_twice_changes_nothing(bench, measured, tmp_path, monkeypatch):
    """Repeat a start, as when its reply is lost, even if the guests have ended meanwhile."""
    read = board_node.BoardNode.read_counters

    def started_again(node, update):
        node.start()
        assert node.status().exited
        return read(node, update)

    monkeypatch.setattr(board_node.BoardNode, "read_counters", started_again)
    assert on_boards(bench, tmp_path / "run")[1] == measured[2]


def test_a_busy_port(bench, tmp_path):
    held = Port(bench.ports[0], 115200)
    try:
        with pytest.raises(UserError, match="another program has it"):
            on_boards(bench, tmp_path / "run")
    finally:
        held.close()


def test_the_self_test_wants_a_board_alone(bench):
    node = bench.node()
    with contextlib.closing(node.link.port), pytest.raises(UserError, match="simulate --loopback"):
        board_selftest.test(node, RECORD.check(), "phy", 1, 1, quiet)


def test_no_such_port(bench, tmp_path):
    with pytest.raises(UserError, match="no such port"):
        Port(str(tmp_path / "ttyUSB9"), 115200)


def test_no_ports():
    with pytest.raises(UserError, match="--port A --port B"):
        of("board").check(RECORD, RECORD.check())


def test_a_board_with_another_machine(bench, tmp_path):
    with pytest.raises(RunError, match="Build and load it with the same --machine"):
        on_boards(bench, tmp_path / "run", settings={"icache.size": "16KB"})


def test_something_else_at_the_port():
    """A terminal that echoes, as a modem or a login prompt would."""
    master, slave = pty.openpty()
    tty.setraw(slave)

    def echo() -> None:
        while True:
            try:
                os.write(master, os.read(master, 64))
            except OSError:
                return

    threading.Thread(target=echo, daemon=True).start()
    link = HostLink(Port(os.ttyname(slave), 115200), patience=0.1)
    with pytest.raises(RunError, match="Is the board configured"):
        link.ping()
    os.close(slave)


def test_a_guest_that_prints_without_end(bench, tmp_path):
    """The host sees it run, reads its counters and stops it, all the same."""
    machine = RECORD.check()
    about = json.loads(bench.built.node_json.read_text())
    prints, spins, own = guests(tmp_path, machine)
    nodes = [board_node.open_node(p, 115200, about["registers"], about["counters"])
             for p in bench.ports]  # fmt: skip
    try:
        for number, (node, pal) in enumerate(zip(nodes, (prints, spins))):
            node.identify(machine)
            node.load(node_image.of_images(machine, node.names, RECORD, number, 1, own, pal), quiet)
            node._write("counters_control", board_node.CLEAR | board_node.ARM)
        for node in nodes:
            node.start()
        while nodes[0].status() and len(nodes[0].link.console) < 5000:
            pass
        nodes[0]._write("counters_control", board_node.SNAPSHOT)
        counters = nodes[0].read_counters(quiet)["all"]
        assert counters["owner.io"] > 5000
    finally:
        for node in nodes:
            node.stop()
            node.link.port.close()
    assert set(nodes[0].link.console) == {ord("x")} and not nodes[1].link.console


def guests(folder: Path, machine: Machine) -> list[elf.Image]:
    """PALcode that prints without end, PALcode that does nothing, an image that does nothing."""
    prints = (
        "lda $1, 2($31); sll $1, 32, $1; lda $3, 0x1000($1); lda $2, 120($31); "
        "1: stq $2, 0($3); br $31, 1b"
    )
    spins, found = "1: br $31, 1b", []
    for name, text, region in (("a", prints, "pal"), ("b", spins, "pal"), ("c", spins, "image")):
        source, made, out = (folder / f"{name}.{kind}" for kind in ("S", "o", "elf"))
        source.write_text(f"\t.set noat\n\t{text}\n")
        subprocess.run(["alpha-linux-gnu-as", "-mev4", "-o", made, source], check=True)
        base = hex(KSEG + machine.memory_map["ram"][region]["base"])
        words = ["alpha-linux-gnu-ld", "-N", "-Ttext", base, "-e", base, "-o", out, made]
        subprocess.run(words, check=True, capture_output=True)
        found.append(elf.read(out, machine, region))
    return found


def test_unplugged(tmp_path):
    own = Bench(tmp_path / "bench", RECORD)
    place = tmp_path / "run"
    record = dataclasses.replace(RECORD, ports=own.ports)
    phases = own.prepare(place, record)
    looks = 0

    def pull(_done, _all, what) -> None:
        nonlocal looks
        looks += what == "round trips"
        if looks == 2:
            own.end()

    with pytest.raises(Gone, match="Was the cable pulled"):
        session.run(place, ".", record, phases, pull)
    assert (place / "console.0.txt").exists()


def test_too_little_ram(tmp_path):
    own = Bench(tmp_path / "bench", RECORD, "--backing-bytes", "65536")
    try:
        with pytest.raises(RunError, match="all of its 8 pages, and address 0x.* wanted one more"):
            on_boards(own, tmp_path / "run")
    finally:
        own.end()
