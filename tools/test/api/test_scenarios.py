# SPDX-License-Identifier: BSD-2-Clause
"""Tests of scenarios, from file to record: counts, faults on a link, a program that goes wrong."""

import json

import pytest
from scapy.utils import rdpcap

from mcpi.api import scenarios
from mcpi.api.single_run import Failed
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.spec import scenario_file

EXAMPLES = ROOT / "examples/scenarios"
# A node that sends 100 datagrams to node 0, then 20 that say the end; node 0 counts until then.
SENDS = """\
#include <mcpi_net.h>
#include <mcpi.h>
int main(void)
{
	mcpi_net_open();
	while (mcpi_ticks() < 400000)
		;
	for (unsigned char n = 0; n < 120; n++)
		mcpi_udp_send_to(0, 5, 5, &n, 1);
	return 0;
}
"""
COUNTS = """\
#include <mcpi_net.h>
#include <stdio.h>
int main(void)
{
	unsigned char n;
	int count = 0;

	mcpi_net_open();
	for (;;) {
		mcpi_udp_receive(5, &n, 1, 0);
		if (n >= 100)
			break;
		count++;
	}
	printf("%d\\n", count);
	return 0;
}
"""
WRONG = """\
#include <assert.h>
#include <mcpi.h>
int main(void) { assert(mcpi_node() != 1); return 0; }
"""


def perform(folder, text, **files):
    for name, source in files.items():
        (folder / f"{name}.c").write_text(source)
    (folder / "test.toml").write_text(text)
    return scenarios.perform(scenario_file.read(folder / "test.toml"), folder / "run")


def test_two_clients_and_a_server(tmp_path):
    spec = scenario_file.read(EXAMPLES / "count.toml")
    place, found = scenarios.perform(spec, tmp_path / "run")
    assert json.loads((place / "scenario.json").read_text()) == found
    assert [node["exit_code"] for node in found["nodes"].values()] == [0, 0, 0]
    answers = [
        int(line) for n in (1, 2) for line in (place / f"console.{n}.txt").read_text().split()
    ]
    assert sorted(answers) == [1, 2, 3, 4, 5, 6]
    # The first frame of each client finds the server by flooding, unless the server has answered.
    (counts,) = found["switches"].values()
    assert counts["forwarded"] + counts["flooded"] == 12 and counts["flooded"] in (1, 2)
    assert counts["damaged"] == counts["dropped"] == counts["filtered"] == 0
    for number, node in enumerate(found["nodes"].values()):
        name = spec.links[number].name
        sent = node["frames"]["sent"]
        assert sent == (6 if number == 0 else 3)
        frames = rdpcap(str(place / f"{name}.pcap"))
        assert len(frames) == sent + node["frames"]["came"]
        region = next(iter(node["regions"].values()))
        assert region["invocations"] == sent and "icpi" not in region
        assert sum(region["owners"].values()) == pytest.approx(region["ticks"])
    again, same = scenarios.perform(spec, tmp_path / "again")
    assert same == found
    assert (again / "server-switch.pcap").read_bytes() == (
        place / "server-switch.pcap"
    ).read_bytes()


def test_eight_nodes_call_by_frames_of_their_own(tmp_path):
    """Frames of another type than IP: one to all, six answers; then a datagram."""
    spec = scenario_file.read(EXAMPLES / "roll-call.toml")
    place, found = scenarios.perform(spec, tmp_path / "run")
    assert [node["exit_code"] for node in found["nodes"].values()] == [0] * 8
    said = [(place / f"console.{n}.txt").read_text() for n in range(8)]
    assert sorted(said[0].splitlines()) == [f"node {n} is there" for n in range(2, 8)]
    assert said[1:] == ["6 have answered\n", *[""] * 6]
    calls = {}
    for link in spec.links:
        frames = [bytes(frame) for frame in rdpcap(str(place / f"{link.name}.pcap"))]
        calls[link.name] = [frame[14] for frame in frames if frame[12:14] == b"\x88\xb5"]
    assert len(calls) == 9 and sorted(calls["caller-left"]) == [0, 2, 3, 4, 5, 6, 7]
    assert sorted(calls["left-right"]) == [0, 4, 5, 6, 7] and calls["clerk-left"] == [0]
    for number, name in enumerate("ann ben cat dan eve fay".split(), 2):
        assert calls[next(link for link in calls if link.startswith(name))] == [0, number]
    assert found["nodes"]["clerk"]["frames"] == {"sent": 0, "came": 2}


def test_the_file_of_the_page_runs(tmp_path):
    page = (ROOT / "docs/how-to/scenario.md").read_text()
    text = page.split("```toml\n")[1].split("```")[0]
    files = {
        name: (EXAMPLES / f"{name}.c").read_text() for name in ("count-server", "count-client")
    }
    with pytest.raises(Failed, match="wait for a frame"):  # a request may be lost
        perform(tmp_path, text.replace("0.01", "1"), **files)
    _, found = perform(tmp_path, text.replace("0.01", "0.0"), **files)
    assert list(found["switches"]) == ["left", "right"]
    assert found["switches"]["right"]["flooded"] > 0
    assert found["nodes"]["second"]["settings"] == {"icache.size": "16KB"}


def test_a_stack_beside_a_program_that_never_ends(tmp_path):
    text = (EXAMPLES / "background.toml").read_text().replace("round_trips = 40", "round_trips = 4")
    (tmp_path / "test.toml").write_text(text)
    (tmp_path / "noise.c").write_text((EXAMPLES / "noise.c").read_text())
    place, found = scenarios.perform(scenario_file.read(tmp_path / "test.toml"), tmp_path / "run")
    nodes = found["nodes"]
    assert [nodes[name]["exit_code"] for name in ("client", "server", "noise")] == [0, 0, None]
    assert "25 exchanges" in (place / "console.0.txt").read_text()
    assert nodes["noise"]["frames"]["sent"] > 10 and nodes["noise"]["ended_tick"] is None
    assert nodes["client"]["regions"]["path"]["invocations"] >= 24


def test_faults_are_of_the_end_that_sends(tmp_path):
    nodes = '[node.a]\nprogram = "counts.c"\n[node.b]\nprogram = "sends.c"\n[[link]]\n'
    nodes += 'between = ["a", "b"]\n'
    files = {"counts": COUNTS, "sends": SENDS}
    _, clean = perform(tmp_path, nodes + "faults.a = { lose = 1 }\n", **files)
    assert clean["links"]["a-b"]["a"] == {"frames_sent": 0}
    assert "faults" not in clean["links"]["a-b"]["b"]
    assert 100 < clean["links"]["a-b"]["b"]["frames_sent"] <= 120  # the last ones wait in the ring
    place, lossy = perform(tmp_path, nodes + "faults.b = { lose = 0.2 }\n", **files)
    lost = lossy["links"]["a-b"]["b"]["faults"]["lost"]
    assert 10 < lost < 40
    frames = rdpcap(str(place / "a-b.pcap"))
    assert len(frames) == lossy["links"]["a-b"]["b"]["frames_sent"]
    assert 100 - lost <= int((place / "console.0.txt").read_text()) < 100


def test_a_program_that_goes_wrong_is_named_with_its_line(tmp_path):
    text = "".join(f'[node.{name}]\nprogram = "wrong.c"\n' for name in ("one", "two", "three"))
    with pytest.raises(Failed, match=r"two: assertion .*\n.*|two: .*wrong.c:3") as failed:
        perform(tmp_path, text, wrong=WRONG)
    assert "wrong.c:3" in str(failed.value)


def test_a_node_that_nobody_waits_for_may_not_go_wrong_either(tmp_path):
    text = '[node.one]\nprogram = "right.c"\n[node.two]\nprogram = "wrong.c"\nends = false\n'
    right = "#include <mcpi.h>\nint main(void) { while (mcpi_ticks() < 200000) ; return 0; }\n"
    with pytest.raises(Failed, match="two: .*") as failed:
        perform(tmp_path, text, wrong=WRONG, right=right)
    assert "wrong.c:3" in str(failed.value) and "again: ./mcpi scenario" in str(failed.value)


def test_a_script_of_faults_loses_the_frames_that_it_names(tmp_path):
    (tmp_path / "faults").write_text("frame 2 lose\nframe 7 lose\n")
    nodes = '[node.a]\nprogram = "counts.c"\n[node.b]\nprogram = "sends.c"\n[[link]]\n'
    nodes += 'between = ["a", "b"]\nfaults.b = { script = "faults" }\n'
    place, found = perform(tmp_path, nodes, counts=COUNTS, sends=SENDS)
    assert found["links"]["a-b"]["b"]["faults"] == {"lost": 2}
    assert int((place / "console.0.txt").read_text()) == 98


def test_a_program_that_cannot_be_compiled_leaves_no_folder(tmp_path):
    text = '[node.a]\nprogram = "a.c"\n[node.b]\nprogram = "a.c"\n'
    with pytest.raises(UserError, match=r"a.c:1"):
        perform(tmp_path, text, a="int main(void) { return x; }\n")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("run")]
