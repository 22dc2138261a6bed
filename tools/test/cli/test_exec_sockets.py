# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi exec`` of programs on sockets: both ends of a connection, and ends that do not come."""

from pathlib import Path

import pytest
from scapy.layers.inet import TCP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap
from tools_support.command import mcpi, refused

from mcpi.api import single_run as api
from mcpi.base.repo import ROOT
from mcpi.results import folders, record
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL

EXAMPLE = str(ROOT / "examples" / "two-sends.c")
MS = 175_000  # ticks
HEAD = """#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int so;
char text[4096];
static void to(int node)
{
	struct sockaddr_in in = { AF_INET, htons(80), { node < 0 ? 0 : mcpi_host(node) }, { 0 } };

	so = socket(AF_INET, SOCK_STREAM, 0);
	if (node < 0 && bind(so, (struct sockaddr *)&in, sizeof in))
		perror("bind");
	if (node >= 0 && connect(so, (struct sockaddr *)&in, sizeof in))
		printf("connect: %d, %s\\n", errno, strerror(errno));
}
"""
SERVER = "to(-1); listen(so, 1); so = accept(so, NULL, NULL);"


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> Path:
    spec = ProgramSpec((EXAMPLE,), peer=(EXAMPLE,))
    return api.perform(spec, tmp_path_factory.mktemp("pair") / "a")[0]


def test_a_program_at_both_ends(pair):
    """The example: a second small send waits for an acknowledgement; the connection is closed
    both ways."""
    places = record.read(pair / "result.json").regions.client
    assert list(places) == ["one send", "two sends", "two, no delay"]
    assert all(place.invocations == 4 for place in places.values())
    one, two, at_once = (place.ticks for place in places.values())
    assert one < MS and at_once < 2 * one and 50 * MS < two < 250 * MS
    segments = [Ether(bytes(frame)[:-4])[TCP] for frame in rdpcap(str(pair / "wire.pcap"))]
    flags = [str(segment.flags) for segment in segments]
    assert flags[:3] == ["S", "SA", "A"] and sum("F" in f for f in flags) == 2
    assert not any("R" in f for f in flags)


@pytest.mark.slow
def test_a_program_at_both_ends_on_the_rtl(pair, tmp_path):
    spec = ProgramSpec((EXAMPLE,), peer=(EXAMPLE,), engine=RTL)
    place, _ = api.perform(spec, tmp_path / "a")
    assert not folders.differences(place, pair)


def both(place: Path, client: str, server: str, main: str = "int", ticks: int = 600_000_000):
    """Run two programs, whose mains are given; what was said."""
    for name, body in (("client", client), ("server", server)):
        (place / f"{name}.c").write_text(f"{HEAD}{main} main(void)\n{{\n{body}\n}}\n")
    words = ["exec", str(place / "client.c"), "--peer", str(place / "server.c")]
    done = mcpi(*words, f"--max-ticks={ticks}", "--out", str(place / "run"))
    return done.returncode, done.stdout + done.stderr


ENDS = {
    "nobody connects": (
        "return 0;",
        f"{SERVER} return 0;",
        "mcpi: accept(3), port 80, has waited 2 s: no program has connected",
    ),
    "nobody sends": (
        "to(1); recv(so, text, 1, 0); return 0;",
        f"{SERVER} recv(so, text, 1, 0); return 0;",
        "mcpi: recv(4), port 80, has waited 2 s: the other program has neither sent nor closed",
    ),
    "nobody reads": (
        "to(1); for (;;) send(so, text, sizeof text, 0);",
        f"{SERVER} for (;;) usleep(1000);",
        "has waited 2 s: the other program has not read what was sent before",
    ),
    "nobody closes": (
        "to(1); return 0;",
        f"{SERVER} for (;;) usleep(1000);",
        "mcpi: the end of main has waited 2 s: the other program has not closed",
    ),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_wait_without_end_is_named(end, tmp_path):
    client, server, words = ENDS[end]
    status, said = both(tmp_path, client, server)
    assert status == 1 and words in said and "--max-ticks" in said


def test_answers_of_the_stack_are_errors_with_words(tmp_path):
    """Nobody listens; nobody is there; a peer that has gone."""
    client = """to(1);
to(0);
if (bind(9, NULL, 0)) perror("bind");
usleep(20000);
to(1);
printf("recv %ld\\n", (long)recv(so, text, 1, 0));
usleep(1000);
send(so, text, 1, 0);
usleep(1000);
if (send(so, text, 1, 0) < 0) perror("send");"""
    server = f"usleep(10000); {SERVER} close(so); usleep(50000);"
    status, said = both(tmp_path, client, server, main="void")
    assert status == 0, said
    assert "connect: 61, nobody listens on the port" in said
    assert "connect: 65, no such machine on the wire" in said
    assert "bind: not a socket" in said and "recv 0\n" in said
    assert "send: nothing more can be sent" in said or "send: the other machine has reset" in said


def test_exit_sends_what_is_left(tmp_path):
    """All that was sent arrives, whichever way the program ends."""
    client = "to(1); for (int n = 0; n < 8; n++) send(so, text, sizeof text, 0); exit(0);"
    server = f"""{SERVER} long all = 0, part;
while ((part = recv(so, text, sizeof text, 0)) > 0) all += part;
printf("all %ld\\n", all); return 0;"""
    status, said = both(tmp_path, client, server)
    assert status == 0 and "all 32768\n" in said, said


def test_a_header_of_ones_own_does_not_bring_the_stack(tmp_path):
    (tmp_path / "own.h").write_text("#include <sys/socket.h>\n")
    (tmp_path / "a.c").write_text('#include "own.h"\nint main(void) { return socket(2, 1, 0); }\n')
    said = refused("exec", str(tmp_path / "a.c"), "--peer", str(tmp_path / "a.c"))
    assert "a .c file of the program's own includes <sys/socket.h>" in said


def test_sockets_want_another_end(tmp_path):
    (tmp_path / "a.c").write_text("#include <sys/socket.h>\nint main(void) { return 0; }\n")
    assert "--peer FILE says what the other machine runs" in refused("exec", str(tmp_path / "a.c"))
