# SPDX-License-Identifier: BSD-2-Clause
"""The playground: what it offers, and (``--all``) the page in Chromium without a network: its
numbers are the native program's, at other settings too."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from tools_support.command import mcpi, refused

import mcpi as api
from mcpi.analysis import attribution
from mcpi.base import template
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.browser import carried, playground
from mcpi.engines.exact.engine import ENGINE
from mcpi.isa import assembler, table
from mcpi.results import measure, round_trip_owners
from mcpi.spec.run_spec import RunSpec
from mcpi.tracing import pipeline
from verify.docgen.browser import Browser

SCREEN, PHONE = 1280, 390  # CSS pixels
MOST, MOST_EMPTY = 3_000_000, 1_000_000  # bytes of the page; of engine and page alone
CONFLICT = ROOT / "examples" / "conflict.c"
SETTINGS = [{}, {"dcache.size": "16KB"}, {"memory.read_ticks": "24", "icache.prefetch": "off"}]


def test_twenty_programs_and_twelve_versions():
    items = playground.usual()
    keys = [item.key for item in items]
    assert len(set(keys)) == len(keys)
    stacks = [item for item in items if isinstance(item.spec, RunSpec)]
    assert len(items) - len(stacks) == 20 + 1  # and what is typed
    assert {item.key for item in stacks} == {
        f"{stack}-{variant}"
        for stack in ("tcp", "rpc")
        for variant in ("std", "out", "clo", "pin", "all", "fast")
    }


def test_controls_are_parameters_that_change_no_image():
    found = {one["key"]: one for one in playground.parameters()}
    assert {"memory.read_ticks", "icache.size", "core.prediction"} <= set(found)
    assert not {"core.issue_width", "clock.ticks_per_us", "memory.ideal"} & set(found)
    assert all(one["range"] and one["doc"] for one in found.values())
    assert {one["acts"] for one in found.values()} == {"run", "elaborate"}


def test_a_program_is_carried_with_its_places(monkeypatch):
    monkeypatch.setattr(carried, "engine", lambda: {"script": "", "program": ""})
    text = playground.page([playground.own(CONFLICT)], Silent())
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
    (item,) = data["items"]
    assert [place["name"] for place in item["places"]] == ["side by side", "8 KB apart"]
    assert set(item["request"]["files"].values()) == set(data["files"])
    assert {"image.elf", "machine.json", "markers.0.csv", "pal.elf", "peer.elf"} <= set(
        item["request"]["files"]
    )
    assert item["logged"] == playground.LOGGED


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((str(CONFLICT), str(CONFLICT)), "two programs are called conflict"),
        (("--measure", "main"), "which program has the function"),
        (("nobody.c",), "nobody.c"),
        ((str(CONFLICT), "--out", "."), "name a file in a folder that is there"),
    ],
)
def test_what_the_page_cannot_be_made_of_is_refused(words, said):
    assert said in " ".join(refused("watch", *words).split())


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A page with a program, two versions and assembly."""
    items = [
        item
        for item in playground.usual()
        if item.key in ("conflict", "tcp-std", "rpc-clo", "typed")
    ]
    file = tmp_path_factory.mktemp("page") / "watch.html"
    file.write_text(playground.page(items, Silent()))
    return file


@pytest.fixture(scope="module")
def browser():
    with Browser() as one:
        yield one


def opened(browser: Browser, page: Path, after: str, width: int = SCREEN, runs: int = 1) -> Browser:
    browser.logged.clear()
    browser.open(page, width, after=after)
    browser.wait(f"Number(document.body.dataset.ran) === {runs}")
    return browser


def link(item: str, settings: dict[str, str]) -> str:
    return "&".join([f"a={item}", *(f"a.{key}={value}" for key, value in settings.items())])


def record(run: api.Run | api.ProgramRun) -> dict:
    return json.loads((run.folder / "result.json").read_text())


def named(settings: dict[str, str]) -> dict[str, str]:
    """Settings as keywords of the API."""
    return {key.replace(".", "_"): value for key, value in settings.items()}


OWNERS = "results.a.parts.map(one => [one.name, one.times, one.ticks, one.owners])"


@pytest.mark.long
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda one: " ".join(one) or "usual")
def test_a_program_has_the_numbers_of_exec(browser, page, settings):
    shown = opened(browser, page, link("conflict", settings))
    found = {name: (times, ticks, owners) for name, times, ticks, owners in shown.ask(OWNERS)}
    regions = record(api.exec(CONFLICT, **named(settings)))["regions"]["client"]
    native = {
        name: (
            one["invocations"],
            one["ticks"],
            {key: ticks for key, ticks in one["owners"].items() if ticks},
        )
        for name, one in regions.items()
    }
    assert found == native
    assert shown.logged == []


@pytest.mark.long
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda one: " ".join(one) or "usual")
@pytest.mark.parametrize("item", ["tcp-std", "rpc-clo"])
def test_a_stack_has_the_numbers_of_run(browser, page, item, settings):
    stack, variant = item.split("-")
    shown = opened(browser, page, link(item, settings))
    ((_, times, ticks, owners),) = shown.ask(OWNERS)
    extent = {"round_trips": playground.TRIPS, "warmup": playground.WARMUP}
    native = record(api.run(stack=stack, variant=variant, **extent, **named(settings)))
    path = native["steady"]["client"]
    assert (times, ticks) == (path["invocations"], path["ticks"])
    assert owners == {key: value for key, value in path["owners"].items() if value}
    trip = native["round_trip"]["mean_us"]
    assert shown.ask("results.a.trip.us") == pytest.approx(trip, abs=1e-6)
    assert shown.logged == []


@pytest.mark.long
def test_the_pipeline_is_that_of_trace(browser, page):
    """Each instruction of the first hundred issues, and comes into each stage, as ``trace``
    says."""
    shown = opened(browser, page, link("conflict", {}))
    ours = shown.ask("results.a.passages.slice(0, 100).map(one => one.enters)")
    run = api.exec(CONFLICT, tick_log="client")
    rows = attribution.read(run.folder / "ticks.csv")
    theirs = [one.enters for _, one in zip(range(100), pipeline.Pipeline(rows).passages())]
    assert ours == theirs


LINE = (
    "results.a.trip.line.flatMap(([, all]) => all.map("
    "one => [one.start, one.end, one.where, one.owners]))"
)


@pytest.mark.long
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda one: " ".join(one) or "usual")
@pytest.mark.parametrize("item", ["tcp-std", "rpc-clo"])
def test_the_time_line_of_a_round_trip_is_the_record_s(browser, page, tmp_path, item, settings):
    """Each stretch: ticks, machine or wire, owners. Without a gap, the owners sum to T_e."""
    ours = opened(browser, page, link(item, settings)).ask(LINE)
    stack, variant = item.split("-")
    extent = {"round_trips": playground.TRIPS, "warmup": playground.WARMUP}
    spec = RunSpec(stack=stack, variant=variant, settings=settings, **extent)
    machine = spec.check()
    built = ENGINE.prepare(spec, machine, tmp_path, Silent())
    ENGINE.run(spec, machine, tmp_path, built, Silent())
    [first, *_] = round_trip_owners.time_lines(tmp_path, measure.measured(tmp_path / "events.csv"))
    theirs = [
        [one.start, one.end, one.where, one.owners]
        for _, leg in first
        for one in leg
        if one.end > one.start
    ]
    assert ours == theirs


@pytest.mark.long
def test_sets_have_the_misses_of_the_run_and_name_who_evicts(browser, page):
    """Two tables 8 KB apart evict each other's blocks; with 16 KB nobody does."""
    sets = (
        "['missed', 'loaded'].map((kind, n) => evictionsOf("
        "results.a.passages.filter(one => one[kind]).map(one => n ? one.access : one.pc),"
        "results.a.machine.parameters[n ? 'dcache.size' : 'icache.size'], 32,"
        "(n ? dataAt : nameAt)(results.a)).map(one => [one.misses, Object.fromEntries(one.pairs)]))"
    )
    shown = opened(browser, page, "a=conflict")
    fetched, loaded = shown.ask(sets)
    missed = [
        sum(one[n] for one in shown.ask("results.a.parts.map(p => p.missed)")) for n in (0, 1)
    ]
    assert [sum(one[0] for one in found) for found in (fetched, loaded)] == missed
    pairs = {pair for _, evicted in loaded for pair in evicted}
    assert "memory evicts memory" in pairs, pairs
    shown = opened(browser, page, link("conflict", {"dcache.size": "16KB"}))
    assert shown.ask(sets)[1] == []


@pytest.mark.long
def test_the_address_keeps_all_choices(browser, page):
    after = "a=tcp-std&a.icache.size=16KB&b=rpc-clo&at=40"
    shown = opened(browser, page, after, runs=2)
    assert shown.ask("location.hash") == f"#{after}"
    assert shown.ask("document.querySelector('#a .item').value") == "tcp-std"
    assert shown.ask("document.querySelector('#b .item').value") == "rpc-clo"
    shown.ask("document.querySelector('[data-by=\"20\"]').click()")
    assert shown.ask("location.hash").endswith("at=60")
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))"
    shown.ask(press)
    assert shown.ask("location.hash").endswith("at=59")


@pytest.mark.long
@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("a=conflict&a.memory.read_ticks=9999", "is wanted"),
        ("a=conflict&a.core.predicted_penalty=2", "changes nothing"),
        ("a=conflict&a.no.such=1", "there is no control no.such"),
    ],
)
def test_a_wrong_link_is_said(browser, page, after, said):
    shown = opened(browser, page, after)
    assert said in shown.ask("document.querySelector('#a .head').textContent")


ASSEMBLED = """
size = 24 - 8
start:	lda	$t0, size($a0)	# a comment
	ldah	$1, -1
	ldq	$t1, 0x10($sp); stl $t2, -4($0)
	beq	$t0, start
	br	over
	bsr	over
	addq	$t0, 255, $v0
	s8addq	$1, $2, $3
	subq/v	$1, $2, $3
	cmovlt	$t3, $t4, $t5
	zapnot	$a1, 15, $a2
	umulh	$s0, $s6, $pv
	mb
	trapb
	rpcc	$v0
	jmp	$31, ($t12), over
	jsr	$ra, ($27)
	mov	$t0, $t1
	mov	7, $t1
	clr	$t2
	not	$1, $2
	negq	$3, $4
	or	$1, $2, $3
	nop
	unop
	.align	4
over:	ret	$31, ($26), 1
	.long	1, -1, over + 4
	.align	3
	.quad	-2, 0x1234
	ret
"""
BASE = 0x10_0000
END = bytes.fromhex("ffffff7f")


@pytest.mark.long
def test_the_page_assembles_as_the_project_does(browser, page):
    shown = opened(browser, page, "a=conflict")
    each = [row.name for row in table.rows() if row.format == "operate"]
    for text in (ASSEMBLED, "".join(f"{name} $5, $6, $7\n" for name in each)):
        words = shown.ask(f"assemble({json.dumps(text)}, {BASE}, page.isa)")
        assert b"".join(word.to_bytes(4, "little") for word in words) == assembled(text)


def assembled(text: str) -> bytes:
    """By the project's assembler, which fills up to the largest alignment at the end."""
    code = assembler.assemble(f"{text}\n.long 0x7fffffff\n", BASE)
    return code[: code.rindex(END)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n\taddx $1, $2, $3", "line 2: 'addx' is no instruction"),
        ("addq $1, 256, $3", "line 1: literal 256 does not fit"),
        ("nop\nbr nowhere", "line 2: 'nowhere' is no number and no label"),
        ("addq $1, $x, $3", "line 1: '$x' is no register"),
        ("addq $1, $2, $3, $4", "line 1: too many operands, 4"),
        ("a: nop\na: nop", "line 2: two labels 'a'"),
        ("call_pal 1", "line 1: 'call_pal' is no instruction of user mode"),
        (".ascii x", "line 1: no such directive '.ascii'"),
        ("nop\n" * 600, "600 words are typed; there is room for 512"),
    ],
)
def test_an_error_names_its_line(browser, page, text, said):
    shown = opened(browser, page, f"a=typed&a.text={quote(text)}")
    assert said in shown.ask("document.querySelector('#a .head').textContent")


SUM = """	lda	$1, 512($31)
	bis	$31, $31, $0
loop:	ldq	$2, 0($16)
	addq	$0, $2, $0
	lda	$16, 8($16)
	subq	$1, 1, $1
	bne	$1, loop
	ret	$31, ($26), 1
"""


@pytest.mark.long
def test_what_is_typed_has_the_ticks_of_a_compiled_program(browser, page, tmp_path):
    """The same text in the place of the room, by the GNU assembler."""
    shown = opened(browser, page, f"a=typed&a.text={quote(SUM)}")
    ((name, times, ticks, owners),) = shown.ask(OWNERS)
    room = (playground.TYPED / "room.S").read_text()
    old = "ret\t$31, ($26), 1\n\t.skip\t2044\n"
    assert room.count(old) == 1
    new = f"{SUM.lstrip()}\t.skip\t{2048 - len(assembled(SUM))}\n"
    (tmp_path / "room.S").write_text(room.replace(old, new))
    native = record(api.exec(playground.TYPED / "typed.c", tmp_path / "room.S"))
    region = native["regions"]["client"]["typed"]
    assert (name, times, ticks) == ("typed", region["invocations"], region["ticks"])
    assert owners == {key: value for key, value in region["owners"].items() if value}


MISTAKES = [
    ("literal << 13 | 1 << 12", "literal << 13"),
    ("opens.set(at, place.name)", "opens.set(at, places[0].name)"),
    ("resolved.parameters[key] = valueOf(text, resolved.parameters[key]);", ""),
    ("enters[stage] = row.tick + n + 1", "enters[stage] = row.tick + n"),
]

OF_TRIP = [
    ("demand.start + 1 : start", "demand.start : start"),
    ("one.onPath ? one.owners", "one.owners ? one.owners"),
    ("before === DESCRIPTOR && step.owner === SILO", "before === SILO"),
    ("used.length ? 'controller.raise'", "!used.length ? 'controller.raise'"),
]


@pytest.mark.long
def test_a_mistake_of_a_time_line_is_seen(browser, page, tmp_path):
    right = opened(browser, page, "a=tcp-std").ask(LINE)
    for found, wrong in OF_TRIP:
        assert page.read_text().count(found) == 1, found
        (tmp_path / "wrong.html").write_text(page.read_text().replace(found, wrong))
        assert opened(browser, tmp_path / "wrong.html", "a=tcp-std").ask(LINE) != right, wrong


@pytest.mark.long
def test_a_mistake_of_the_page_is_seen(browser, page, tmp_path):
    """A part, a tick, or a stage that differs from the right page's."""
    values = (
        f"JSON.stringify([{OWNERS}, results.a.passages.slice(0, 9).map(one => one.enters),"
        "results.b.image && [...results.b.image]])"
    )
    typed = quote(SUM.replace("$0, $2, $0", "$0, 7, $0"))
    after = f"{link('conflict', {'dcache.size': '16KB'})}&b=typed&b.text={typed}"
    right = opened(browser, page, after, runs=2).ask(values)
    for found, wrong in MISTAKES:
        assert page.read_text().count(found) == 1, found
        (tmp_path / "wrong.html").write_text(page.read_text().replace(found, wrong))
        assert opened(browser, tmp_path / "wrong.html", after, runs=2).ask(values) != right, wrong


COUNTED = """(() => {
  const run = Machines.prototype.run;
  window.asked = [];
  Machines.prototype.run = function (request) {
    asked.push(request.words.includes('--tick-log') ? 'log' : 'run');
    return run.call(this, request);
  };
})()"""
TYPED = """{texts}.forEach(text => {{
  const area = document.querySelector('#a textarea');
  area.value = text;
  area.dispatchEvent(new Event('input'));
}})"""


def typing(shown: Browser) -> list[str]:
    """Runs that three changes of the text ask for; the last text is ``SUM``."""
    shown.ask(COUNTED)
    shown.ask(TYPED.format(texts=json.dumps(["ret\n", "nop\nret\n", SUM])))
    shown.wait("results.a.passages && results.a.parts[0].instructions > 2000")
    return shown.ask("asked")


@pytest.mark.long
def test_what_is_typed_runs_once_the_reader_pauses(browser, page, tmp_path):
    short = f"a=typed&a.text={quote('ret')}"
    assert typing(opened(browser, page, short)) == ["run", "log"]
    at_once = page.read_text().replace("if (stale()) return;", "")
    (tmp_path / "wrong.html").write_text(at_once)
    assert typing(opened(browser, tmp_path / "wrong.html", short)).count("run") == 3


CHANGED = """(() => {
  window.pause = () => new Promise(done => setTimeout(done, 20));
  const select = document.querySelector('#a .item');
  select.value = 'conflict';
  select.dispatchEvent(new Event('change'));
})()"""


@pytest.mark.long
def test_a_side_that_is_changed_again_draws_the_latest_alone(browser, page):
    """A stack's run is slow; its reader chooses a program meanwhile."""
    shown = opened(browser, page, "a=conflict")
    shown.ask(COUNTED)
    shown.ask(CHANGED.replace("conflict", "tcp-std"))
    shown.wait("asked.length === 1")
    shown.ask(CHANGED)
    shown.wait("Number(document.body.dataset.ran) === 2")
    shown.ask("machines.then(async all => { while (all.running.size) await pause(); })")
    assert shown.ask("asked") == ["run", "run", "log"]
    assert [name for name, *_ in shown.ask(OWNERS)] == ["side by side", "8 KB apart"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"program": carried.packed(b"no program")}, "WebAssembly.compile()"),
        ({"script": "throw new Error('a broken script')"}, "a broken script"),
    ],
)
def test_an_engine_that_does_not_begin_is_said(browser, page, tmp_path, broken, said):
    text = page.read_text()
    engine = re.search(r'id="engine">(.*?)</script>', text, re.S)[1]
    wrong = template.embedded(json.loads(engine) | broken)
    (tmp_path / "wrong.html").write_text(text.replace(engine, wrong))
    shown = opened(browser, tmp_path / "wrong.html", "a=conflict&b=conflict", runs=2)
    for side in "ab":
        assert said in shown.ask(f"document.querySelector('#{side} .head').textContent")
    assert shown.logged == []


# Pixels between the middles of the box that is ticked and of its words; and whether the words of
# the room for assembly begin below the list of what runs.
LEVEL = """(() => {
  const box = one => document.querySelector(one).getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(document.querySelector('#second').nextSibling);
  const [tick, said] = [box('#second'), words.getBoundingClientRect()];
  return [Math.abs(tick.top + tick.bottom - said.top - said.bottom) / 2,
    box('#a .typed').top >= box('#a .item').bottom];
})()"""


@pytest.mark.long
@pytest.mark.parametrize("width", [SCREEN, PHONE])
def test_labels_are_level_with_what_they_name(browser, page, width):
    apart, below = opened(browser, page, "a=typed&b=conflict", width, runs=2).ask(LEVEL)
    assert apart < 3 and below


@pytest.mark.long
@pytest.mark.parametrize("width", [SCREEN, PHONE])
def test_the_page_fits_the_window(browser, page, width):
    shown = opened(browser, page, "a=tcp-std&b=conflict&at=5", width, runs=2)
    assert shown.ask("document.documentElement.scrollWidth <= innerWidth")
    labels = "[...document.querySelectorAll('select, input')].every(one => one.labels.length)"
    assert shown.ask(labels)
    assert shown.logged == []


@pytest.mark.long
def test_the_whole_page_is_small_enough(tmp_path):
    done = mcpi("watch", "--out", str(tmp_path / "watch.html"), limit=900)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "watch.html").read_text()
    assert len(text.encode()) < MOST
    files = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])["files"]
    assert len(text.encode()) - sum(map(len, files.values())) < MOST_EMPTY
