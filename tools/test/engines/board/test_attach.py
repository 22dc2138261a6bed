# SPDX-License-Identifier: BSD-2-Clause
"""``board attach`` on a simulated board: it starts, is watched, stops. Who talks to it stands in
``test_linux.py`` (the image) and ``boards/test/test_ordinary_host.py`` (a whole board)."""

import pytest
from tools_support.board_bench import Bench, quiet

from mcpi.base.errors import RunError
from mcpi.engines.board import attach as board_attach
from mcpi.firmware import images, interop
from mcpi.machine import profile
from mcpi.spec import node_image
from mcpi.spec.run_spec import RunSpec

MACHINE = profile.load("dec3000-600")


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    found = Bench(tmp_path_factory.mktemp("bench"), RunSpec(lockstep=False), "--loopback")
    yield found
    found.end()


@pytest.fixture
def node(bench):
    found = bench.node()
    yield found
    found.link.port.close()


def test_addresses_as_people_write_them():
    assert node_image.written(1) == ("10.0.0.2", "08:00:2b:00:00:02")


def test_it_runs_until_it_is_stopped(bench, node, capsys):
    built = images.build(interop.plan(MACHINE))
    board_attach.start(node, MACHINE, built.image, built.pal, quiet)
    assert node.link.read(node.names["run"]) == 1
    counts = board_attach.serve(node, seconds=0.5)
    assert list(counts) == [n for n in board_attach.SHOWN if f"board.{n}" in node.names]
    assert node.link.read(node.names["run"]) == 0


def test_a_machine_that_ends(bench, node, capsys):
    built = images.build(images.plan(MACHINE, "std", "hello"))
    board_attach.start(node, MACHINE, built.image, built.pal, quiet)
    with pytest.raises(RunError, match="the machine has (ended with 0|halted)"):
        board_attach.serve(node, seconds=60)
    assert node.link.read(node.names["run"]) == 0
    assert capsys.readouterr().out, "what it printed is shown"


def test_the_command(bench, monkeypatch, capsys):
    board_attach.run(bench.ports[0], 0, "dec3000-600", {}, seconds=0.5)
    said = capsys.readouterr().out
    assert "10.0.0.2 (08:00:2b:00:00:02) answers ARP, ping" in said
    assert "ip address add 10.0.0.1/24 dev eth0" in said
    assert said.rstrip().splitlines()[-1].startswith("sent ")
