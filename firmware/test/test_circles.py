# SPDX-License-Identifier: BSD-2-Clause
"""Files of a room stand one above the other: no file needs, over others, itself.

A file needs a file that it includes, and a source with a function that it names in a call or as a
value. Tables of operations do not count: through them the uniform interface calls what is above.
Nor does an inline function of a header that calls a function that the header itself declares.
"""

import graphlib
import re
import shutil
from pathlib import Path

import pytest
from firmware_support.c_text import COMMENT, DEFINITION, TAG_OR_MEMBER
from firmware_support.host_build import FIRMWARE

PROTOCOLS = FIRMWARE / "protocols"
BSDNET = FIRMWARE / "bsdnet"
ROOMS = [PROTOCOLS, BSDNET]
ROOMS += [FIRMWARE / n for n in ("apps", "boot", "bsd", "clone", "kernel", "platform", "runtime")]
ROOMS += [FIRMWARE / n for n in ("structures", "xkernel")]
# Needs that close a circle and stay: a function that moved to another source would take its data
# along, and these sources are measured. TCPTEST and XRPCTEST start their client, which reports its
# end; a message frees the tree that a message frees.
EXCEPTIONS = (
    ("tcptest/client.c", "tcptest/tcptest.c"),
    ("xrpctest/client.c", "xrpctest/xrpctest.c"),
    ("message/msg_tree.c", "message/msg.c"),
)
DECLARATION = re.compile(r"^[a-z_][^;{}=()]*?\b(\w+)\([^;{}]*\);", re.M)


def dependencies(room: Path) -> dict[Path, dict[Path, str]]:
    """Files that each file below ``room`` needs, with the reason."""
    files = sorted(room.rglob("*.[ch]"))
    texts = {file: file.read_text() for file in files}
    bodies = {f: DEFINITION.findall(COMMENT.sub("", text)) for f, text in texts.items()}
    home = {
        name: f for f, found in bodies.items() if f.suffix == ".c" for s, name, _ in found if not s
    }
    graph: dict[Path, dict[Path, str]] = {}
    for file, found in bodies.items():
        reasons = graph.setdefault(file, {})
        for name in re.findall(rf'^#include "{room.name}/(\S+)"', texts[file], re.M):
            if (room / name).is_file():  # some headers are generated
                reasons[room / name] = "includes it"
        own = {name for _, name, _ in found}
        declared = set(DECLARATION.findall(texts[file])) if file.suffix == ".h" else set()
        for _, function, body in found:
            for word in set(re.findall(r"\w+", TAG_OR_MEMBER.sub("", body))) - own:
                if home.get(word, file) != file and word not in declared:
                    reasons[home[word]] = f"{function} names {word}"
    return graph


def circle(room: Path) -> list[str]:
    """The steps of a circle, or nothing."""
    graph = dependencies(room)
    for file, other in EXCEPTIONS:
        graph.get(room / file, {}).pop(room / other, None)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        files = error.args[1][::-1]  # graphlib names the needed one first
        return [f"{a.name} -> {b.name}: {graph[a][b]}" for a, b in zip(files, files[1:])]
    return []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_circle_of_files(room: Path) -> None:
    assert not (steps := circle(room)), "\n".join(steps)


def test_the_graph_sees_the_files() -> None:
    graph = dependencies(PROTOCOLS)
    assert len(graph) > 100 and sum(map(len, graph.values())) > 200
    tcp = PROTOCOLS / "tcp"
    assert (
        graph[tcp / "input/tcp_input.c"][tcp / "output/tcp_output.c"] == "tcp_pop names tcp_output"
    )
    graph = dependencies(BSDNET)
    assert (
        graph[BSDNET / "inet/ip_input.c"][BSDNET / "inet/reassembly.c"]
        == "ip_input names reassemble"
    )


@pytest.mark.parametrize(
    ("file", "added", "step"),
    [
        (
            "protocols/tcp/timers/tcp_persist.c",
            "void p(void *s)\n{\n\ttcp_output(s);\n}\n",
            "tcp_output",
        ),
        (
            "protocols/blast/blast_table.c",
            "void *p(void)\n{\n\treturn blast_clock_start;\n}\n",
            "clock",
        ),
        (
            "protocols/chan/chan_session.c",
            "int p(void)\n{\n\treturn chan_call(0);\n}\n",
            "chan_call",
        ),
        ("protocols/ip/ip.h", '#include "protocols/tcp/tcp_private.h"\n', "includes it"),
        (
            "protocols/tcp/tcp_net2.h",
            "static inline int p(void)\n{\n\treturn tcp_pop(0);\n}\n",
            "pop",
        ),
        ("bsdnet/pool/mbuf.c", "void p(void)\n{\n\tnet_run();\n}\n", "net_run"),
        ("bsdnet/mbuf/mbuf.h", '#include "bsdnet/socket/socket.h"\n', "includes it"),
        ("xkernel/map/map.h", '#include "xkernel/map/passive.h"\n', "includes it"),
        ("platform/platform.h", '#include "platform/host/host.h"\n', "includes it"),
    ],
)
def test_a_planted_circle_is_found(tmp_path: Path, file: str, added: str, step: str) -> None:
    room = tmp_path / file.partition("/")[0]
    shutil.copytree(FIRMWARE / room.name, room)
    with (tmp_path / file).open("a") as stream:
        stream.write(f"\n{added}")
    assert any(step in line for line in circle(room))
