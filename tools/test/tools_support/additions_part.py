# SPDX-License-Identifier: BSD-2-Clause
"""A part of the core that acts, as docs/contributing.md has its steps: a buffer of one block before
the D-cache, which counts the loads that it would answer."""

from tools_support.additions_cases import AGAIN, Acting, before, by_docgen, counts, instead, new

NO_PAGE = "memory.md is not as machines/counters.toml says"
PARAMETER = """\
[dcache.buffer]
type = "bool"
value = false
source = "recalled: an example of contributing.md"
acts = "elaborate"
doc = "A buffer of one block before the D-cache (explanation/memory.md)."

"""
COUNTER = """\

["dcache.buffer_hits"]
of = "core"
event = "bufferHit"
when = "dcache.buffer = on"
glides = false
checks = "predict"
log = 330
doc = "each load that hits in the D-cache, in the block of the load before"
"""
PAGE = """\
## A buffer of one block

With `dcache.buffer = on` the core has a buffer B before the D-cache. B names the block of the last
cached load. A load that hits in the D-cache and whose block B names is a hit of B, in stage E1; the
next load finds its own block in B. B takes no tick from anything.

<!-- buffer counters -->
<!-- end -->

"""
BUFFER = """\
// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Names the block of the last cached load, and finds a load that hits in it
  * (docs/explanation/memory.md, A buffer of one block).
  */
class BlockBuffer(c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val load, miss = in Bool () // in E1: it asks the D-cache; it is not there
  val address = in UInt (c.bus.addressWidth bits)
  val hit = out Bool ()

  private val offset = log2Up(c.blockBytes)
  val last = Reg(UInt(c.bus.addressWidth - offset bits)) init 0
  val valid = RegInit(False)
  hit := load && !miss && valid && last === (address >> offset)
  when(tick && load) {
    last := address >> offset
    valid := True
  }
}
"""
OWN_TEST = '''\
# SPDX-License-Identifier: BSD-2-Clause
"""The buffer before the D-cache is refused with what it does not support."""

import pytest

from mcpi.base.errors import UserError
from mcpi.machine import profile

WITH = {"dcache.victims": "4", "dcache.policy": "back"}


@pytest.mark.parametrize("key", WITH)
def test_what_it_does_not_support_is_refused(key: str) -> None:
    with pytest.raises(UserError, match=f"dcache.buffer = True: with {key}"):
        profile.load("dec3000-600", {"dcache.buffer": "on", key: WITH[key]})
'''
REFUSED = """
["dcache.buffer"]
usual = false
only_with = [
    ["dcache.policy", "through", "the D-cache has no buffer"],
    ["dcache.victims", 0, "the D-cache has no buffer"],
    ["bcache.private", false, "the D-cache has no buffer"],
]
"""


PART = Acting(
    "part of the core",
    {
        "docs/explanation/memory.md": (before("## Write-back D-cache\n", PAGE), "buffer counters"),
        "machines/parameters.toml": (before("[dcache.victims]\n", PARAMETER), "dcache.buffer"),
        "machines/counters.toml": (new(COUNTER), NO_PAGE),
        "cores/alpha-lite/AlphaLiteConfig.scala": (
            instead(
                "    dVictims: Int = 0, // of the D-cache\n",
                "    dVictims: Int = 0, // of the D-cache\n"
                "    dBuffer: Boolean = false, // of one block\n",
                "hasIVictims, hasDVictims)",
                "hasIVictims, hasDVictims, dBuffer)",
                '      dVictims = m.int("dcache.victims"),\n',
                '      dVictims = m.int("dcache.victims"),\n'
                '      dBuffer = m.bool("dcache.buffer"),\n',
            ),
            "dBuffer",
        ),
        "cores/alpha-lite/loadstore/BlockBuffer.scala": (new(BUFFER), "BlockBuffer"),
        "cores/alpha-lite/loadstore/LoadStore.scala": (
            instead(
                "  val flush = in Bool () // drop",
                "  val bufferEvent = c.dBuffer generate (out Bool ())\n"
                "  val flush = in Bool () // drop",
                "  missAddress := physical\n",
                "  missAddress := physical\n"
                "  if (c.dBuffer) {\n"
                "    val blockBuffer = new BlockBuffer(c)\n"
                "    blockBuffer.tick := tick\n"
                "    blockBuffer.load := wantsBlock\n"
                "    blockBuffer.miss := asksBus\n"
                "    blockBuffer.address := physical\n"
                "    bufferEvent := blockBuffer.hit\n"
                "  }\n",
            ),
            "bufferEvent",
        ),
        "cores/alpha-lite/AlphaLite.scala": (
            before(
                "  if (c.hasDVictims) events.dVictimHit :=",
                "  if (c.dBuffer) events.bufferHit := delayed(loadStore.bufferEvent)\n",
            ),
            "dcache.buffer_hits",
        ),
        "cores/alpha-lite/execute/Pipeline.scala": (
            before(
                "  if (c.hasDVictims) events.dVictimHit :=",
                "  if (c.dBuffer) events.bufferHit := False\n",
            ),
            "bufferHit",
        ),
        "rtl/counters/RetirePort.scala": (
            instead(
                "    dVictims: Boolean = false\n",
                "    dVictims: Boolean = false,\n    dBuffer: Boolean = false\n",
                "  val dVictimHit = dVictims generate Bool()\n",
                "  val dVictimHit = dVictims generate Bool()\n"
                "  val bufferHit = dBuffer generate Bool()\n",
            ),
            "bufferHit",
        ),
        "rtl/counters/Counters.scala": (
            instead(
                "    dVictims: Boolean = false,\n",
                "    dVictims: Boolean = false,\n    dBuffer: Boolean = false,\n",
                "group, iVictims, dVictims)",
                "group, iVictims, dVictims, dBuffer)",
                '    dVictims = m.int("dcache.victims") > 0,\n',
                '    dVictims = m.int("dcache.victims") > 0,\n'
                '    dBuffer = m.bool("dcache.buffer"),\n',
            ),
            "bufferHit",
        ),
        "sim/memory/trace.h": (
            before("    unsigned iVictimTicks", "    bool dBuffer = false; ///< of one block\n"),
            "dBuffer",
        ),
        "sim/memory/geometry.cpp": (
            before("    g.iVictimTicks", '    g.dBuffer = m.parameter("dcache.buffer");\n'),
            "the counters are not what they should be",
        ),
        "sim/memory/hierarchy.h": (
            before("    Victims iVictims_,", "    uint64_t lastLoaded_ = noBlock;\n"),
            "lastLoaded_",
        ),
        "sim/memory/hierarchy.cpp": (
            instead(
                "            note(TickEvents::loadHits);\n            d_.use(block);\n",
                "            note(TickEvents::loadHits);\n            d_.use(block);\n"
                "            if (g_.dBuffer && block == lastLoaded_)\n"
                "                event(Event::dcacheBufferHits);\n",
                "loadMissed_ : fill_) = block;\n        }\n        break;\n",
                "loadMissed_ : fill_) = block;\n        }\n"
                "        lastLoaded_ = block;\n        break;\n",
            ),
            "the counters are not what they should be",
        ),
        "tools/mcpi/machine/caches.toml": (new(REFUSED), "DID NOT RAISE"),
        "verify/docgen/counters.py": (
            before(
                '    "bcache.private": (',
                '    "dcache.buffer": ("memory.md", "buffer counters"),\n',
            ),
            "dcache.buffer_hits",
        ),
        "docs/explanation/constants.md": (by_docgen("constants"), AGAIN),
        "sim/test/memory/test_block_buffer.py": (new(OWN_TEST), "test_block_buffer"),
    },
    (
        "tools/test/machine/test_counters.py",
        "verify/test/docgen/test_constants.py",
        "sim/test/memory/test_block_buffer.py",
    ),
    {"dcache.buffer": ("on", "off")},
    counts("dcache.buffer_hits"),
)
