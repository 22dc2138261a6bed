# SPDX-License-Identifier: BSD-2-Clause
"""Small designs, each about one rule of timing with a tick's two clocks (timing.md)."""

from routed_design import Design

SLOW = 10000  # ps of the arc a case is about; all others have 1000


def started() -> Design:
    """A beat; ``free`` moves in any clock, ``h`` behind beats alone."""
    design = Design()
    design.beat()
    design.register("free", design.lut("not_free", lambda q: not q, "free"))
    design.register("h", "free", enable="beat")
    return design


def slow(design: Design, source: str) -> str:
    return design.lut("slow", lambda a: not a, source, ps=SLOW)


def free_to_held(design: Design) -> None:
    design.register("e", slow(design, "free"), enable="beat")


def held_to_held(design: Design) -> None:
    design.register("e", slow(design, "h"), enable="beat")


def held_to_free(design: Design) -> None:
    design.register("e", slow(design, "h"))


def held_to_free_in_a_beat(design: Design) -> None:
    """In a quiet clock the LUT takes ``free``."""
    take = design.lut(
        "take", lambda b, a, f: a if b else f, "beat", "h", "free", ps=(1000, SLOW, 1000)
    )
    design.register("e", take)


def held_to_enable(design: Design) -> None:
    gate = design.lut("gate", lambda b, a: b & a, "beat", "h", ps=(1000, SLOW))
    design.register("e", "h", enable=gate)


def held_to_two_inverted(design: Design) -> None:
    gate = design.lut("gate", lambda b, a: 1 - b | a, "beat", "h", ps=(1000, SLOW))
    gone = design.lut("gone", lambda b: not b, "beat")
    design.register("e", "h", enable=gate, reset=gone, CEMUX="INV", LSRMUX="INV")
    design.register("f", slow(design, "e"), enable="beat")


def held_by_its_own_way_back(design: Design) -> None:
    """What it took at the beat must be through the way back at the end of the next clock."""
    own = design.lut("own", lambda b, a, e: a if b else e, "beat", "h", "e", ps=(1000, 1000, SLOW))
    design.register("e", own)


def held_data_into_a_way_back(design: Design) -> None:
    own = design.lut("own", lambda b, a, e: a if b else e, "beat", "h", "e", ps=(1000, SLOW, 1000))
    design.register("e", own)


def held_by_its_own_way_back_as_a_source(design: Design) -> None:
    own = design.lut("own", lambda b, a, e: a if b else e, "beat", "h", "e")
    design.register("e", own)
    design.register("f", slow(design, "e"), enable="beat")


def held_by_its_reset(design: Design) -> None:
    """As synthesis likes to say it: set, unless what it shall be is 0."""
    none = design.lut("none", lambda b, a, e: not (a if b else e), "beat", "h", "e")
    design.register("e", "1", reset=none, SRMODE="LSR_OVER_CE", REGSET="RESET")
    design.register("f", slow(design, "e"), enable="beat")


def set_at_any_time(design: Design) -> None:
    own = design.lut("own", lambda b, f, e: e | f & (1 - b), "beat", "free", "e")
    design.register("e", own)
    design.register("f", slow(design, "e"), enable="beat")


def copy(design: Design, data: str) -> None:
    """As a memory's address has one: it takes in each clock what another register has or takes."""
    design.register("r", "free", enable="beat")
    taken = design.lut("taken", lambda b, a, r: a if b else r, "beat", data, "r")
    design.register("e", taken)
    design.register("f", slow(design, "e"), enable="beat")


def copy_of_a_register(design: Design) -> None:
    copy(design, "free")


def copy_of_other_data(design: Design) -> None:
    """Behind the beat it takes what the other register took instead."""
    copy(design, "h")


def two_ways_that_cancel(design: Design) -> None:
    """Zero, when both have arrived."""
    late = design.lut("late", lambda a: a, "h", ps=SLOW - 1000)
    gone = design.lut("gone", lambda a, b: a ^ b, late, "h")
    design.register("e", gone)


def one_of_two_arms(design: Design) -> None:
    """In a quiet clock a PFUMX takes ALUT."""
    one = design.lut("one", lambda a: not a, "free")
    none = design.lut("none", lambda a: not a, "h", ps=SLOW)
    still = design.lut("still", lambda b: not b, "beat")
    design.register("e", design.mux("mux", still, one, none))


def the_other_arm(design: Design) -> None:
    one = design.lut("one", lambda a: not a, "free")
    none = design.lut("none", lambda a: not a, "h", ps=SLOW)
    design.register("e", design.mux("mux", "beat", one, none))


def beat_behind_a_beat(design: Design) -> None:
    """Its data are 0 in a quiet clock, as it is itself; it moves nevertheless."""
    design.beat("second", "beat")
    design.register("e", slow(design, "second"), enable="beat")


def reset_at_any_time(design: Design) -> None:
    design.register("e", "h", enable="beat", reset="free")
    design.register("f", slow(design, "e"), enable="beat")


def reset_that_is_gone(design: Design) -> None:
    design.register("reset", design.lut("so", lambda r: r, "reset"))
    design.marks["reset"] = {"mcpi_quiet_0": "1"}
    design.register("e", "h", enable="beat", reset="reset")
    design.register("f", slow(design, "e"), enable="beat")


def runs(design: Design) -> None:
    design.register("run", design.lut("so", lambda r: r, "run"))
    design.marks["run"] = {"mcpi_quiet_1": "1"}
    design.register("e", "h", enable=design.lut("take", lambda b, r: b | 1 - r, "beat", "run"))
    design.register("f", slow(design, "e"), enable="beat")


def runs_or_not(design: Design) -> None:
    runs(design)
    design.marks["run"] = {"mcpi_static": "1"}


def parameter(design: Design) -> None:
    design.register("p", "free")
    design.marks["p"] = {"mcpi_static": "1"}
    design.register("e", slow(design, "p"))


def parameter_that_is_none(design: Design) -> None:
    parameter(design)
    design.marks["p"] = {"mcpi_static": "0" * 32}


def early_to_held(design: Design) -> None:
    design.register("p", "free")
    design.marks["p"] = {"mcpi_early": "1"}
    design.register("e", slow(design, "p"), enable="beat")


def early_to_free(design: Design) -> None:
    held_to_free_in_a_beat(design)
    design.registers["h"] = design.registers["free"]
    design.marks["h"] = {"mcpi_early": "1"}


def early_into_a_way_back(design: Design) -> None:
    held_data_into_a_way_back(design)
    design.registers["h"] = design.registers["free"]
    design.marks["h"] = {"mcpi_early": "1"}


def early_in_a_quiet_clock(design: Design) -> None:
    design.register("p", "free")
    design.marks["p"] = {"mcpi_early": "1"}
    design.register("e", slow(design, "p"))


def select_of_the_same(design: Design) -> None:
    """In a quiet clock both arms are what the register has, and nobody waits for what selects."""
    one = design.lut("one", lambda b, f, e: f if b else e, "beat", "free", "e")
    none = design.lut("none", lambda b, h, e: h if b else e, "beat", "h", "e")
    select = design.lut("select", lambda a: not a, "h", ps=SLOW - 1000)
    design.register("e", design.mux("mux", select, one, none))


def three_of_the_same(design: Design) -> None:
    """Any two are enough, and two there must be."""
    ways = [design.lut(f"way{i}", lambda a: a, "h", ps=SLOW - 1000) for i in range(3)]
    design.register("e", design.lut("most", lambda a, b, c: a + b + c > 1, *ways))


def ram(design: Design, *, read="beat", write="0", width=9, out="", pins=None, **settings) -> None:
    """Side A is on and writes, side B reads into ``e`` if it has an output."""
    wires = {"CLKA": "clock", "CLKB": "clock", "CEA": "1", "WEA": write, "CEB": read}
    wires |= {"DIA0": "0"} | (pins or {}) | ({"DOB0": "word"} if out else {})
    arcs = [("CLKB", "DOB0", 1000)]
    checks = [(pin, f"CLK{pin[2]}", 0) for pin in wires if pin[:2] in ("DI", "AD", "CE", "WE")]
    widths = {f"DATA_WIDTH_{side}": f"{width:032b}" for side in "AB"}
    design.raw["ram"] = "DP16KD", widths | settings, wires, arcs, checks
    if out:
        ps = SLOW - 1000
        design.register("e", design.lut("slow", lambda a: a, "word", ps=ps), enable=out)


def ram_read_at_a_beat(design: Design) -> None:
    ram(design, out="beat")


def ram_read_at_any_time(design: Design) -> None:
    ram(design, read="1", out="beat")


def ram_with_output_register(design: Design) -> None:
    ram(design, out="beat", REGMODE_B="OUTREG")


def ram_address(design: Design) -> None:
    ram(design, pins={"ADB5": slow(design, "h")})


def ram_address_at_any_time(design: Design) -> None:
    ram(design, read="1", pins={"ADB5": slow(design, "h"), "DOB0": "word"})
    design.register("e", "word")


def ram_written_at_a_beat(design: Design) -> None:
    ram(design, write="beat", pins={"DIA3": slow(design, "h")})


def ram_that_also_reads(design: Design) -> None:
    """What side A reads is looked at, so its address matters in a quiet clock."""
    ram(design, write="beat", pins={"ADA5": slow(design, "h"), "DOA0": "seen"})
    design.register("s", "seen")
    kind, settings, pins, arcs, checks = design.raw["ram"]
    arcs = [*arcs, ("CLKA", "DOA0", 1000)]
    design.raw["ram"] = kind, settings, pins, arcs, [c for c in checks if c[0] != "DOA0"]


def ram_by_byte_enables(design: Design) -> None:
    enables = {f"ADA{i}": "beat" if i < 4 else "0" for i in range(5)}
    ram(design, write="1", width=36, pins=enables | {"DIB7": slow(design, "h")})
    kind, settings, pins, arcs, checks = design.raw["ram"]
    checks = [(pin, "CLKA" if pin == "DIB7" else clock, ps) for pin, clock, ps in checks]
    design.raw["ram"] = kind, settings, pins, arcs, checks


def ram_byte_enable_is_no_address(design: Design) -> None:
    """A narrow memory has an address there, and writes by its enable alone."""
    ram(design, write="1", width=9, pins={"ADA0": "beat", "DIA3": slow(design, "h")})


def small_ram(design: Design, write: str) -> None:
    """One of nextpnr's four cells of a distributed RAM."""
    pins = {"WRE": write, "WD": slow(design, "h"), "WCK": "clock"}
    checks = [("WRE", "WCK", 0), ("WD", "WCK", 0)]
    design.raw["small"] = "TRELLIS_DPR16X4", {}, pins, [], checks
    design.renamed["small"] = "small$DPRAM_COMB2"


def small_ram_at_a_beat(design: Design) -> None:
    small_ram(design, "beat")


def small_ram_at_any_time(design: Design) -> None:
    small_ram(design, "free")


def unknown_lut(design: Design) -> None:
    held_to_free_in_a_beat(design)
    design.renamed["take"] = "other"


def lut_with_other_wires(design: Design) -> None:
    held_to_free_in_a_beat(design)
    design.swapped.add("take")


def unknown_register(design: Design) -> None:
    held_to_held(design)
    design.renamed["h"] = "other"


def names(design: Design) -> None:
    """As nextpnr escapes them."""
    design.renamed["p"] = "odd/$name[3]"  # not the netlist's: it moves at any time
    design.register("p", "free", enable="beat")
    design.register("q$[1]", slow(design, "p"), enable="beat")


# What it takes for each clock, ns, and cells that are not the netlist's: the cases.
_FIGURES = {
    (10, 0): (
        "free_to_held held_to_free held_by_its_own_way_back set_at_any_time "
        "copy_of_other_data two_ways_that_cancel the_other_arm beat_behind_a_beat "
        "reset_at_any_time runs_or_not parameter_that_is_none early_in_a_quiet_clock "
        "three_of_the_same ram_read_at_any_time ram_with_output_register "
        "ram_address_at_any_time ram_that_also_reads ram_byte_enable_is_no_address "
        "small_ram_at_any_time"
    ),
    (5, 0): (
        "held_to_held held_to_free_in_a_beat held_to_enable held_to_two_inverted "
        "held_data_into_a_way_back held_by_its_own_way_back_as_a_source "
        "held_by_its_reset copy_of_a_register one_of_two_arms reset_that_is_gone runs "
        "early_to_held early_to_free early_into_a_way_back select_of_the_same "
        "ram_read_at_a_beat ram_address ram_written_at_a_beat ram_by_byte_enables "
        "small_ram_at_a_beat"
    ),
    (1, 0): "parameter",
    (10, 1): "unknown_lut lut_with_other_wires unknown_register names",
}
CASES = {globals()[name]: figures for figures, names in _FIGURES.items() for name in names.split()}
