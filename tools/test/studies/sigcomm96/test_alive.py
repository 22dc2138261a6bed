# SPDX-License-Identifier: BSD-2-Clause
"""The paper that recomputes itself: its buttons, and (``--all``) each of them pressed in Chromium
without a network."""

import base64
import gzip
import io
import json
import re
from html.parser import HTMLParser

import pytest
from elftools.elf.elffile import ELFFile
from tools_support import alive_study
from tools_support.command import refused

from mcpi.batch import repeat
from mcpi.batch.plan import Extent, Wanted
from mcpi.browser import carried
from mcpi.papers.sigcomm96 import STACKS
from mcpi.spec import run_jobs
from mcpi.studies.sigcomm96 import alive
from mcpi.studies.sigcomm96.alive import TABLES
from mcpi.studies.sigcomm96.plan import FULL
from mcpi.studies.sigcomm96.study import STUDY
from mcpi.studies.sigcomm96.tables.common import VERSIONS
from mcpi.studykit import command
from verify.docgen.browser import Browser

SCREEN, PHONE = 1280, 390  # CSS pixels
MOST = 5_000_000  # bytes of the page
LONGEST = 2  # seconds of a run of round trips


class Page(HTMLParser):
    """Attributes of each button, and the text of each script by its id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.buttons, self.scripts, self._script = [], {}, None
        self.feed(text)
        self.carried = json.loads(self.scripts["carried"])

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "button" and "data-table" in given:
            self.buttons.append(given)
        self._script = given.get("id", "") if tag == "script" else None

    def handle_endtag(self, tag):
        self._script = None if tag == "script" else self._script

    def handle_data(self, data):
        if self._script is not None:
            self.scripts[self._script] = data


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """STD and OUT of TCP/IP, two samples of four round trips."""
    return alive_study.of(tmp_path_factory.mktemp("runs"), {"tcp": 2}, 4, "std", "out")


@pytest.fixture(scope="module")
def whole(small):
    return small.page()


def test_each_figure_of_tables_4_to_9_is_a_button(small, monkeypatch):
    monkeypatch.setattr(carried, "engine", lambda: {"script": "", "program": ""})
    page = Page(small.page())
    figures = {
        (table.key, row.labels, column.key): row.cells[column.key].ours
        for table in small.tables
        if table.key in TABLES
        for row in table.rows
        for column in table.columns
        if column.key in row.cells and row.cells[column.key].ours is not None
    }
    pressed = {
        (one["data-table"], tuple(json.loads(one["data-labels"])), one["data-column"]): one
        for one in page.buttons
    }
    assert len(pressed) == len(page.buttons) > 60
    assert {key: float(one["data-value"]) for key, one in pressed.items()} == figures
    assert {one["data-rtl"] for one in page.buttons} == {alive_study.RTL}


def test_the_page_carries_what_its_runs_read(small, monkeypatch):
    monkeypatch.setattr(carried, "engine", lambda: {"script": "", "program": ""})
    page = Page(small.page())
    files, versions = page.carried["files"], page.carried["versions"]["tcp"]
    assert set(versions) == {"std", "out"}
    used = set()
    for version in versions.values():
        used |= {version["machine"], version["image"]}
        jobs = version["jobs"]
        kinds = {run_jobs.REAL: 2, run_jobs.IDEAL: 1, run_jobs.COLD: 1}
        assert {kind: len(requests) for kind, requests in jobs.items()} == kinds
        for request in (one for requests in jobs.values() for one in requests):
            assert {"image.elf", "pal.elf"} < set(request["files"])
            assert any(path.endswith("machine.json") for path in request["files"])
            used |= set(request["files"].values())
    assert used == set(files)
    assert versions["std"]["image"] != versions["out"]["image"]


def test_the_command_writes_the_page_beside_the_tables(monkeypatch, tmp_path):
    """No run is repeated on the RTL here; what the repeats would say is given."""
    simulate = command._simulate

    def simulated(*words):
        experiments, maps, _ = simulate(*words)
        return experiments, maps, repeat.Repeated(1, 4, alive_study.RTL, {})

    monkeypatch.setattr(carried, "engine", lambda: {"script": "", "program": ""})
    monkeypatch.setattr(repeat, "chosen", lambda *_: [])
    monkeypatch.setattr(command, "_simulate", simulated)
    extent = Extent({"tcp": 1}, 2, 0, switches=False, extras=False)
    wanted = Wanted(stacks=("tcp",), variants=("std",))
    request = command.Request(STUDY, wanted, extent, True, 2, tmp_path, alive=alive.page)
    command.run(request)
    page = Page((tmp_path / "alive.html").read_text())
    assert (tmp_path / "table4.csv").exists()
    assert {one["data-rtl"] for one in page.buttons} == {alive_study.RTL}
    assert "1 of 4 runs repeated on the RTL" in (tmp_path / "alive.html").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("slides", "--alive"), "--alive: slides has no page"),
        (("--alive", "--engine", "rtl"), "the exact engine alone"),
        (("--alive", "--all-studies"), "one study alone has such a page"),
    ],
)
def test_a_page_that_cannot_be_is_refused(words, said):
    assert said in " ".join(refused("paper", *words).split())


@pytest.fixture(scope="module")
def browser():
    with Browser() as one:
        yield one


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page; the browser then has it."""

    def show(text: str, width: int = SCREEN) -> Browser:
        file = tmp_path / "alive.html"
        file.write_text(text)
        browser.logged.clear()
        browser.open(file, width)
        return browser

    return show


CELLS = """buttons.map(b => [b.dataset.table, b.dataset.labels, b.dataset.column, b.className])"""


def press_all(page: Browser) -> dict[tuple[str, ...], str]:
    """Press *all*; what became of each cell, by table, labels and column."""
    page.ask("document.getElementById('all').click()")
    page.wait("Number(document.body.dataset.done) === buttons.length")
    assert page.logged == []
    return {tuple(cell[:3]): cell[3] for cell in page.ask(CELLS)}


RIGHT = "events.map(one => mean(tripTicks(one).map(ticks => ticks / this.perUs)))"
A_TICK = (  # more, in the first round trip of the first sample
    "events.map((one, sample) => mean(tripTicks(one).map((ticks, trip) => "
    "(ticks + Number(sample + trip === 0)) / this.perUs)))"
)


@pytest.mark.long
def test_every_figure_of_the_full_study_is_equal(opened, tmp_path):
    """All versions, with the study's own samples and round trips; with a tick more in one trip of
    500, a cell is red."""
    samples, trips = FULL.samples, FULL.round_trips
    text = alive_study.of(tmp_path / "runs", samples, trips, *VERSIONS).page()
    assert len(text.encode()) < MOST
    page = opened(text)
    found = press_all(page)
    assert set(found.values()) == {"equal"}
    assert {table for table, _, _ in found} == set(TABLES)
    assert len(found) == 24 + 48 + 216 + 48 + 50 + 8
    assert page.ask("runs") == len(VERSIONS) * sum(samples[stack] + 2 for stack in STACKS)
    assert page.ask("longest") < LONGEST
    assert text.count(RIGHT) == 1
    page = opened(text.replace(RIGHT, A_TICK))
    page.ask("buttons[0].click()")  # STD's T_e
    page.wait("['equal', 'differs'].includes(buttons[0].className)")
    assert page.ask("buttons[0].className") == "differs"


@pytest.mark.long
def test_a_press_runs_what_the_cell_needs(opened, whole):
    page = opened(whole)
    page.ask("document.querySelector('[data-table=table9][data-column=without_size]').click()")
    page.wait("document.querySelector('[data-column=without_size]').className === 'equal'")
    assert page.ask("runs") == 1
    assert page.ask("said.textContent").startswith("1 of ")


@pytest.mark.long
def test_a_flipped_bit_of_an_image_is_seen(opened, whole):
    """A bit of an instruction of tcp_output in STD's image: its cells turn red, OUT's stay
    green."""
    page = Page(whole)
    digest = page.carried["versions"]["tcp"]["std"]["image"]
    packed = page.carried["files"][digest]
    image = bytearray(gzip.decompress(base64.b64decode(packed)))
    image[_in_file(bytes(image), "tcp_output")] ^= 1  # of its global pointer
    found = press_all(opened(whole.replace(packed, carried.packed(bytes(image)))))
    of = {version: set() for version in ("STD", "OUT")}
    for (table, labels, _), became in found.items():
        if table in ("table4", "table7"):
            of[json.loads(labels)[0]].add(became)
    assert of == {"STD": {"differs"}, "OUT": {"equal"}}


@pytest.mark.long
def test_an_engine_that_does_not_begin_is_said_in_each_cell(opened, whole):
    packed = json.loads(Page(whole).scripts["engine"])["program"]
    shown = opened(whole.replace(packed, carried.packed(b"no program")))
    assert set(press_all(shown).values()) == {"differs"}
    assert "WebAssembly.compile()" in shown.ask("buttons[0].querySelector('.note').textContent")


def _in_file(image: bytes, function: str) -> int:
    """Where the code of a function lies in an ELF file."""
    elf = ELFFile(io.BytesIO(image))
    symbol = elf.get_section_by_name(".symtab").get_symbol_by_name(function)[0]
    return next(iter(elf.address_offsets(symbol["st_value"])))


MISTAKES = [
    ("start = tick;\n", "\n"),  # a round trip begins at the first's start
    ("handed[node] = number === HAND_OVER ? tick : null", "handed[node] = tick"),
    ("rounded(us - both[0] - both[1])", "rounded(us - both[0] - both[0])"),
    ("(values.length - 1)", "values.length"),  # the deviation
    ("data.miss += of('write_buffer.writes')", "data.miss += 0"),
    ("data.acc += of('write_buffer.accesses')", "data.acc += 0"),
    ("base <= pc && pc < base + size", "pc < base + size"),  # PALcode is code too
    ("if (divide === undefined) return", "return"),  # what is outlined counts always
    ("icpi = ideal.ticks / ideal.instructions", "icpi = real.ticks / ideal.instructions"),
    ("ENDS = {tcp: 2,", "ENDS = {tcp: 1,"),
    ("100 * (gained - (data(before) - data(after)))", "100 * (gained - data(before))"),
    ("value(one) / value(best) - 1", "value(one) / value(best)"),
]


@pytest.mark.long
def test_a_mistake_of_the_page_turns_cells_red(opened, tmp_path):
    """Each mistake in a script alone; without any, all cells are equal."""
    text = alive_study.of(tmp_path, {"tcp": 2}, 4, "std", "out", "all").page()
    assert set(press_all(opened(text)).values()) == {"equal"}
    for right, wrong in MISTAKES:
        assert text.count(right) == 1, right
        assert "differs" in press_all(opened(text.replace(right, wrong))).values(), wrong


@pytest.mark.long
@pytest.mark.parametrize("width", [SCREEN, PHONE])
def test_the_page_fits_the_window(opened, whole, width):
    page = opened(whole, width)
    assert page.ask("document.documentElement.scrollWidth <= innerWidth")
    assert page.ask(
        "buttons.every(b => b.tabIndex === 0 && b.getBoundingClientRect().height >= 24)"
    )
    assert not re.search(r"(src|href)=\"?https?:", whole)
    assert page.logged == []
