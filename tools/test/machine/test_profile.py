# SPDX-License-Identifier: BSD-2-Clause
"""Machine files: every kind of slip is refused with a sentence that names it."""

import json
import shutil
import tomllib
from contextlib import nullcontext
from dataclasses import replace

import pytest

from mcpi.base.errors import UserError
from mcpi.base.repo import MACHINES
from mcpi.build import graph
from mcpi.engines import base as engines
from mcpi.hdl import cocotb_run
from mcpi.machine import boards, calibrated, profile
from mcpi.spec import node_image
from mcpi.spec.run_spec import RunSpec


def edited(tmp_path, old: str, new: str) -> str:
    """The default machine with one line changed; returns its path."""
    text = (MACHINES / "dec3000-600.toml").read_text()
    assert text.count(old) == 1
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new))
    return str(path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("entries = 4", "entries = 17", ["write_buffer.entries = 17", "1 to 16"]),
        ("entries = 4", 'entries = "4"', ["write_buffer.entries", "int is wanted"]),
        ("entries = 4", "", ["write_buffer.entries is missing"]),
        ("entries = 4", "entries = 4\nentrys = 4", ["write_buffer.entrys", "Did you mean"]),
        ("entries = 4", "entries = ", ["not a TOML file"]),
        ('size = "2MB"', 'size = "3MB"', ["bcache.size = 3145728", "not a power of two"]),
        ('size = "2MB"', 'size = "2 GB"', ["bcache.size = 2048MB: outside 64KB to 4MB"]),
        ('size = "2MB"', 'size = "2 TB"', ["bcache.size", "a size from 64KB to 4MB", "KiB"]),
        ('size = "2MB"', "size = true", ["bcache.size", "a size from 64KB to 4MB"]),
        ("prefetch = true", "prefetch = 1", ["icache.prefetch", "bool is wanted"]),
        ("data_entries = 32", "data_entries = 3", ["tlb.data_entries = 3", "4 to 128"]),
        ("instruction_entries = 12", "instruction_entries = 129", ["instruction_entries = 129"]),
        ('page = "8KB"', 'page = "16KB"', ["tlb.page = 16KB: outside 4KB to 8KB"]),
        ('page = "8KB"', 'page = "6KB"', ["tlb.page = 6144", "not a power of two"]),
        ('replacement = "nlu"', 'replacement = "lru"', ["tlb.replacement", "nlu, round_robin"]),
        ("refill_floor = 0 ", "refill_floor = 1024 ", ["tlb.refill_floor = 1024", "0 to 1023"]),
        ('refill = "tuned"', 'refill = "fast"', ["tlb.refill", "tuned, portable"]),
        ('wiring = "ioasic"', 'wiring = "isa"', ["lance.wiring", "ioasic, pmad"]),
    ],
)
def test_a_slip_is_named(tmp_path, old, new, said):
    with pytest.raises(UserError) as error:
        profile.load(edited(tmp_path, old, new))
    for words in said:
        assert words in str(error.value)


def test_a_machine_says_only_what_it_has_otherwise(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "alpha-300"\n[icache]\nsize = "16KB"\n')
    mine, base = profile.load(str(path)), profile.load("alpha-300")
    changed = {k for k, v in mine.parameters.items() if base.parameters[k] != v}
    assert changed == {"icache.size"} and mine.parameters["icache.size"] == 16384
    assert profile.load(str(path), {"icache.size": "8KB"}).digest == base.digest


def test_a_fitted_value_of_another_machine_is_called_inherited(tmp_path):
    paper, pmad = profile.load("dec3000-600"), profile.load("dec3000-pmad")
    said = [calibrated.words(calibrated.status(machine))[0] for machine in (paper, pmad)]
    assert "6, fitted: STD" in said[0] and "6, inherited: dec3000-600, STD" in said[1]
    (tmp_path / "own.toml").write_text(
        (MACHINES / "dec3000-600.toml").read_text().replace("[clock]", "[clock]  # own", 1)
    )
    own = profile.load(str(tmp_path / "own.toml"))
    assert "6, fitted" in calibrated.words(calibrated.status(own))[0]


@pytest.mark.parametrize(
    ("base", "said"),
    [('"alpha"', "no machine 'alpha'"), ("3", "extends = 3"), ('"{path}"', "another machine")],
)
def test_what_cannot_be_extended_is_named(tmp_path, base, said):
    path = tmp_path / "mine.toml"
    path.write_text(f"extends = {base.format(path=path)}\n")
    with pytest.raises(UserError, match=said):
        profile.load(str(path))


@pytest.mark.parametrize("text", "16KB 16kb 16k 16K 16KiB 16kib 16384 16384B 16384b".split())
def test_a_size_as_people_write_it(text):
    found = profile.load("dec3000-600", {"icache.size": text})
    assert found.parameters["icache.size"] == 16384
    assert found.digest == profile.load("dec3000-600", {"icache.size": "16KB"}).digest


@pytest.mark.parametrize("text", "2MB 2mb 2M 2MiB 2048k".split())
def test_megabytes(text):
    assert profile.load("dec3000-600", {"bcache.size": text}).parameters["bcache.size"] == 2 << 20


@pytest.mark.parametrize(
    "text",
    ["16ib", "0.5MB", "16kbit", "-16KB", "KB", "16KBB", "1e4", "١٦KB", "9" * 5000],
    ids=lambda text: text[:8],
)
def test_what_is_no_size(text):
    with pytest.raises(UserError, match="a size from 1KB to 256KB is wanted, in B, KB or MB"):
        profile.load("dec3000-600", {"icache.size": text})


def test_settings_are_checked_as_the_file_is():
    with pytest.raises(UserError, match="not a power of two"):
        profile.load("dec3000-600", {"icache.size": "12KB"})
    with pytest.raises(UserError, match=r"Did you mean icache\.size"):
        profile.load("dec3000-600", {"icache.siz": "8KB"})
    with pytest.raises(UserError, match="whole number"):
        profile.load("dec3000-600", {"timer.hz": "fast"})
    with pytest.raises(UserError, match="one of paper, ev4 is wanted"):
        profile.load("dec3000-600", {"core.prediction": "perfect"})
    with pytest.raises(UserError, match="on or off"):
        profile.load("dec3000-600", {"memory.ideal": "maybe"})


def test_unknown_machine_lists_what_exists():
    with pytest.raises(UserError, match="no machine 'vax'.*dec3000-600"):
        profile.load("vax")


def test_only_what_shapes_the_verilog_changes_its_digest(tmp_path):
    plain = profile.load("dec3000-600")
    faster = profile.load("dec3000-600", {"memory.read_ticks": "24"})
    larger = profile.load("dec3000-600", {"icache.size": "16KB"})
    assert faster.elaborate_digest == plain.elaborate_digest
    assert faster.digest != plain.digest
    assert larger.elaborate_digest != plain.elaborate_digest
    copy = shutil.copy(MACHINES / "dec3000-600.toml", tmp_path / "copy.toml")
    assert profile.load(str(copy)).digest == plain.digest


def test_nanoseconds_are_rounded_to_the_nearest_tick():
    # 600 ns at 175 ticks a microsecond are 105 ticks, 700 ns 122.5, which is rounded up.
    plain = profile.load("dec3000-600")
    assert plain.ticks("lance.word_ns") == 105
    assert plain.ticks("lance.gap_ns") == 123


@pytest.mark.parametrize("end", [0, 1], ids=["least", "most"])
def test_both_ends_of_each_run_time_range_are_taken(end):
    """A value that is taken is within the host register's range; one more or less is refused."""
    plain = profile.load("dec3000-600")
    for key in plain.selected("run"):
        held = plain.register_range(key)
        if key in plain.choices:
            text = plain.choices[key][end]
        elif key in plain.ranges:
            text = str(plain.ranges[key][end])
            with pytest.raises(UserError, match=key):
                profile.load("dec3000-600", {key: str(plain.ranges[key][end] + (-1, 1)[end])})
        else:
            text = ("off", "on")[end]
        found = profile.load("dec3000-600", {key: text})
        assert node_image.parameter(found, key) == held[end], key


def test_a_time_that_a_fast_clock_makes_too_long_for_its_register_is_refused():
    """At 175 ticks a microsecond every time of the range fits, at 300 not."""
    long = {"lance.csr_ns": "10000"}
    profile.load("dec3000-600", long)
    with pytest.raises(UserError, match=r"--set: lance\.csr_ns.*3000 ticks.*holds at most 2047"):
        profile.load("dec3000-600", long | {"clock.ticks_per_us": "300"})
    fast = profile.load("dec3000-600", {"clock.ticks_per_us": "300"})
    assert fast.register_range("lance.csr_ns") == (0, 2047)
    assert fast.register_range("lance.poll_ns") == (300, 2097151)


def test_a_choice_goes_to_its_host_register_as_a_number():
    ev4 = profile.load("dec3000-600", {"core.prediction": "ev4"})
    resolved = json.loads(ev4.to_json())
    assert "core.prediction" in resolved["run_parameters"]
    assert resolved["parameters"]["core.prediction"] == "ev4"
    assert resolved["choices"]["core.prediction"] == ["paper", "ev4"]
    assert ev4.elaborate_digest == profile.load("dec3000-600").elaborate_digest


def test_the_ideal_profile_has_no_controller_times():
    plain = profile.load("dec3000-600")
    ideal = profile.load("dec3000-600", {"lance.profile": "ideal"})
    changed = {k for k, v in plain.parameters.items() if ideal.parameters[k] != v}
    assert changed == {"lance.profile", *profile.controller_times()}
    assert all(ideal.parameters[k] == 0 for k in profile.controller_times())
    with pytest.raises(UserError, match="lance.gap_ns has no effect with lance.profile = ideal"):
        RunSpec(settings={"lance.profile": "ideal", "lance.gap_ns": "100"}).check()


@pytest.mark.parametrize("name", profile.names())
def test_every_machine_file_is_whole(name):
    assert profile.load(name).name == name


def of_multiprocessors() -> set[str]:
    """The parameters that only machines with private b-caches have."""
    schema = tomllib.loads((MACHINES / "parameters.toml").read_text())
    return {
        f"{section}.{key}"
        for section, rows in schema.items()
        for key, row in rows.items()
        if row.get("when", "clock.real_time") not in ("clock.real_time", "lance.classifier")
    }


def test_a_machine_of_one_core_has_nothing_of_several():
    """Neither values nor host registers, so digests and registers are what they were."""
    plain, coherent = profile.load("dec3000-600"), profile.load("power-series-33")
    several = of_multiprocessors()
    assert len(several) > 10 and not several & set(plain.parameters)
    assert not several & set(json.loads(plain.to_json())["run_parameters"])
    assert several <= set(coherent.parameters) and "memory.read_ticks" not in coherent.parameters
    back = profile.load("dec3000-mp", {"bcache.private": "off", "core.count": "1"})
    assert back.digest == plain.digest and not back.coherent


@pytest.mark.parametrize(
    ("machine", "settings", "said"),
    [
        ("dec3000-600", {"core.count": "2"}, ["core.count = 2", "bcache.private", "dec3000-mp"]),
        ("dec3000-600", {"bus.data_ticks": "5"}, ["--set: bus.data_ticks", "bcache.private = on"]),
        ("dec3000-600", {"sync.bus": "on"}, ["--set: sync.bus: only with bcache.private = on"]),
        (
            "dec3000-600",
            {"bcache.private": "on"},
            ["--set bcache.private=on", "bcache.block is missing", "of 16B to 128B"],
        ),
        ("dec3000-mp", {"core.count": "9"}, ["core.count = 9: outside 1 to 8"]),
        ("dec3000-mp", {"bcache.private": "off"}, ["core.count = 8", "bcache.private"]),
        ("dec3000-mp", {"memory.read_ticks": "48"}, ["memory.read_ticks", "bcache.private = off"]),
        ("dec3000-mp", {"bcache.block": "16B"}, ["bcache.block = 16", "cache.block = 32"]),
        ("dec3000-mp", {"sync.ticks": "25"}, ["--set: sync.ticks", "sync.bus = on"]),
        (
            "dec3000-mp",
            {"sync.bus": "on"},
            ["--set sync.bus=on", "sync.ticks is missing", "--set sync.ticks=VALUE, of 3 to 63"],
        ),
        ("dec3000-mp", {"bus.miss_ticks": "8", "bus.data_ticks": "6"}, ["miss_ticks = 8", "= 9"]),
        ("dec3000-mp", {"bus.remote_ticks": "8", "bus.data_ticks": "6"}, ["bus.remote_ticks = 8"]),
        ("dec3000-mp", {"bcache.dma_ticks": "3"}, ["bcache.dma_ticks = 3", "at least 4"]),
        ("dec3000-mp", {"bcache.enable": "off"}, ["bcache.enable = off", "tags"]),
        ("dec3000-mp", {"memory.ideal": "on"}, ["memory.ideal = on", "--set core.count=1"]),
        ("dec3000-mp", {"core.translation": "tlb"}, ["core.translation = tlb"]),
    ],
)
def test_what_a_multiprocessor_cannot_be_is_named(machine, settings, said):
    with pytest.raises(UserError) as error:
        profile.load(machine, settings)
    for words in said:
        assert words in str(error.value)
    assert profile.load("dec3000-mp", {"memory.ideal": "on", "core.count": "1"}).coherent


@pytest.mark.parametrize(
    ("machine", "settings", "said"),
    [
        ("dec3000-600", {"icache.ways": "3"}, ["icache.ways = 3", "not a power of two"]),
        ("dec3000-600", {"dcache.ways": "8"}, ["dcache.ways = 8: outside 1 to 4"]),
        ("dec3000-tlb", {"icache.ways": "2"}, ["--set: icache.ways = 2", "tlb", "=1"]),
        ("hp720", {"dcache.ways": "2"}, ["--set: dcache.ways = 2", "policy = back", "=1"]),
        ("dec3000-mp", {"dcache.ways": "4"}, ["--set: dcache.ways = 4", "private", "=1"]),
        ("dec3000-600", {"dcache.victims": "17"}, ["dcache.victims = 17: outside 0 to 16 blocks"]),
        ("dec3000-600", {"icache.victim_ticks": "0"}, ["icache.victim_ticks = 0: outside 1 to 15"]),
        ("dec3000-600", {"dcache.victim_ticks": "1"}, ["dcache.victim_ticks = 1: outside 2 to 15"]),
        *(
            (machine, {f"{cache}.victims": "4"} | more, [f"--set: {cache}.victims = 4", said, "=0"])
            for cache in ("icache", "dcache")
            for machine, more, said in (
                ("dec3000-600", {f"{cache}.ways": "2"}, f"with {cache}.ways = 2"),
                ("dec3000-tlb", {}, "core.translation = tlb"),
                ("dec3000-mp", {}, "bcache.private = on"),
            )
        ),
        ("hp720", {"dcache.victims": "1"}, ["dcache.victims = 1", "policy = back", "=0"]),
    ],
)
def test_caches_that_cannot_be_had_are_named(machine, settings, said):
    with pytest.raises(UserError) as error:
        profile.load(machine, settings)
    for words in said:
        assert words in str(error.value)


def test_a_file_that_gives_what_its_machine_lacks_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "dec3000-600"\n[bus]\ndata_ticks = 5\n')
    with pytest.raises(UserError, match=r"mine\.toml: bus\.data_ticks: only with bcache\.private"):
        profile.load(str(path))


@pytest.mark.parametrize("name", [n for n in profile.names() if profile.load(n).coherent])
def test_every_engine_refuses_several_cores_by_name(name):
    machine = profile.load(name)
    spec = RunSpec(machine=name, engine="rtl")
    ways = [
        lambda: engines.of("rtl").check(spec, machine),
        lambda: engines.of("exact").check(replace(spec, engine="exact"), machine),
        lambda: cocotb_run.elaborate_all("Node", [machine]),
        lambda: graph.build(spec),
    ]
    for way in ways:
        with pytest.raises(UserError, match=rf"{name}: core\.count = [48].*no node on a wire"):
            way()
    board = replace(spec, engine="board", ports=("a", "b"))
    with pytest.raises(UserError, match=rf"{name}: core\.count = [48].*no board runs"):
        engines.of("board").check(board, machine)


def test_real_time_that_is_off_is_in_no_machine():
    """So in no digest; a setting switches it."""
    plain, real = profile.load("dec3000-600"), profile.load("dec3000-35")
    assert "clock.real_time" not in plain.to_json() and not plain.real_time and real.real_time
    off = {"clock.real_time": "off"}
    assert profile.load("dec3000-600", off).digest == plain.digest
    assert not profile.load("dec3000-35", off).real_time
    assert profile.load("dec3000-35", off).shape == off
    assert plain.elaborate_digest != real.elaborate_digest
    RunSpec(machine="dec3000-35", settings=off, engine="board", ports=("a", "b")).check()
    with pytest.raises(UserError, match=r"clock\.real_time has no effect with engine exact"):
        RunSpec(machine="dec3000-35", settings=off).check()


SYNC = {"sync.bus": "on", "sync.ticks": "10"}
SLOW_CHIP = {f"lance.{name}_ns": "2000" for name in "demand interrupt heartbeat status".split()}


@pytest.mark.parametrize(
    ("machine", "settings", "kept"),
    [
        ("dec3000-600", {"icache.size": "4KB", "memory.read_ticks": "24"}, {"icache.size": "4KB"}),
        ("dec3000-mp", SYNC, SYNC),
        ("dec3000-600", {"clock.ticks_per_us": "1000"} | SLOW_CHIP, None),
    ],
)
def test_what_shapes_the_verilog_is_a_machine_by_itself(machine, settings, kept):
    """Its run-time settings are left out; where it cannot be without them, they stay."""
    found = profile.load(machine, settings).shape
    assert found == (settings if kept is None else kept)
    shaped = profile.load(machine, found)
    assert shaped.elaborate_digest == profile.load(machine, settings).elaborate_digest


def test_a_time_too_long_for_a_faster_clock_blames_the_clock():
    with pytest.raises(UserError, match=r"--set: lance\.demand_ns = 3000: 3000 ticks"):
        profile.load("dec3000-600", {"clock.ticks_per_us": "1000"})


@pytest.mark.parametrize(
    ("board", "settings", "said"),
    [
        ("ecpix-5", {}, None),
        ("ecpix-5", {"clock.ticks_per_us": "80"}, r"ticks_per_us = 80 .* up with 73\. Take 70 or"),
        ("ecpix-5", {"clock.ticks_per_us": "80", "clock.real_time": "off"}, None),
        ("colorlight-i9", {}, r"dec3000-35: clock\.ticks_per_us = 35 .* up with 32\. Take 30 or"),
        ("colorlight-i9", {"clock.ticks_per_us": "15"}, None),
    ],
)
def test_a_board_refuses_a_machine_in_real_time_that_it_does_not_hold(board, settings, said):
    """Before it builds anything."""
    machine = profile.load("dec3000-35", settings)
    refused = pytest.raises(UserError, match=said) if said else nullcontext()
    with refused:
        boards.load(board).check_real_time(machine)
