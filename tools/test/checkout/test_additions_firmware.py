# SPDX-License-Identifier: BSD-2-Clause
"""docs/contributing.md is carried out for a protocol and a variant that act, in a copy of the
checkout: the files are those of the page's steps, and without any of them something fails."""

import os
import re
import sys
from pathlib import Path

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT

pytestmark = pytest.mark.slow
MOST_FILES = 5
LEFT_OUT = {".git", "build", "results", "out"}
NAMES = {"<name>": "demo", "<layer>": "link"}
# The file of a step: the first path of the step.
STEP = re.compile(r"^\d\. `([^`]+)`", re.M)

PROTOCOL = """\
/* SPDX-License-Identifier: BSD-2-Clause */
/* DEMO: counts messages, and drops short ones. */
#include "xkernel/upi.h"

struct demo_counts {
	uint64_t heard, too_short;
} demo_counts;

int demo_init(struct xobj *self);

static int demo_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	if (msg_bytes(m) < 4) {
		demo_counts.too_short++;
		return XK_ERROR;
	}
	demo_counts.heard++;
	return XK_OK;
}

static const struct xobj_ops ops = { XOBJ_DEFAULTS, .demux = demo_demux };

int demo_init(struct xobj *self)
{
	self->ops = &ops;
	return xOpenEnable(self, self, self->down[0], NULL);
}
"""
GRAPH = """\
# SPDX-License-Identifier: BSD-2-Clause
lance
eth   lance
vnet  eth
ip    vnet
demo  ip=253
"""
SECTION = """
## DEMO

DEMO has no header.

```
 up ─► `heard`
    ─► dropped, `too_short`
```
"""
TEST = """\
# SPDX-License-Identifier: BSD-2-Clause
from firmware_support.host_build import FIRMWARE, OUT, graph_table, libraries
from scapy.layers.inet import IP
from scapy.packet import Raw
from firmware_support.solo_machine import KERNEL, US, Solo, ether

from mcpi.firmware import images
from mcpi.machine import profile

GRAPH = FIRMWARE / "graphs" / "demo" / "tcp.graph"


def message(data: bytes):
    return ether(IP(src=US, dst=KERNEL, proto=253) / Raw(data))


def test_messages_come_in() -> None:
    folder = OUT / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    machine = libraries(folder, [], graph_table(folder, GRAPH))[0]
    with Solo(known=False, machine=machine) as m:
        assert m.exchange(message(b"hello"), message(b"hi"), message(b"there")) == []
        m.say("c demo_counts 2")
        assert [int(word) for word in m.answer()[1:]] == [2, 1]


def test_an_image_has_it() -> None:
    plan = images.plan(profile.load("dec3000-600"), "std", str(GRAPH))
    image = images.build(plan).image
    assert b"demo_demux" in image.read_bytes()
"""
LINK_ORDER = "protocols/demo/demo.c\n"
# By the page's path: the text that is added, and words of the failure without it.
PROTOCOL_FILES = {
    "firmware/protocols/<name>/<name>.c": (PROTOCOL, "there is no protocols/demo/demo.c"),
    "firmware/link.order": (LINK_ORDER, "no line for protocols/demo/demo.c"),
    "firmware/graphs/<name>/tcp.graph": (GRAPH, "tcp.graph"),
    "docs/reference/protocols/<layer>.md": (SECTION, "0 sections 'DEMO'"),
    "firmware/test/protocols/<name>/test_<name>.py": (TEST, "no test has it"),
}
PROTOCOL_TESTS = (
    "firmware/test/protocols/demo/test_demo.py",
    "firmware/test/test_protocol_pages.py",
)
PROTOCOL_TESTS += ("firmware/test/test_firmware_layers.py",)

VARIANT = """\
# SPDX-License-Identifier: BSD-2-Clause
base = "std"

[variant]
doc = "STD with multiply and divide for the congestion window."

[compile]
defines = ["XK_NODIV=0"]
"""
VARIANT_FILES = {
    "firmware/variants/<name>.toml": VARIANT,
    "docs/explanation/variants.md": "\n## DEMO\n\nDEMO is STD with `XK_NODIV=0`.\n",
}
DIGESTS = """\
from mcpi.firmware import digests, images
from mcpi.machine import profile

machine = profile.load("dec3000-600")
for variant in ("std", "demo"):
    print(digests.digest(images.build(images.plan(machine, variant, "tcp")).image))
"""


def files_of(kind: str) -> list[str]:
    """The files of the page's steps."""
    page = (ROOT / "docs/contributing.md").read_text()
    section = re.search(rf"^## An? {kind}\n(.*?)(?=^## |\Z)", page, re.M | re.S)[1]
    return STEP.findall(section)


def add(root: Path, name: str, text: str) -> None:
    for word, value in NAMES.items():
        name = name.replace(word, value)
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + text)


def remove(root: Path, name: str, text: str) -> None:
    for word, value in NAMES.items():
        name = name.replace(word, value)
    rest = (root / name).read_text().removesuffix(text)
    (root / name).write_text(rest) if rest else (root / name).unlink()


def python(root: Path, *words: object) -> tuple[bool, str]:
    """Python of the copy: True if it ends well, and its words."""
    own = os.environ | {"PYTHONPATH": f"{root / 'tools'}:{root}"}
    done = heard([sys.executable, *words], cwd=root, env=own)
    return done.returncode == 0, done.stdout + done.stderr


def judged(root: Path, *tests: object) -> tuple[bool, str]:
    return python(root, "-m", "pytest", "-q", "-c", root / "pytest.ini", *tests)


def test_a_protocol_acts(checkout: Path) -> None:
    assert files_of("protocol") == list(PROTOCOL_FILES)
    assert len(PROTOCOL_FILES) <= MOST_FILES
    for name, (text, _) in PROTOCOL_FILES.items():
        add(checkout, name, text)
    right, output = judged(checkout, *PROTOCOL_TESTS)
    assert right, output
    for name, (text, words) in PROTOCOL_FILES.items():
        remove(checkout, name, text)
        there = [test for test in PROTOCOL_TESTS if (checkout / test).exists()]
        right, output = judged(checkout, *there)
        assert not right and words in output, f"without {name}:\n{output}"
        add(checkout, name, text)


def test_a_variant_acts(checkout: Path) -> None:
    assert files_of("variant") == list(VARIANT_FILES)
    for name, text in VARIANT_FILES.items():
        add(checkout, name, text)
    right, output = python(checkout, "-c", DIGESTS)
    assert right and len(set(output.split())) == 2, output
    wire = (
        "firmware/test/variants/test_variants.py",
        "-k",
        "same_frames and demo or often and demo",
    )
    right, output = judged(checkout, "tools/test/firmware/test_switches.py", *wire[:1], *wire[1:])
    assert right and "passed" in output, output
    recipe = checkout / "firmware/variants/demo.toml"
    recipe.write_text(VARIANT.replace("XK_NODIV", "XK_DEMO"))
    right, output = judged(checkout, "tools/test/firmware/test_switches.py")
    assert not right and "XK_DEMO" in output, output
