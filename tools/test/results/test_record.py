# SPDX-License-Identifier: BSD-2-Clause
"""The record's types and the table, from the hand-filled example."""

import copy
import io
import json
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from mcpi.base.errors import RunError
from mcpi.papers import published
from mcpi.results import record as records
from mcpi.results import summary

FOLDER = Path(__file__).parents[1] / "tools_support"
OF_BOARDS = {"wall_us", "gateways_us", "wire_alone_us", "late_us"}  # with a live cable
EXAMPLE = json.loads((FOLDER / "example_result.json").read_text())


def shown(record: dict) -> str:
    text = io.StringIO()
    summary.show(record, Console(file=text, width=100))
    return text.getvalue()


def test_the_schema_is_a_schema_and_the_example_fills_all_of_it():
    schema = records.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(EXAMPLE)
    result = records.of(EXAMPLE)
    assert records.plain(result) == EXAMPLE == json.loads(records.text(result))
    for part, empty in (
        (result, {"regions"}),  # of a program alone
        (result.steady.client, {"itb", "dtb"}),  # of a program alone
        # of a program's cores
        (result.cores.client[0], {"whole", "causes", "path_causes", "regions"}),
        (result.round_trip, OF_BOARDS),
        # not of the plain run
        (result.provenance, {"image", "path", "defines", "wire", "program"}),
    ):
        assert {f for f in part.__struct_fields__ if getattr(part, f) is None} == empty


@pytest.mark.parametrize("schema", [1, 3, None, "2"])
def test_a_record_of_another_schema_is_refused(schema, tmp_path):
    (file := tmp_path / "result.json").write_text(json.dumps(EXAMPLE | {"schema": schema}))
    with pytest.raises(RunError, match=f"schema {schema}; only 2 can be read here"):
        records.read(file)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda r: r.pop("steady"), "missing required field `steady`"),
        (lambda r: r.update(schema=1), "Invalid enum value 1 - at `$.schema`"),
        (lambda r: r.update(extra=1), "unknown field `extra`"),
        (lambda r: r["steady"]["client"].update(cpi="fast"), "`$.steady.client.cpi`"),
        (lambda r: r["steady"]["client"]["icache"].update(misses=-1), "`float` >= 0.0 - at"),
        (lambda r: r["cold"]["client"]["icache"].update(dma=1), "unknown field `dma`"),
        (lambda r: r["wire"].update(frames=-1), "`int` >= 0 - at `$.wire.frames`"),
        (lambda r: r["steady"]["client"].update(invocations=0), "`int` >= 1"),
        (lambda r: r["round_trip"].update(sd_over="mood"), "'mood' - at `$.round_trip.sd_over`"),
        (lambda r: r["cold"]["client"]["totals"]["owners"].update(idle=1), "do not sum to the tic"),
        (lambda r: r["steady"]["server"]["owners"].update(idle=1), "means do not sum to the mean"),
        (lambda r: r["cores"]["server"][0]["spin"].update(ticks=1), "do not sum to the ticks"),
    ],
)
def test_a_spoilt_record_is_refused(spoil, said):
    record = copy.deepcopy(EXAMPLE)
    spoil(record)
    with pytest.raises(RunError) as refused:
        records.of(record)
    assert said in str(refused.value)


def papers(**provenance) -> dict:
    """The example as a run of the paper's machine; its own has another cache."""
    record = copy.deepcopy(EXAMPLE)
    record["provenance"] |= {"settings": {}} | provenance
    return record


def test_the_table_has_the_figures_and_the_paper_beside_them():
    text = shown(papers())
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
    records.of(record)
    assert "XK_USC=0 wire client:lose=0.1" in shown(record)
    record["provenance"]["image"] = "mine.elf"
    records.of(record)
    text = shown(record)
    assert "TCP mine.elf on" in text and "STD" not in text.splitlines()[1]
    assert "ratio" in shown(papers()) and "ratio" not in text  # the paper has no such program


def test_another_machine_than_the_papers_has_no_values_of_the_paper():
    text = shown(EXAMPLE)
    assert "paper" not in text and "ratio" not in text and "Table 3" not in text
    record = papers()
    record["provenance"]["defines"] = ["XK_USC=0"]  # the paper speaks of the machine
    assert "without the paper's values: XK_USC=0" in shown(record)


def test_loads_and_the_write_buffer_are_apart_where_the_paper_is_silent():
    """The paper's row has both together, and only its machine has that row."""
    path = EXAMPLE["steady"]["client"]
    both, buffer = path["dcache_write_buffer"], path["write_buffer"]
    rows = {line[:28].strip(): line[28:].split() for line in shown(EXAMPLE).splitlines()}
    wanted = {
        "D-cache loads": both["accesses"] - buffer["accesses"],
        "D-cache load misses": both["misses"] - buffer["writes"],
        "write buffer stores": buffer["accesses"],
        "write buffer entries sent": buffer["writes"],
    }
    for name, value in wanted.items():
        assert rows[name][0] == f"{value:,.1f}", name
    assert "D-cache load misses" not in shown(papers())


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
    record = papers()
    del record["cold"]
    text = shown(record)
    assert "cold client" not in text
    rows = {line.split("  ")[0].strip(): line.split()[-3:] for line in text.splitlines()}
    assert rows["I-cache misses¹"] == ["586.0", "586.0", "586"]


def test_the_stretches_of_table_3_stand_side_by_side():
    """IP, TCP and both, in the steady state and cold; a narrow table has both alone. Of the
    production stack: of the x-kernel's, result.json has them."""
    assert "between these points" not in shown(EXAMPLE)
    record = copy.deepcopy(EXAMPLE)
    record["ranges"]["in_ipintr"] = 216
    text = shown(record)
    rows = {line.split("  ")[0].strip(): line.split()[-6:] for line in text.splitlines()}
    assert rows["CPI"] == ["3.00", "8.00", "3.00", "8.00", "3.00", "8.00"]
    assert rows["mCPI"] == ["1.50", "6.50", "1.50", "6.50", "1.50", "6.50"]
    narrow = io.StringIO()
    summary.show(record, Console(file=narrow, width=50))
    rows = {
        line.split("  ")[0].strip(): line.split()[1:] for line in narrow.getvalue().splitlines()
    }
    assert rows["CPI"] == ["3.00", "8.00"]


def test_a_variant_the_paper_has_not_stands_alone():
    assert "ratio" not in shown(papers(variant="original"))


def test_the_papers_values_are_those_printed():
    assert published.round_trip("tcp", "std") == {"mean_us": 351.0, "sd_us": 0.28}
    assert published.round_trip("rpc", "all") == {"mean_us": 365.5, "sd_us": 0.26}
    path = published.path("tcp", "std")
    assert (path["time_us"], path["mcpi"], path["cpi"]) == (89.6, 1.58, 3.3)
    assert (path["bcache.accesses"], path["bcache.misses"]) == (1286, 800)
    assert (path["icache.replacement_misses"], path["fetch.unused_percent"]) == (72, 21)
    assert published.path("tcp", "out")["fetch.unused_percent"] == 15
    assert published.path("tcp", "original") == {}
