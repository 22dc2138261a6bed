# SPDX-License-Identifier: BSD-2-Clause
"""Tests of scenario files: what they may say, and that a slip is refused with its place."""

from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.spec import scenario_file
from mcpi.spec.scenario_spec import Link, Switch

TWO = '[node.a]\nprogram = "p.c"\n[node.b]\nprogram = "p.c"\n'
THREE = TWO + '[node.c]\nprogram = "p.c"\n'
PAIR = '[node.a]\nstack = "tcp"\npeer = "b"\n[node.b]\nstack = "tcp"\npeer = "a"\nrole = "server"\n'


def link(first: str, second: str, more: str = "") -> str:
    return f'[[link]]\nbetween = ["{first}", "{second}"]\n{more}\n'


STAR = THREE + "[switch.s]\n" + link("a", "s") + link("b", "s") + link("c", "s")


def read(folder: Path, text: str):
    (folder / "p.c").write_text("int main(void) { return 0; }\n")
    (folder / "sockets.c").write_text("#include <sys/socket.h>\nint main(void) { return 0; }\n")
    (folder / "test.toml").write_text(text)
    return scenario_file.read(folder / "test.toml")


def test_a_file_without_links_has_a_cable_or_a_switch(tmp_path):
    two = read(tmp_path, TWO)
    assert (two.switches, two.links) == ((), (Link(("a", "b")),))
    three = read(tmp_path, THREE)
    assert three.switches == (Switch("switch"),)
    assert [one.name for one in three.links] == ["a-switch", "b-switch", "c-switch"]
    own = read(tmp_path, TWO + "[switch.s]\nlatency_us = 2.5\n")
    assert own.switches == (Switch("s", 2.5),) and len(own.links) == 2
    for spec in (two, three, own):
        assert set(spec.check()) == {node.name for node in spec.nodes}


def test_what_a_node_takes_from_the_file(tmp_path):
    text = 'machine = "alpha-300"\nset = { "icache.size" = "16KB" }\nseed = 7\n' + TWO
    spec = read(tmp_path, text + 'set = { "dcache.size" = "16KB" }\narguments = [3, "x"]\n')
    a, b = (node.runs for node in spec.nodes)
    assert a.machine == b.machine == "alpha-300"
    assert a.settings == {"icache.size": "16KB"}
    assert b.settings == {"icache.size": "16KB", "dcache.size": "16KB"}
    assert b.arguments == ("3", "x") and spec.seed == 7
    assert spec.command().endswith("test.toml --seed 7 --max-ticks 250000000")
    # The words go before the file's, even if they are what is usual.
    assert "--seed 1 " in scenario_file.read(tmp_path / "test.toml", seed=1).command()


def test_paths_are_relative_to_the_file(tmp_path, monkeypatch):
    (tmp_path / "own.toml").write_text('extends = "alpha-300"\n')
    (tmp_path / "faults").write_text("frame 3 lose\n")
    text = 'machine = "own.toml"\n' + TWO + link("a", "b", 'faults.a = { script = "faults" }')
    spec = read(tmp_path, text)
    monkeypatch.chdir("/")
    assert spec.check()["a"].parameters["clock.ticks_per_us"] == 300
    [own] = spec.links
    assert own.faults == {"a": {"script": str(tmp_path / "faults")}}


def test_a_stack_s_node_is_of_its_own_variant(tmp_path):
    text = PAIR.replace('"tcp"\npeer = "a"', '"rpc"\npeer = "a"').replace(
        '"tcp"\npeer = "b"', '"rpc"\npeer = "b"'
    )
    _, server = read(tmp_path, text).nodes
    assert server.runs.peer == server.runs.variant == "std"


def test_peers(tmp_path):
    spec = read(tmp_path, THREE + 'peer = "b"\n')
    assert [spec.peer(node) for node in spec.nodes] == [1, 0, 1]


@pytest.mark.parametrize("name", ["count", "background", "roll-call"])
def test_the_examples_are_right(name):
    scenario_file.read(ROOT / f"examples/scenarios/{name}.toml").check()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[node.a\n", "test.toml: "),
        ("nodes = 3\n", "the file has no nodes.*Did you mean node"),
        ('[node.a]\nprogram = "p.c"\n', "2 to 8 nodes, and this 1"),
        ("[node.a]\n", r"\[node.a\] wants program = FILE, or stack = NAME"),
        (TWO + "role = 1\n", r"\[node.b\] has no role"),
        (TWO + "ends = 1\n", "ends = 1: bool is wanted"),
        (TWO + 'arguments = "x"\n', "arguments = 'x': list is wanted"),
        (TWO.replace("p.c", "no.c"), "node a: .*no.c: No such file"),
        ("seed = -1\n" + TWO, "seed = -1: outside"),
        ("max_ticks = 0\n" + TWO, "max_ticks = 0: outside"),
        (TWO + 'machine = "alpha-300"\n', "differ in clock.ticks_per_us: 175 and 300"),
        (TWO + 'machine = "dec3000-mp"\n', "node b: machine dec3000-mp has several cores"),
        ('machine = "nothing"\n' + TWO, "node a: no machine"),
        ('set = { "link.duplex" = "half" }\n' + TWO, "the links of a scenario are full duplex"),
        (TWO.replace("node.b", "node.B"), "'B': a name is small letters"),
        (TWO + "[switch.a]\n", "a: a node and a switch have this name"),
        (TWO + "[switch.s]\nqueue = 0\n", "switch s: queue = 0: outside 1 to 4096"),
        (TWO + "[switch.s]\nlatency_us = -1\n", "latency_us = -1: outside"),
        (TWO + "[switch.s]\n[switch.t]\n", r"with several switches, \[\[link\]\] says"),
        (TWO + link("a", "x"), "there is no x. There are: a, b"),
        (TWO + '[[link]]\nbetween = ["a"]\n', "between = .NAME, NAME. *"),
        (TWO + link("a", "b", "delay_ns = -1"), "delay_ns = -1: outside"),
        (TWO + link("a", "b", "faults.c = { lose = 0.1 }"), "there is no c. There are: a, b"),
        (TWO + link("a", "b", "faults.a = { drop = 0.1 }"), "no fault drop: lose, corrupt"),
        (TWO + link("a", "b", "faults.a = { lose = 2 }"), "link a-b: a: lose = 2: a probability"),
        (TWO + link("a", "b", "faults.a = { delay_ticks = 9 }"), "has no effect without delay"),
        (TWO + link("a", "b", 'faults.a = { script = "no" }'), "script = .*no: No such file"),
        (TWO + "arguments = [{}]\n", "arguments = .*an element has another type"),
        ("link = [1]\n" + TWO, "link = .*an element has another type"),
        (TWO.replace('"p.c"', "[1]"), "program = .*an element has another type"),
        (PAIR + "round_trips = 5\n", "nodes a, b: they differ in round_trips"),
        (TWO + link("a", "b", "faults.a = 0.1"), "faults.a = . lose = 0.01 . is wanted"),
        (THREE + link("a", "b"), "node c: it has one controller, so one link, and there are 0"),
        (STAR + link("a", "b"), "node a: .*there are 2: a-s, a-b"),
        (STAR + "[switch.t]\n" + link("s", "t") + link("t", "s"), "link t-s: there is another way"),
        (STAR + "[switch.t]\n", "t: no link leads to a"),
        (THREE.replace("p.c", "sockets.c"), "its sockets know one other machine"),
        (TWO + 'peer = "b"\n', "peer = 'b' is no other node"),
        (
            TWO
            + "[node.c]\nprogram = 'p.c'\n[switch.a-b]\n[switch.b-c]\n"
            + link("a", "b-c")
            + link("a-b", "c")
            + link("b", "a-b")
            + link("b-c", "a-b"),
            "two links have the name a-b-c",
        ),
        (TWO + "ends = false\n[node.c]\nprogram = 'p.c'\n", ""),
        (PAIR.replace('role = "server"', 'role = "king"'), "client or server is wanted"),
        (PAIR.replace('role = "server"', ""), "a stack's client wants a peer that is the server"),
        (PAIR.replace('peer = "a"\n', ""), "no pair of one stack|wants a peer"),
        (PAIR.replace('"tcp"\npeer = "a"', '"rpc"\npeer = "a"'), "no pair of one stack"),
    ],
)
def test_a_slip_is_refused_with_its_place(text, said, tmp_path):
    if not said:
        read(tmp_path, text).check()
        return
    with pytest.raises(UserError, match=said):
        read(tmp_path, text).check()


def test_a_run_that_no_node_ends_is_refused(tmp_path):
    text = TWO.replace('"p.c"\n', '"p.c"\nends = false\n')
    with pytest.raises(UserError, match="the run would never end"):
        read(tmp_path, text).check()
