# SPDX-License-Identifier: BSD-2-Clause
"""A small program in the simulator's place that keeps contracts.md 8, and what is built beside it.

Its round trips and paths have round figures, and depend on the phase of node 0 alone.
"""

import json
import sys
from pathlib import Path

PROGRAM = r"""#!{python}
import json, struct, sys, time
from pathlib import Path
mode, *words = sys.argv[1:]
assert mode == "run"
options = {{}}
for name, value in zip(words, [*words[1:], ""]):
    options.setdefault(name, []).append(value)
out = Path(options["--out"][0])
parameters = json.loads(Path(options["--machine"][0]).read_text())["parameters"]
given = dict(v.split("=", 1) for v in options["--node"])
trips, phase = int(given["0:boot.round_trips"]), int(given["0:phase"])
per = 1000 if parameters["memory.ideal"] else 2000
{begins}
tick, rows = 100, ["tick,node,event", "100,0,5"]
for n in range(trips):
    long = 61000 + 175 * n + phase % 2
    rows += [f"{{tick}},0,1", f"{{tick + long}},0,2"]
    tick += long + 10
    print("progress", n + 1, tick, file=sys.stderr, flush=True)
rows.append(f"{{tick}},0,6")
(out / "events.csv").write_text("\n".join(rows) + "\n")
count = {{"ticks": per * trips, "instructions": 500 * trips, "owner.issue": 500 * trips,
         "owner.d_miss": (per - 500) * trips, "invocations": trips}}
for cache in ("icache", "dcache"):
    count |= {{f"{{cache}}.accesses": 9 * trips, f"{{cache}}.misses": trips}}
count |= {{f"write_buffer.{{k}}": trips for k in ("accesses", "merges", "writes")}}
both = {{"all": count | {{"owner.idle": 5}}, "path": count}}
(out / "counters.json").write_text(json.dumps({{"nodes": [both, both]}}))
pcap = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)
(out / "wire.pcap").write_bytes(pcap + struct.pack("<IIII", 0, 5, 60, 60) + bytes(60))
about = {{"ticks": tick, "wall_seconds": 0.5, "exit_codes": [0, 0]}}
(out / "run.json").write_text(json.dumps(about))
{ends}
"""


def place(built: Path, begins: str = "", ends: str = "") -> list[Path]:
    """The program and the files of ``graph.Built`` in ``built``. ``begins``, ``ends``: what it does
    besides, in Python; ``per`` is the ticks of a path."""
    built.mkdir(exist_ok=True)
    (built / "Node.json").write_text(json.dumps({"rtl_digest": "0123456789abcdef"}))
    for name in ("image.elf", "pal.elf"):
        (built / name).write_bytes(name.encode())
    program = built / "mcpi-sim"
    program.write_text(PROGRAM.format(python=sys.executable, begins=begins, ends=ends))
    program.chmod(0o755)
    return [program, *(built / name for name in ("Node.json", "image.elf", "pal.elf"))]
