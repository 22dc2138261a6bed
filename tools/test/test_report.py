# SPDX-License-Identifier: BSD-2-Clause
"""The record's schema and the table, from the hand-filled example alone."""

import copy
import io
import json
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from mcpi import report, result
from mcpi.errors import RunError
from mcpi.paper import published

EXAMPLE = json.loads((Path(__file__).parent / "example_result.json").read_text())


def shown(record: dict) -> str:
    text = io.StringIO()
    report.show(record, Console(file=text, width=100))
    return text.getvalue()


def test_the_schema_is_a_schema_and_the_example_fills_all_of_it():
    schema = json.loads(result.SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    result.check(EXAMPLE)
    unused = set(schema["properties"]) - set(EXAMPLE)
    assert unused == set()
    path = schema["$defs"]["path"]["properties"]
    assert set(path) == set(EXAMPLE["steady"]["client"])
    for part in ("round_trip", "provenance"):
        missing = set(schema["properties"][part]["properties"]) - set(EXAMPLE[part])
        # Only on a board with a live cable; only of a run that is not the plain one.
        assert missing <= {"wall_us", "image", "defines", "wire"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r.pop("steady"),
        lambda r: r.update(schema=2),
        lambda r: r.update(extra=1),
        lambda r: r["steady"]["client"].update(cpi="fast"),
        lambda r: r["steady"]["client"]["icache"].update(misses=-1),
        lambda r: r["round_trip"].update(sd_over="mood"),
        lambda r: r["steady"]["client"]["totals"]["owners"].update(idle=1),
        lambda r: r["steady"]["server"]["owners"].update(idle=1),
    ],
)
def test_a_spoilt_record_is_refused(spoil):
    record = copy.deepcopy(EXAMPLE)
    spoil(record)
    with pytest.raises(RunError):
        result.check(record)


def test_the_table_has_the_figures_and_the_paper_beside_them():
    text = shown(EXAMPLE)
    for words in ("351.2 ± 0.30 µs", "phase spread", "paper 351.0 ± 0.28, ratio 1.00"):
        assert words in text
    rows = {line.split("  ")[0].strip(): line.split()[-4:] for line in text.splitlines()}
    assert rows["instructions"] == ["4,750.0", "4,620.0", "4,750.0", "4,750"]
    assert rows["iCPI"] == ["1.71", "1.70", "1.71", "1.72"]
    assert rows["mCPI"] == ["1.59", "1.59", "2.28", "1.58"]
    assert rows["I-cache misses¹"] == ["586.0", "586.0", "586.0", "586"]
    assert rows["I-cache replacement misses¹"] == ["72.0", "72.0", "72.0", "72"]
    assert rows["b-cache replacement misses¹"] == ["0.0", "0.0", "0.0", "0"]
    assert rows["unused fetch slots, %¹"] == ["21.0", "21.0", "21.0", "21"]
    assert "core.taken_penalty = 4, not yet fitted" in text


def test_a_run_that_is_not_the_plain_one_says_so():
    record = copy.deepcopy(EXAMPLE)
    record["provenance"] |= {"defines": ["XK_USC=0"], "wire": ["client:lose=0.1"]}
    result.check(record)
    assert "XK_USC=0 wire client:lose=0.1" in shown(record)
    record["provenance"]["image"] = "mine.elf"
    result.check(record)
    text = shown(record)
    assert "TCP mine.elf on" in text and "STD" not in text.splitlines()[1]
    assert "ratio" in shown(EXAMPLE) and "ratio" not in text  # the paper has no such program


def test_one_sample_and_more():
    record = copy.deepcopy(EXAMPLE)
    for samples, said in ((1, "× 1 sample;"), (3, "× 3 samples;")):
        record["round_trip"]["samples"] = samples
        assert said in " ".join(shown(record).split())


def test_every_owner_is_there_with_its_share_and_the_sum():
    text = shown(EXAMPLE)
    for owner, ticks in EXAMPLE["steady"]["client"]["owners"].items():
        assert (f"\n{owner} " in text) == (ticks > 0)
    total = EXAMPLE["steady"]["client"]["ticks"]
    assert f"{total:,.1f}  = ticks" in text
    assert "≠" not in text


def test_a_sum_that_is_wrong_is_shouted():
    record = copy.deepcopy(EXAMPLE)
    record["steady"]["client"]["totals"]["ticks"] += 1
    assert "≠ TICKS" in shown(record)


def test_what_was_not_measured_does_not_appear():
    record = copy.deepcopy(EXAMPLE)
    for part in ("breakdown_us", "nodes", "wire"):
        del record[part]
    for side in ("client", "server"):
        for key in ("icpi", "mcpi", "bcache"):
            del record["steady"][side][key]
    text = shown(record)
    for words in ("iCPI", "mCPI", "b-cache", "controllers and wire"):
        assert words not in text


def test_without_a_cold_run_there_is_no_column_of_it():
    record = copy.deepcopy(EXAMPLE)
    del record["cold"]
    text = shown(record)
    assert "cold client" not in text
    rows = {line.split("  ")[0].strip(): line.split()[-3:] for line in text.splitlines()}
    assert rows["I-cache misses¹"] == ["586.0", "586.0", "586"]


def test_a_variant_the_paper_has_not_stands_alone():
    record = copy.deepcopy(EXAMPLE)
    record["provenance"]["variant"] = "original"
    assert "ratio" not in shown(record)


def test_the_papers_values_are_those_printed():
    assert published.round_trip("tcp", "std") == {"mean_us": 351.0, "sd_us": 0.28}
    assert published.round_trip("rpc", "all") == {"mean_us": 365.5, "sd_us": 0.26}
    path = published.path("tcp", "std")
    assert (path["time_us"], path["mcpi"], path["cpi"]) == (89.6, 1.58, 3.3)
    assert (path["bcache.accesses"], path["bcache.misses"]) == (1286, 800)
    assert (path["icache.replacement_misses"], path["fetch.unused_percent"]) == (72, 21)
    assert published.path("tcp", "out")["fetch.unused_percent"] == 15
    assert published.path("tcp", "original") == {}
