# SPDX-License-Identifier: BSD-2-Clause
"""docs/reference/result.schema.json: the types', and that of real records."""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from tools_support.command import mcpi

from mcpi.base.repo import ROOT
from verify.docgen import result_schema

EXAMPLE = json.loads((ROOT / "tools/test/tools_support/example_result.json").read_text())
JUDGE = jsonschema.Draft202012Validator(json.loads(result_schema.PAGE.read_text()))


def test_the_file_is_what_the_types_say() -> None:
    again = "./mcpi python -m verify.docgen.result_schema"
    assert result_schema.PAGE.read_text() == result_schema.render(), again
    jsonschema.Draft202012Validator.check_schema(JUDGE.schema)
    JUDGE.validate(EXAMPLE)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r.pop("steady"),
        lambda r: r.update(speed=1),
        lambda r: r["round_trip"].update(mean_us=-1),
        lambda r: r["steady"]["client"].pop("owners"),
        lambda r: r["provenance"].update(engine="qemu"),
    ],
)
def test_another_record_is_refused(spoil: Callable[[dict], object]) -> None:
    record = copy.deepcopy(EXAMPLE)
    spoil(record)
    assert not JUDGE.is_valid(record)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "run --round-trips 4 --warmup 16 --samples 2 --cold",
        "run --stack rpc --variant pin --round-trips 4 --loss 0.02 --set core.prediction=ev4",
        "run --round-trips 4 --machine dec3000-tlb",
        "run --round-trips 4 --set dcache.victims=4 --set icache.victims=2",
        "exec examples/conflict.c --cold --repeat 2",
        "exec examples/conflict.c --peer examples/stride.c",
    ],
)
def test_records_of_commands_fit(words: str, tmp_path: Path) -> None:
    done = mcpi(*words.split(), "--json", "--out", str(tmp_path / "run"), limit=600)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record == json.loads((tmp_path / "run" / "result.json").read_text())
    JUDGE.validate(record)
