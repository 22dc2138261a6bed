# SPDX-License-Identifier: BSD-2-Clause
"""Each protocol has its page: header or none, and states. Each counter has a meaning.

`struct X_counts` has the counters of a protocol. docs/data/firmware-counters.csv or the protocol's
page names all of its fields; the file names no other.
"""

import re

import counter_table
import pytest
from host_build import FIRMWARE

from mcpi.base.repo import ROOT

PROTOCOLS = FIRMWARE / "protocols"
DOCS = ROOT / "docs" / "reference" / "protocols"
# Page of each protocol, and the heading of its section.
SECTIONS = {
    "lance": ("driver", "The LANCE driver"),
    "eth": ("link", "ETH"),
    "vnet": ("link", "VNET"),
    "arp": ("link", "ARP"),
    "fddi": ("link", "FDDI"),
    "mpdriver": ("driver", "MPDRIVER"),
    "ip": ("ip", "IP"),
    "fragment": ("ip", "Fragments"),
    "icmp": ("udp-icmp", "ICMP"),
    "udp": ("udp-icmp", "UDP"),
    "tcp": ("tcp", "TCP"),
    "keepalive": ("tcp", "Keep-alive"),
    **{name: ("rpc", name.upper()) for name in "blast bid bidctl chan vchan mselect".split()},
}
# No drawing of a header, since none is theirs; the page says so of the first two.
WITHOUT_HEADER = {"vnet", "vchan", "keepalive", "fragment", "mpdriver"}


def section(protocol: str) -> str:
    """The protocol's part of its page: from its heading to the next one of that level."""
    page, heading = SECTIONS[protocol]
    text = (DOCS / f"{page}.md").read_text()
    return re.search(rf"^(#+) {heading}\n(.*?)(?=^\1 |\Z)", text, re.M | re.S)[2]


def counters(protocol: str) -> list[str]:
    """Fields of its struct."""
    text = "".join(p.read_text() for p in sorted((PROTOCOLS / protocol).glob("*.h")))
    body = re.search(rf"struct {protocol}_counts {{(.*?)\n}}(?: OWN_BLOCK)?;", text, re.S)[1]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    return [n for line in re.findall(r"uint64_t ([^;]+);", body) for n in re.split(r",\s*", line)]


ALL = sorted(p.name for p in PROTOCOLS.iterdir() if p.is_dir())


def test_every_protocol_is_here() -> None:
    said = "lance eth vnet arp fddi mpdriver ip fragment icmp udp tcp keepalive"
    assert set(ALL) == set(f"{said} blast bid bidctl chan vchan mselect".split())


@pytest.mark.parametrize("protocol", ALL)
def test_every_counter_has_a_meaning(protocol: str) -> None:
    text, described = section(protocol), counter_table.described(f"{protocol}_counts")
    there = counters(protocol)
    missing = [n for n in there if n not in described and f"`{n}`" not in text]
    assert not missing, f"neither {counter_table.TABLE.name} nor {SECTIONS[protocol]}: {missing}"
    assert len(described) == len(set(described)) and set(described) <= set(there)


@pytest.mark.parametrize("protocol", ALL)
def test_page_draws_the_header_and_the_states(protocol: str) -> None:
    text = section(protocol)
    drawings = re.findall(r"^```\n(.*?)^```", text, re.M | re.S)
    assert any("►" in d for d in drawings) or protocol in ("lance", "fragment"), "no states"
    ruler = any(re.match(r"\s*0\s+\d", d) for d in drawings)
    table = re.search(r"^\| 0 \| \d", text, re.M)
    memory = protocol == "lance" and re.search(r"^0000 init block", text, re.M)
    assert ruler or table or memory or protocol in WITHOUT_HEADER, "no header"
    if protocol in ("vnet", "vchan"):
        assert re.search("no header", text, re.I)


def test_no_counter_is_counted_by_nobody() -> None:
    code = "".join(p.read_text() for p in PROTOCOLS.glob("*/*.[ch]"))
    idle = [
        f"{protocol}_counts.{name}"
        for protocol in ALL
        for name in counters(protocol)
        if not re.search(rf"\b{protocol}_counts\.{name}\b|&{protocol}_counts", code)
        and not re.search(rf"counts->{name}\b", code)
        and not re.search(rf"COUNT\({protocol}_counts, {name}\b", code)
    ]
    assert not idle, f"never counted: {idle}"
