# SPDX-License-Identifier: BSD-2-Clause
"""Table 3's stretches: counted by windows, and the same instructions as the cold trace has."""

import csv
import json
from pathlib import Path

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.build import stretches as built
from mcpi.firmware import regions
from mcpi.firmware.elf import PHYSICAL
from mcpi.results import stretches

COUNT = {"invocations": 2, "ticks": 10, "instructions": 4, "owner.issue": 4, "owner.idle": 6}
IDEAL = COUNT | {"ticks": 6, "owner.idle": 2}


@pytest.fixture(scope="module", params=[("bsd", "std"), ("tcp", "clo")])
def run(request, tmp_path_factory) -> tuple[Path, dict]:
    """A run of a plain image and of one with copies."""
    stack, variant = request.param
    out = tmp_path_factory.mktemp("stretches") / "run"
    words = ["--stack", stack, "--variant", variant, "--round-trips", "2", "--cold", "--json"]
    done = heard(["./mcpi", "run", *words, "--out", str(out)], cwd=ROOT)
    assert done.returncode == 0, done.stderr[-4000:]
    return out, json.loads(done.stdout)


def test_the_windows_have_the_instructions_of_the_cold_trace(run):
    out, result = run
    image = regions.Image(out / "image.elf")
    entry = built._entries(image, f if (f := out / "image.json").is_file() else None)
    with (out / "cold" / "cold_trace.csv").open(newline="") as stream:
        pcs = [int(row["pc"], 16) for row in csv.DictReader(stream)]
    assert list(result["stretches"]["cold"]) == list(built.ENDS)
    for name, pairs in built.ENDS.items():
        first, last = next(pair for pair in pairs if pair[0] in entry)
        begin = pcs.index(entry[first] & PHYSICAL)
        wanted = pcs.index(entry[last] & PHYSICAL, begin) - begin
        one = result["stretches"]["cold"][name]
        assert one["instructions"] == wanted == one["owners"]["issue"]
        # Every invocation of the steady state passes both.
        assert result["stretches"]["steady"][name]["invocations"] == 2
    steady = stretches.both(result["stretches"]["steady"])
    assert sum(steady["owners"].values()) == pytest.approx(steady["ticks"])
    assert steady["ticks"] < result["steady"]["client"]["ticks"]
    assert "cores" not in result


def test_the_path_is_the_same_as_without():
    """Comparators cost nothing."""
    words = ["./mcpi", "run", "--stack", "bsd", "--round-trips", "2", "--json"]
    with_, without = (json.loads(heard([*words, *w], cwd=ROOT).stdout) for w in (["--cold"], []))
    assert with_["steady"] == without["steady"] and "stretches" not in without


def test_of_and_both():
    real = {"windows": {"hold": COUNT, "probe": COUNT}}
    ideal = {"windows": {"hold": IDEAL, "probe": IDEAL}}
    found = stretches.of(real, ideal, real)["stretches"]
    one = found["steady"]["ip_input_to_tcp_input"]
    assert (one["instructions"], one["ticks"]) == (2, 5)
    assert (one["cpi"], one["icpi"], one["mcpi"]) == (2.5, 1.5, 1.0)
    whole = stretches.both(found["cold"])
    assert (whole["instructions"], whole["ticks"], whole["mcpi"]) == (4, 10, 1.0)
    assert whole["owners"] == {"issue": 4, "idle": 6}
    assert stretches.of({}, {}, {}) == {}
    none = {"windows": {"hold": COUNT | {"invocations": 0}}}
    assert stretches.of(none, ideal, none) == {}


def test_they_pause_with_the_path(run):
    """An interrupt handler counts in none of them."""
    lines = [line.split(",") for line in (run[0] / built.FILE).read_text().splitlines()]
    pauses = {(line[0], line[1]) for line in lines if line[1] in "34" and line[2] == "1"}
    for window in "34":
        assert {(x[0], x[1]) for x in lines if x[1] in "34" and x[2] == window} == pauses
    assert len(pauses) == 2


def test_an_image_without_the_functions_has_no_markers(tmp_path):
    from mcpi.firmware import images
    from mcpi.machine import profile

    image = images.build(images.plan(profile.load("dec3000-600"), "std", "rpc")).image
    assert built.markers(image) == ""
