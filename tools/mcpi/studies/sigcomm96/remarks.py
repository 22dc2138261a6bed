# SPDX-License-Identifier: BSD-2-Clause
"""Remarks for the reader before any figure: versions that are not comparable."""

from mcpi.studies.sigcomm96.plan import BASE, BEST


def remarks(results: dict[str, dict]) -> list[str]:
    return [*_other_servers(results), *_other_frames(results)]


def _other_frames(results: dict[str, dict]) -> list[str]:
    """Versions that did not send what the base sent: their figures compare two programs."""
    said = []
    for stack, versions in results.items():
        sent = {v: r["wire"]["digest"] for v, r in versions.items() if "wire" in r}
        if others := [v.upper() for v, digest in sent.items() if digest != sent.get(BASE, digest)]:
            said.append(
                f"{stack.upper()}: other frames than {BASE.upper()}'s: {', '.join(others)}."
            )
    return said


def _other_servers(results: dict[str, dict]) -> list[str]:
    """RPC's server is a fixed reference (4.2)."""
    peers = {v: r["provenance"]["peer_variant"] for v, r in results.get("rpc", {}).items()}
    if others := [f"{v.upper()} with {p.upper()}" for v, p in peers.items() if p != BEST]:
        return [f"RPC's server should be ALL in every row; it is not in: {', '.join(others)}."]
    return []
