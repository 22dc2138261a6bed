# SPDX-License-Identifier: BSD-2-Clause
"""The counters by name, for the proofs: of each bank and its copy; the owners also in one word."""

from mcpi.machine import counters

PREFIXES = {
    "all": "banks_1_all",
    "path": "banks_1_path",
    "allCopy": "snapshot_1.snapshot_all",
    "pathCopy": "snapshot_1.snapshot_path",
}


def includes() -> dict[str, str]:
    owners = list(counters.owners())
    names = {name: name for name in ("ticks", "instructions", "clocks", "withheld")}
    names |= {owner: f"owner_{owner}" for owner in owners}
    lines = ["// SPDX-License-Identifier: BSD-2-Clause", f"`define OWNERS {len(owners)}"]
    for bank, prefix in PREFIXES.items():
        lines += [f"wire [63:0] {bank}_{n} = counters.{prefix}_{r};" for n, r in names.items()]
        word = ", ".join(f"{bank}_{owner}" for owner in reversed(owners))
        lines.append(f"wire [{64 * len(owners) - 1}:0] {bank}_owners = {{{word}}};")
    return {"banks.svh": "\n".join(lines) + "\n"}
