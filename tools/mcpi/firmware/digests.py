# SPDX-License-Identifier: BSD-2-Clause
"""Print the SHA-256 of what each image loads: all versions of both stacks, the other programs, and
an image of each kind of the other studies.

Run as ``python -m mcpi.firmware.digests`` before and after a change that must not move code.
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.firmware import images, interop, parallel, protocol_graph, recipes, sources, structures
from mcpi.machine import profile
from mcpi.machine.profile import Machine

FRAGMENTS = ("XK_FRAGMENTS=1", "XK_LINK_CHECK=1")  # as TR 93-04's messages want them
SHUFFLED = 1  # the seed of one shuffled link order


def digest(image: Path) -> str:
    """The SHA-256 of the addresses, sizes and bytes of the segments that are loaded."""
    sha = hashlib.sha256()
    with image.open("rb") as stream:
        for segment in ELFFile(stream).iter_segments("PT_LOAD"):
            sha.update(f"{segment['p_vaddr']:x} {segment['p_memsz']:x} ".encode())
            sha.update(segment.data())
    return sha.hexdigest()


def plans(machine: Machine) -> Iterator[tuple[str, images.Plan]]:
    """Plans of all measured images, each with a name."""
    for variant in recipes.variants():
        for stack in protocol_graph.stacks():
            if images.lacks(variant, stack):
                continue
            for role in ("client", "server"):
                made = images.compiled(machine, variant, stack, role=role)
                yield f"{variant} {stack} {role}", images.linked(made)
            shuffled = images.linked(made, shuffle=SHUFFLED)
            yield f"{variant} {stack} server, shuffled by {SHUFFLED}", shuffled
    for program in sources.BARE:
        yield f"std {program}", images.plan(machine, "std", program)
    yield "interop", interop.plan(machine)
    several = profile.load("challenge-100")
    for stack in parallel.STACKS:
        yield f"parallel {stack}", parallel.plan(several, parallel.Wanted(stack=stack))
    yield "parallel mpcount", parallel.plan(several, parallel.Wanted("mpcount"))
    translated = profile.load("hp720")
    for structure in structures.names():
        name = f"udprecv-{structure}"
        defines = FRAGMENTS if structure == "xkernel" else ()
        yield f"std {name}", images.plan(translated, "std", name, defines)


def main() -> None:
    whole = hashlib.sha256()
    for name, plan in plans(profile.load("dec3000-600")):
        found = digest(images.build(plan).image)
        whole.update(f"{name} {found}\n".encode())
        print(f"{found[:16]}  {name}")
    print(f"{whole.hexdigest()[:16]}  all of these")


if __name__ == "__main__":
    sys.exit(main())
