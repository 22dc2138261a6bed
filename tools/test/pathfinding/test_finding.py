# SPDX-License-Identifier: BSD-2-Clause
"""The path of a user's own graph, found from recordings; and what is refused."""

import shutil
import tomllib
from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.firmware.path_inline import INPUT, OUTPUT
from mcpi.pathfinding import finding
from mcpi.pathfinding.finding import Found

GRAPH = str(ROOT / "examples" / "udpecho" / "udpecho.graph")
MACHINE = "dec3000-600"
SAME = {6: "ffffffffffffffff", 14: "0f", 16: "ffff", 23: "ff", 26: "ff" * 20}


@pytest.fixture(scope="module")
def udpecho() -> Found:
    (found,) = finding.find(GRAPH, MACHINE, {}, Bar())
    return found


def test_udpecho(udpecho: Found) -> None:
    spec = tomllib.loads(udpecho.text)
    assert (spec[INPUT]["entry"], spec[OUTPUT]["entry"]) == ("eth_demux", "ip_push")
    assert spec[INPUT]["inline"] == [
        "eth/eth_demux.c: eth_demux destination eth_pop",
        "vnet/vnet.c: vnet_session_demux vnet_pop",
        "ip/ip_demux.c: ip_demux load_header ip_pop",
        "udp/udp_demux.c: udp_demux load_header udp_pop",
    ]
    assert spec["calls"]["udp"] == {"xPop": "udp_pop", "xPush": "ip_push"}
    assert udpecho.path.several == {
        ("udp", "xDemux"): ("udpping_client_demux", "udpping_server_demux")
    }
    masks = {row["at"]: row.get("mask", "ff" * row["bytes"]) for row in spec["guard"]["same"]}
    assert masks == SAME
    opens = {row["at"]: row["value"] for row in spec["guard"]["opens"]}
    assert opens[12] == "0800" and opens[23] == "11"
    assert not {*range(6, 12), *range(26, 34)} & opens.keys(), "a connection's own addresses"


def test_the_same_recordings_give_the_same_file(udpecho: Found, tmp_path: Path) -> None:
    finding.write([udpecho], finding.record(GRAPH, MACHINE, {}, Bar()), tmp_path)
    (again,) = finding.find(GRAPH, MACHINE, {}, Bar(), tmp_path / "recordings")
    assert again.text == udpecho.text == (tmp_path / "udpecho.toml").read_text()


def test_recordings_of_another_image(udpecho: Found, tmp_path: Path) -> None:
    finding.write([udpecho], finding.record(GRAPH, MACHINE, {}, Bar()), tmp_path)
    recordings = tmp_path / "recordings"
    image = recordings / "server-2" / "image.elf"
    image.write_bytes(image.read_bytes() + b"\0")
    with pytest.raises(UserError, match="server-2: a recording of another image"):
        finding.find(GRAPH, MACHINE, {}, Bar(), recordings)
    (recordings / "client-1" / "trace.csv").unlink()
    with pytest.raises(UserError, match="client-1: no recording: trace.csv is missing"):
        finding.find(GRAPH, MACHINE, {}, Bar(), recordings)
    shutil.rmtree(recordings)
    with pytest.raises(UserError, match="no such folder"):
        finding.find(GRAPH, MACHINE, {}, Bar(), recordings)


def test_a_graph_without_a_path(tmp_path: Path) -> None:
    graph = tmp_path / "none.graph"
    graph.write_text("lance\neth lance\nvnet eth\nip vnet\nicmp ip\n")
    with pytest.raises(UserError, match="none of the graph's protocols marks an invocation"):
        finding.find(str(graph), MACHINE, {}, Bar())


def test_the_production_stack() -> None:
    """Its functions call each other through pointers, which the path compares: no guard."""
    (found,) = finding.find("bsd", MACHINE, {}, Bar())
    spec = tomllib.loads(found.text)
    assert (spec[INPUT]["entry"], spec[OUTPUT]["entry"]) == ("ipintr", "sosend")
    assert "guard" not in spec and found.guard.same == 0
    through = {call: name for call, name in spec["calls"]["bsd"].items() if call[0] == "-"}
    assert through == {
        "->input": "tcp_input",
        "->output": "ether_output",
        "->start": "le_output",
        "->usrreq": "tcp_usrreq",
    }
    inline = " ".join(spec[INPUT]["inline"] + spec[OUTPUT]["inline"])
    assert all(f" {name}" in inline for name in through.values())
    assert found.path.left_out["bsd/sleep.c", "wakeup"].startswith("with the static variable")
