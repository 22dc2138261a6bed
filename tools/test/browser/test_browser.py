# SPDX-License-Identifier: BSD-2-Clause
"""The exact engine compiled to WebAssembly, with files in memory, leaves the files of the native
program: under node, and in Chromium without a network.

So nothing in it needs threads, maps of memory, or a machine of one byte order or word size.
"""

import base64
import dataclasses
import gzip
import json
import shlex
import subprocess
from pathlib import Path

import pytest

from mcpi.base.progress import Silent
from mcpi.browser import carried, playground
from mcpi.build import models
from mcpi.engines.exact.engine import ENGINE
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from verify.docgen.browser import Browser

HERE = Path(__file__).parent
EV4 = {"core.prediction": "ev4", "core.predicted_penalty": "3", "core.mispredict_penalty": "6"}
SETTINGS = [
    {},
    EV4,
    {"memory.read_ticks": "24"},
    {"icache.size": "16KB"},
    {"dcache.size": "4KB"},
    {"icache.prefetch": "off"},
    {"write_buffer.enable": "off"},
    {"bcache.read_ticks": "20"},
]
ITEMS = playground.usual()
BY_KEY = {item.key: item for item in ITEMS}
# Files of a run's folder that the engine does not write, and its own with times.
LEFT = {"stderr.txt", "command.txt", "spec.json", "image.json", "peer.json", "run.json"}


def native(spec: RunSpec | ProgramSpec, place: Path) -> tuple[dict, dict[str, bytes]]:
    """The request of a page for the first run of a spec, its files as Base64; and what the native
    program left."""
    machine = spec.check()
    built = ENGINE.prepare(spec, machine, place, Silent())
    ENGINE.run(spec, machine, place, built, Silent())
    words = shlex.split((place / "command.txt").read_text())[1:]
    runs = carried.Carried()
    request = runs.run(place, words, [])
    inputs = set(request["files"])
    left = {
        path.name: path.read_bytes()
        for path in sorted(place.iterdir())
        if path.is_file() and path.suffix in (".csv", ".json", ".pcap", ".txt")
        if path.name not in inputs | LEFT
    }
    request["wanted"] = sorted(left)
    request["files"] = {path: runs.files[digest] for path, digest in request["files"].items()}
    return request, left


def in_node(request: dict, folder: Path) -> dict[str, bytes]:
    """Files that the engine leaves under node."""
    made, asked, told = models.build(models.WASM), folder / "request.json", folder / "answer.json"
    files = {path: unpacked(text) for path, text in request["files"].items()}
    asked.write_text(json.dumps(request | {"files": files}))
    words = [made, made.with_suffix(".wasm"), carried.HERE / "engine.js", asked, told]
    subprocess.run(["node", HERE / "engine_in_node.js", *words], check=True, timeout=600)
    return answered(json.loads(told.read_text()))


def unpacked(text: str) -> str:
    """Base64 of what ``carried.packed`` packed."""
    return base64.b64encode(gzip.decompress(base64.b64decode(text))).decode()


def answered(answer: dict) -> dict[str, bytes]:
    assert answer["status"] == 0, answer["said"]
    return {name: base64.b64decode(text) for name, text in answer["files"].items()}


@pytest.mark.parametrize("key", ["conflict", "tcp-std", "rpc-all"])
def test_the_playground_s_runs_leave_the_same_bytes_under_node(key, tmp_path):
    """A program, and each stack."""
    request, left = native(BY_KEY[key].spec, tmp_path / "run")
    assert {"counters.json", "events.csv"} <= set(left)
    assert in_node(request, tmp_path) == left


def test_a_tick_less_in_the_playground_s_machine_is_seen_under_node(tmp_path):
    """Memory answers a tick earlier than the native run's."""
    request, left = native(BY_KEY["tcp-std"].spec, tmp_path / "run")
    machine = (tmp_path / "run" / "machine.json").read_text()
    right = '"memory.read_ticks": 48,'
    assert machine.count(right) == 1
    other = machine.replace(right, right.replace("48", "47"))
    request["files"]["machine.json"] = carried.packed(other.encode())
    assert in_node(request, tmp_path)["counters.json"] != left["counters.json"]


PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>engine</title>
<script type="application/json" id="engine">{engine}</script>
<script>{scripts}
const engine = JSON.parse(document.getElementById('engine').textContent);
const machines = unpacked(engine.program).then(bytes => new Machines(engine.script, bytes));
const text = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
async function ask(request) {{
  for (const [path, packed] of Object.entries(request.files))
    request.files[path] = await unpacked(packed);
  const answer = await (await machines).run(request);
  for (const [path, bytes] of Object.entries(answer.files)) answer.files[path] = text(bytes);
  return answer;
}}
</script>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A page with the engine, from a file, in Chromium."""
    file = tmp_path_factory.mktemp("page") / "engine.html"
    engine = json.dumps(carried.engine()).replace("</", "<\\/")
    file.write_text(PAGE.format(engine=engine, scripts=carried.scripts()))
    with Browser() as browser:
        browser.open(file, 800)
        yield browser
        assert browser.logged == []


def in_page(page: Browser, request: dict) -> dict[str, bytes]:
    return answered(page.ask(f"ask({json.dumps(request)})"))


@pytest.mark.long
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda one: " ".join(one) or "usual")
@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.key)
def test_the_same_bytes_in_a_page(page, item, settings, tmp_path):
    """All programs, stacks and versions of the playground."""
    spec = dataclasses.replace(item.spec, settings=settings)
    request, left = native(spec, tmp_path / "run")
    assert {"counters.json", "events.csv"} <= set(left)
    assert in_page(page, request) == left
