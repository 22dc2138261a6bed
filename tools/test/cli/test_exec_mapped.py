# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi exec`` on machines with TLBs: pages of a program want entries, counted by hand."""

import pytest
from tools_support.command import mcpi

from mcpi.analysis.profile import Profile
from mcpi.api import single_run as api
from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.results import folders
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL

WALK = str(FIRMWARE / "test" / "programs" / "walk.c")
KB = 1 << 10
# Entries of the data TLB, bytes of a page, PALcode's refill, its least number of ticks.
MACHINES = [(32, 8 * KB, "tuned", 0), (16, 4 * KB, "portable", 170), (76, 4 * KB, "tuned", 91)]


def spec_of(entries=32, page=8 * KB, refill="tuned", floor=0, fault=0, **more) -> ProgramSpec:
    """A walk over an eighth of the entries, and over more pages than there are entries."""
    settings = {
        "tlb.data_entries": str(entries),
        "tlb.page": f"{page // KB}KB",
        "tlb.refill": refill,
        "tlb.refill_floor": str(floor),
    }
    few, many = entries // 8, entries + 5
    defines = (f"PAGE={page}", f"FEW={few}", f"MANY={many}", f"FAULT={fault}")
    return ProgramSpec((WALK,), machine="dec3000-tlb", settings=settings, defines=defines, **more)


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    place = tmp_path_factory.mktemp("run") / "walk"
    return place, api.perform(spec_of(tick_log="client"), place)[1]


@pytest.mark.parametrize("shape", MACHINES)
def test_misses_are_those_of_hand_arithmetic(shape, tmp_path):
    """Each page that is new, or has lost its entry to others, misses once. ``many`` pages in turn
    are more than the entries, so each has lost its own, and so have the ``few`` before them."""
    entries, _, _, floor = shape
    _, result = api.perform(spec_of(*shape), tmp_path / "walk")
    few, again, many = result.regions.client.values()
    assert few.dtb.misses == entries // 8
    assert again.dtb.misses == 0 and again.dtb.refill_ticks == 0
    assert many.dtb.misses == entries + 5
    assert many.itb.misses == 0 and many.owners.get("translation", 0) <= many.dtb.refill_ticks
    if floor:
        assert many.dtb.refill_ticks == floor * many.dtb.misses
        assert many.owners["translation"] > 0
    assert few.icpi is None  # no memory of such a program is ideal


def test_interrupts_find_the_stack(walked):
    """PALcode pushes their frames; a miss in PAL mode would stop the machine."""
    place, _ = walked
    assert (place / "console.0.txt").read_text() == "2 1\n"


def test_the_profile_has_functions_of_mapped_code(walked):
    place, result = walked
    found = Profile(place, "client")
    assert {row.name for row in found.rows()} >= {"main", "PAL pal_dtb_miss"}
    assert found.sum.total == result.steady.client.totals.ticks


def test_the_table_has_misses_of_both_tlbs(tmp_path):
    done = mcpi("exec", WALK, "--machine", "dec3000-tlb", "--out", str(tmp_path / "a"))
    assert done.returncode == 0, done.stderr
    head, few, again, many = done.stdout.splitlines()[2:6]
    assert head.endswith("ITB DTB") and many.split()[-2:] == ["0", "40"]
    assert few.split()[-1] == "4" and again.split()[-1] == "0"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (1, "a read or a write through NULL, of address 0x8: "),
        (2, "no page is at address 0xc800000, or the page forbids this access: "),
        (3, "a jump to address 0x6400000, where no page is: "),
    ],
)
def test_a_page_that_is_not_there_ends_the_run(fault, said, tmp_path):
    with pytest.raises(api.Failed) as failed:
        api.perform(spec_of(fault=fault), tmp_path / "a")
    assert str(failed.value).startswith(said), failed.value
    assert "programs/walk.c:" in str(failed.value) and ": main+0x" in str(failed.value)


def test_a_stack_overflow_is_noticed(tmp_path):
    source = tmp_path / "deep.c"
    source.write_text(
        "static int deep(int n) { volatile char a[4096]; a[0] = n;"
        " return n ? deep(n - 1) + a[0] : 0; }\n"
        "int main(void) { return deep(1000); }\n"
    )
    with pytest.raises(api.Failed, match=r"stack overflow: the stack has 1,024 KB: .*deep\.c:1"):
        api.perform(ProgramSpec((str(source),), machine="dec3000-tlb"), tmp_path / "a")


def test_check_memory_is_refused():
    with pytest.raises(UserError, match="--check memory: it follows addresses that no TLB"):
        ProgramSpec((WALK,), machine="dec3000-tlb", checks="memory").check()


@pytest.mark.long
def test_both_engines_leave_the_same_folder(tmp_path):
    for engine in ("exact", RTL):
        api.perform(spec_of(engine=engine, tick_log="client"), tmp_path / engine)
    assert not folders.differences(tmp_path / "exact", tmp_path / RTL)
