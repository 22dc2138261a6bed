# SPDX-License-Identifier: BSD-2-Clause
"""Each protocol has its page: header or none, and states. Each counter has a meaning.

`struct X_counts` has the counters of a protocol. docs/data/firmware-counters.csv or the protocol's
page names all of its fields; the file names no other.
"""

import re

import pytest
from firmware_support import counter_table
from firmware_support.host_build import FIRMWARE, TEST

from mcpi.base.repo import ROOT

OWN = "test_protocol_pages.py"
PROTOCOLS = FIRMWARE / "protocols"
DOCS = ROOT / "docs" / "reference" / "protocols"
# The heading of a protocol's section, if it is not the name in capitals.
HEADINGS = {"lance": "The LANCE driver", "fragment": "Fragments", "keepalive": "Keep-alive"}
# No drawing of a header, since none is theirs; other pages say so.
WITHOUT_HEADER = {"keepalive", "fragment", "mpdriver"}


def section(protocol: str) -> str:
    """The protocol's part of a page: from its heading to the next one of that level."""
    heading = HEADINGS.get(protocol, protocol.upper())
    part = re.compile(rf"^(#+) {heading}\n(.*?)(?=^\1 |\Z)", re.M | re.S)
    found = [m[2] for page in sorted(DOCS.glob("*.md")) for m in part.finditer(page.read_text())]
    assert len(found) == 1, f"docs/reference/protocols: {len(found)} sections '{heading}'"
    return found[0]


def counters(protocol: str) -> dict[str, list[str]]:
    """Fields of each of its structs."""
    text = "".join(p.read_text() for p in sorted((PROTOCOLS / protocol).rglob("*.[ch]")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = re.findall(r"struct (\w+_counts) {(.*?)\n}(?: \w+)?;", text, re.S)
    assert f"{protocol}_counts" in dict(found), f"firmware/protocols/{protocol}: no such struct"
    return {
        struct: [
            name
            for line in re.findall(r"uint64_t ([^;]+);", body)
            for name in re.split(r",\s*", line)
        ]
        for struct, body in found
    }


ALL = sorted(p.name for p in PROTOCOLS.iterdir() if p.is_dir())


@pytest.mark.parametrize("protocol", ALL)
def test_a_test_names_the_protocol(protocol: str) -> None:
    sources = [p for p in TEST.rglob("*") if p.suffix in (".py", ".c") and p.name != OWN]
    assert any(re.search(rf"\b{protocol}", p.read_text(), re.I) for p in sources), "no test has it"


@pytest.mark.parametrize("protocol", ALL)
def test_every_counter_has_a_meaning(protocol: str) -> None:
    text = section(protocol)
    for struct, there in counters(protocol).items():
        described = counter_table.described(struct)
        missing = [n for n in there if n not in described and f"`{n}`" not in text]
        assert not missing, f"{struct}: neither {counter_table.TABLE.name} nor its page: {missing}"
        assert len(described) == len(set(described)) and set(described) <= set(there)


@pytest.mark.parametrize("protocol", ALL)
def test_page_draws_the_header_and_the_states(protocol: str) -> None:
    text = section(protocol)
    drawings = re.findall(r"^```\n(.*?)^```", text, re.M | re.S)
    assert any("►" in d for d in drawings) or protocol in ("lance", "fragment"), "no states"
    ruler = any(re.match(r"\s*0\s+\d", d) for d in drawings)
    table = re.search(r"^\| 0 \| \d", text, re.M)
    memory = protocol == "lance" and re.search(r"^0000 init block", text, re.M)
    none = protocol in WITHOUT_HEADER or re.search("no header", text, re.I)
    assert ruler or table or memory or none, "no header, and the page does not say so"


def test_no_counter_is_counted_by_nobody() -> None:
    code = "".join(p.read_text() for p in PROTOCOLS.rglob("*.[ch]"))
    idle = [
        f"{struct}.{name}"
        for protocol in ALL
        for struct, names in counters(protocol).items()
        for name in names
        if not re.search(rf"\b{struct}\.{name}\b|&{struct}", code)
        and not re.search(rf"counts->{name}\b", code)
        and not re.search(rf"COUNT\({struct}, {name}\b", code)
    ]
    assert not idle, f"never counted: {idle}"
