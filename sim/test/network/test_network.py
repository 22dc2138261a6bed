# SPDX-License-Identifier: BSD-2-Clause
"""Switches and networks: a switch against hand arithmetic; two nodes on a cable as a pair; what is
silent and what is not; planted mistakes."""

from pathlib import Path

import pytest
from sim_support import planted
from sim_support.simulators import run

from mcpi.api import single_run
from mcpi.base.errors import RunError
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.engines import scenario
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.scenario_spec import Link, Node, ScenarioSpec, Switch

PINGPONG = ROOT / "firmware/test/programs/pingpong.c"
MISTAKES = planted.mistakes("network_mutants")
WAITS = """\
#include <mcpi_net.h>
int main(void) { char data[64]; mcpi_net_open(); mcpi_udp_receive(5, data, 64, 0); return 0; }
"""
# Node 1 sends after a long time in which it computes.
LATE = """\
#include <mcpi.h>
#include <mcpi_net.h>
int main(void)
{
	mcpi_net_open();
	while (mcpi_ticks() < 6000000)
		;
	return mcpi_udp_send_to(0, 1, 5, "x", 1);
}
"""
# Main waits; the handler of the timer sends at last what both wait for.
INTERRUPTED = """\
#include <mcpi.h>
#include <mcpi_net.h>
static int times;
static void sends(void)
{
	if (++times == 40) {
		mcpi_udp_send_to(0, 1, 5, "x", 1);
		mcpi_udp_send_to(1, 1, 5, "x", 1);
	}
}
int main(void)
{
	char data[64];

	mcpi_net_open();
	mcpi_on_timer(sends);
	mcpi_interrupts_on();
	mcpi_udp_receive(5, data, 64, 0);
	return 0;
}
"""


def program(place: Path, name: str, text: str) -> ProgramSpec:
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}.c").write_text(text)
    return ProgramSpec((str(place / f"{name}.c"),))


def spec_of(*programs: ProgramSpec, links=None, **more) -> ScenarioSpec:
    """Nodes a, b, … on a switch, or as ``links`` says."""
    nodes = tuple(Node("abcdefgh"[n], one) for n, one in enumerate(programs))
    switches = () if links else (Switch("switch", **more),)
    links = links or tuple(Link((node.name, "switch")) for node in nodes)
    return ScenarioSpec("test.toml", nodes, switches, links)


def ran(spec: ScenarioSpec, place: Path, simulator: Path | None = None) -> dict:
    """Record of the scenario, run by ``simulator``."""
    machines = spec.check()
    own, measured = scenario.prepare(spec, machines, place, Silent())
    scenario.run(spec, place, simulator or own, Silent())
    return scenario.record(spec, machines, measured, place)


def test_a_switch_does_what_the_arithmetic_says():
    run(models.build("unit_switch"))


def same_as_a_pair(place: Path, simulator: Path | None = None) -> None:
    pingpong = ProgramSpec((str(PINGPONG),))
    ran(spec_of(pingpong, pingpong, links=(Link(("a", "b")),)), place / "two", simulator)
    pair, _ = single_run.perform(
        ProgramSpec((str(PINGPONG),), peer=(str(PINGPONG),)), place / "pair"
    )
    for name in ("console.0.txt", "console.1.txt", "passages.0.csv", "passages.1.csv"):
        assert (place / "two" / name).read_bytes() == (pair / name).read_bytes(), name
    assert (place / "two/a-b.pcap").read_bytes() == (pair / "wire.pcap").read_bytes()


def test_two_nodes_on_a_cable_give_the_bytes_of_a_pair(tmp_path):
    same_as_a_pair(tmp_path)


def short(place: Path, simulator: Path | None = None) -> None:
    """Cables without a delay, and seeds with which a nibble that is sent in the first tick of a
    window comes in the first tick of the next."""
    pingpong = ProgramSpec((str(PINGPONG),))
    for n, seed in enumerate((190, 229, 265)):
        links = (Link(("a", "b"), delay_ns=0),)
        nodes = spec_of(pingpong, pingpong, links=links).nodes
        ran(ScenarioSpec("test.toml", nodes, (), links, seed=seed), place / str(n), simulator)


def test_cables_without_a_delay(tmp_path):
    short(tmp_path)


def silence(place: Path, simulator: Path | None = None) -> None:
    """All wait and nothing is on its way: it is said. A node that computes, or a frame that a
    switch keeps for long, is no silence."""
    waits, late = program(place, "waits", WAITS), program(place, "late", LATE)
    with pytest.raises(RunError, match="these nodes wait for a frame: a, b, c"):
        ran(spec_of(waits, waits, waits), place / "silent", simulator)
    found = ran(spec_of(waits, late), place / "late", simulator)
    assert found["nodes"]["a"]["exit_code"] == 0
    # 30 ms in the switch: longer than two periods of the timer
    found = ran(spec_of(waits, late, latency_us=30_000.0), place / "kept", simulator)
    assert found["nodes"]["a"]["exit_code"] == 0
    assert found["nodes"]["a"]["ended_tick"] > 6_000_000 + 175 * 30_000


def test_a_network_in_which_all_wait_says_so(tmp_path):
    silence(tmp_path)


def interrupt(place: Path, simulator: Path | None = None) -> None:
    """A program whose handler sends is not stuck, though its main waits."""
    waits, both = program(place, "waits", WAITS), program(place, "both", INTERRUPTED)
    spec = spec_of(waits, waits, both)
    nodes = (*spec.nodes[:2], Node("c", both, ends=False))
    ran(ScenarioSpec("test.toml", nodes, spec.switches, spec.links), place / "run", simulator)


def test_a_handler_that_sends_is_no_silence(tmp_path):
    interrupt(tmp_path)


CHECKS = {"short": short, "silence": silence, "interrupt": interrupt}


@pytest.mark.long
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.title)
def test_a_mistake_is_found(mistake, tmp_path, monkeypatch):
    mistake.acts(monkeypatch)
    finds = mistake.how["finds"]
    if finds == "switch":
        done = run(planted.program("unit_switch"), check=False)
        assert done.returncode, mistake.title
        return
    simulator = planted.program("mcpi-exact")
    with pytest.raises((AssertionError, RunError)):
        CHECKS[finds](tmp_path, simulator)
