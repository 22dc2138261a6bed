# SPDX-License-Identifier: BSD-2-Clause
"""The page of a study: what its figures are drawn from, and (``--all``) the page in Chromium, on a
screen, on a phone and on paper."""

import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tools_support import study_example

from mcpi.base import template
from mcpi.base.drawing import SVG
from mcpi.results.summary import OWNERS
from mcpi.studies.sigcomm96 import page, tables
from mcpi.studies.sigcomm96.figures import figures
from mcpi.studykit import claims
from mcpi.studykit import figures as drawing
from mcpi.studykit import page as common
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.panels import Panel
from mcpi.studykit.verdicts import FAILS, HOLDS, UNDECIDED
from verify.docgen.browser import Browser
from verify.docgen.picture import DRAWN

STUDY = study_example.study()
FIGURES = figures(STUDY).record()
SCREEN, PHONE = 1280, 390  # CSS pixels
PHONE_SCREEN = 844  # CSS pixels, its height
MOST_PAGES = 12  # of A4
PAPER, ON_ITS_SIDE = 688, 1017  # the same, of A4 within the page's margins


@cache
def whole() -> str:
    return page.page(STUDY, tables.of(STUDY))


class Reader(HTMLParser):
    """Ids, what is chosen from, and the text of each script by its id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids, self.options, self.scripts, self.text = [], {}, {}, ""
        self._select = self._script = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        match tag:
            case "select":
                self._select = self.options.setdefault(given["id"], [])
            case "option":
                self._select.append(given["value"])
            case "script":
                self._script = given.get("id", "")

    def handle_endtag(self, tag):
        self._script = None if tag == "script" else self._script

    def handle_data(self, data):
        if self._script is None:
            self.text += data
        else:
            self.scripts[self._script] = data


def test_the_page_s_figures_have_the_study_s_values():
    """The owners of a bar sum to the path, its range is that of the link orders, and every owner
    is some cause's: none is left out."""
    for stack, versions in FIGURES["path"].items():
        for version, bar in versions.items():
            path = STUDY.result(stack, version)["steady"]["client"]
            per_us = STUDY.result(stack, version)["round_trip"]["ticks_per_us"]
            assert sum(bar["owners"].values()) == pytest.approx(
                sum(path["owners"].values()) / per_us, abs=0.002
            )
            orders = STUDY.record["orders"][stack][version].values()
            wanted = sorted(sum(one["owners"].values()) / per_us for one in orders)
            found = sorted(sum(one.values()) for one in bar["orders"])
            assert found == pytest.approx(wanted, abs=0.002) and len(found) == 3
    drawn = [owner["key"] for cause in FIGURES["causes"] for owner in cause["owners"]]
    there = {o for s in FIGURES["path"].values() for bar in s.values() for o in bar["owners"]}
    assert sorted(drawn) == sorted(there) and there <= set(OWNERS)
    trip = FIGURES["trip"]["tcp"]["std"]
    assert sum(trip["parts"].values()) == pytest.approx(351.2, abs=0.01)
    assert FIGURES["path"]["tcp"]["std"]["paper"] == 89.6 and trip["paper"] == 351.0
    assert FIGURES["path"]["tcp"]["original"]["paper"] is None
    ticks = STUDY.record["maps"]["rpc"]["variants"][0]["functions"]["memcpy"]["issue"]
    own = FIGURES["functions"]["rpc"]["bad"]["memcpy"]["issue"]
    assert own == pytest.approx(ticks / 175, 1e-3)
    other = [one["memcpy"]["issue"] for one in FIGURES["functionOrders"]["rpc"]["bad"]]
    assert other == pytest.approx([own, 1.2 * own], 1e-3)


def test_the_page_offers_what_was_measured_and_holds_its_data():
    read = Reader(whole())
    twice = [name for name, times in Counter(read.ids).items() if times > 1]
    assert not twice, f"two elements are called {twice}"
    assert read.options["choose-version"] == list(FIGURES["versions"])
    owners = {owner["key"] for cause in FIGURES["causes"] for owner in cause["owners"]}
    assert owners < set(read.options["choose-owner"])
    assert json.loads(read.scripts["figures"]) == json.loads(json.dumps(FIGURES))
    assert json.loads(read.scripts["specs"]) == drawing.specs()
    places = set(read.ids)
    for stack in FIGURES["stacks"]:
        assert {f"path-{stack}-whole", f"trip-{stack}-whole", f"functions-{stack}"} <= places
        assert {f"path-{stack}-{n}" for n in range(len(FIGURES["causes"]))} <= places
        assert {f"map-{stack}-{version}-code" for version in FIGURES["maps"][stack]} <= places
    assert "tcp_demux_of_a_long_name" in read.text, "names can be read without a script"
    claims = len(next(t for t in tables.of(STUDY) if t.key == "claims").rows)
    assert f"Claims: {claims} hold, 0 do not hold, 0 undecided." in read.text


def claimed() -> Table:
    """Claims in the order of a file, two of which hold."""
    words = (HOLDS, UNDECIDED, "", FAILS, HOLDS, "not judged: no scheduler")
    cells = {"figure": Cell(1.0, 2.0)}
    rows = tuple(Row((f"claim {n}", word, ""), cells) for n, word in enumerate(words))
    return Table("claims", "Claims", ("Claim", "Ours", "Over"), claims.COLUMNS[:1], rows)


def test_claims_stand_by_verdict():
    """Claims that do not hold come first; only they and the undecided ones are unfolded."""
    found = claims.by_verdict(claimed())
    assert {title: [r.labels[0] for r in table.rows] for title, table in found.items()} == {
        "does not hold: 1": ["claim 3"],
        "undecided: 1": ["claim 1"],
        "holds: 2": ["claim 0", "claim 4"],
        "not measured: 1": ["claim 2"],
        "not judged: no scheduler: 1": ["claim 5"],
    }
    text = common.page("T", STUDY, [("", [claimed()])])
    assert re.findall(r"<details( open)?><summary>([^<]+)", text) == [
        (" open" if n < 2 else "", title) for n, title in enumerate(found)
    ]


def of_drawings() -> str:
    """A page whose figures are drawings, with claims and a table."""
    panels = [
        Panel(f"Figure {n}", "pages", "ticks", "n = 3", "Ticks.", lambda axes: axes.plot([2, 1]))
        for n in (1, 2, 3)
    ]
    rows = [("b", 10.0), ("b", 9.0), ("a", 1_000.0), ("a", None)]
    cells = tuple(Row((name, str(n)), {"x": Cell(v, 5.0)}) for n, (name, v) in enumerate(rows))
    table = Table("table1", "Table 1", ("Name", "Row"), (Column("x", "T_p, µs", 0),), cells)
    drawings = {"First": [panels[0].drawing()], "More": [one.drawing() for one in panels[1:]]}
    parts = [("", [claimed()]), ("Tables", [table])]
    return common.page("T", STUDY, parts, answers=["It takes 1 µs."], drawings=drawings)


def test_the_answer_comes_first_then_a_figure_then_claims():
    text = of_drawings()
    places = [text.index(one) for one in ("It takes 1", "<h3>First<", ">claim 3<", "<h3>More<")]
    assert places == sorted(places) and text.index("Table 1</h3>") > places[-1]
    assert text.count('role="img"') == text.count("<desc ") == 3
    assert "processing time of the path" in text and 'id="terms"' in text


def test_the_page_s_script_cannot_be_left_by_its_data():
    """A name with an end tag in it stays data."""
    assert "</script" not in template.embedded({"name": "</script><b>"})
    assert json.loads(template.embedded({"name": "</script>"})) == {"name": "</script>"}
    assert "</script" not in drawing.library()


ROW = {"name": "STD", "label": "STD 7.0", "opacity": 1, "tells": "", "colour": "#102030"}
ROWS = [
    {**ROW, "kind": "part", "from": 0, "to": 4},
    {**ROW, "kind": "part", "from": 4, "to": 7, "colour": "#405060"},
    {**ROW, "kind": "whole", "end": 10, "low": 6, "high": 8, "mark": 10},
]


def drawn(spec: dict) -> list[tuple[str, float, float]]:
    """Colour, left and right edge of each filled shape of the bars, by Vega without a browser."""
    import vl_convert

    spec = {**spec, "width": 500, "autosize": "pad", "data": {"name": "rows", "values": ROWS}}
    spec["params"] = [{"name": "most", "value": 10}]
    root = ElementTree.fromstring(vl_convert.vegalite_to_svg(spec))
    found = []
    for shape in root.iter(f"{{{SVG}}}path"):
        group = shape.get("aria-roledescription", "")
        numbers = re.findall(r"M(-?[\d.]+),-?[\d.]+[hH](-?[\d.]+)", shape.get("d", ""))
        if numbers and group in ("bar", "tick"):
            found.append((shape.get("fill"), float(numbers[0][0]), float(numbers[0][1])))
    texts = [text.text for text in root.iter(f"{{{SVG}}}text")]
    assert "STD 7.0" in texts
    lines = [line for line in root.iter(f"{{{SVG}}}line") if line.get("stroke") == "currentColor"]
    return found + [("rule", 0.0, abs(float(line.get("x2") or 0))) for line in lines]


def test_the_page_s_bars_are_as_long_as_their_values():
    shapes = drawn(drawing.specs()["bars"])
    widths = {colour: wide for colour, _, wide in shapes if colour in ("#102030", "#405060")}
    unit = 500 / 10.2
    assert widths["#102030"] == pytest.approx(4 * unit, abs=0.5)
    assert widths["#405060"] == pytest.approx(3 * unit, abs=0.5)
    rule = [wide for kind, _, wide in shapes if kind == "rule"]
    assert any(wide == pytest.approx(2 * unit, abs=0.5) for wide in rule), "the range over orders"


@pytest.fixture(scope="module")
def browser():
    with Browser() as one:
        yield one


@pytest.fixture
def shown(browser, tmp_path):
    """Opens a page in a window of a width; waits until it is drawn."""

    def show(width: int, text: str = "", after: str = "") -> Browser:
        file = tmp_path / "page.html"
        file.write_text(text or whole())
        browser.logged.clear()
        browser.open(file, width, after=after)
        browser.wait(DRAWN)
        return browser

    return show


LABELS = """(() => {
  const found = [];
  for (const view of document.querySelectorAll('.view svg, .panels, .choose')) {
    const boxes = [...view.querySelectorAll(view.tagName === 'svg' ? 'text' : 'figcaption, label')]
      .map(one => [one.textContent, one.getBoundingClientRect()])
      .filter(([text, box]) => text && box.width);
    boxes.forEach(([a, p], n) => boxes.slice(n + 1).forEach(([b, q]) => {
      const across = p.left < q.right - 1 && q.left < p.right - 1;
      if (across && p.top < q.bottom - 3 && q.top < p.bottom - 3) found.push(a + ' / ' + b);
    }));
  }
  return found;
})()"""
TEXTS = ".view svg text, figcaption, h1, h2, h3, p, label, select"
OUTSIDE = f"""[...document.querySelectorAll('{TEXTS}')]
  .map(one => [one.textContent.slice(0, 40), one.getBoundingClientRect()])
  .filter(([text, box]) => box.width && (box.left < 0 || box.right > innerWidth + 1))
  .map(([text]) => text)"""


def check_layout(page: Browser) -> None:
    """Nothing is wider than the window, no label lies on another, nothing went wrong."""
    assert page.ask("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    assert page.ask(OUTSIDE) == []
    assert page.ask(LABELS) == []
    assert page.ask("document.querySelectorAll('.view svg text').length") > 50
    assert page.logged == []


@pytest.mark.long
@pytest.mark.parametrize("width", [SCREEN, PHONE])
@pytest.mark.parametrize("after", ["", "version=out&owner=d_miss", "function=memcpy"])
def test_the_page_fits_the_window(shown, width, after):
    check_layout(shown(width, after=after))


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "found", "wrong", "word"),
    [
        (PHONE, "max-width: 100%; }\n.choose select", "}\n.choose select", "sideways|owner|Owner"),
        (SCREEN, '"height":{"step":19}', '"height":{"step":6}', "ORIGINAL"),
        (
            SCREEN,
            "start();\n<",
            "start(); new Image().src = 'http://127.0.0.1:9/x.png';\n<",
            "asks for",
        ),
        (SCREEN, "function say() {", "function say() { nothing();", "nothing"),
    ],
)
def test_a_page_that_does_not_fit_is_found(shown, width, found, wrong, word):
    assert whole().count(found) == 1, found
    text = whole().replace(found, wrong)
    if word == "sideways|owner|Owner":
        text = text.replace(
            "max-width: 100%; }\n@media (min-width: 800px)",
            "min-width: 420px; }\n@media (min-width: 800px)",
        )
    with pytest.raises(AssertionError, match=word):
        check_layout(shown(width, text))


SUMS = """[...document.querySelectorAll('[id^=path-tcp], [id^=functions-tcp]')]
  .filter(one => !one.closest('figure').hidden)
  .map(one => [...one.querySelectorAll('svg text')].map(text => text.textContent).join(', '))"""


def chosen(page: Browser, key: str, value: str) -> list[str]:
    """Sums that the figures of TCP/IP show after a choice."""
    page.ask(
        f"""(async () => {{
          const one = document.getElementById('choose-{key}');
          delete document.body.dataset.drawn;
          one.value = {json.dumps(value)};
          one.dispatchEvent(new Event('change'));
        }})()"""
    )
    page.wait(DRAWN)
    return page.ask(SUMS)


def check_choices(page: Browser) -> None:
    """Each control changes all figures of the path, and the sentence; the address keeps it."""
    path = FIGURES["path"]["tcp"]
    before = page.ask(SUMS)
    wanted = f"{sum(path['std']['owners'].values()):.1f}"
    assert re.search(rf"STD\s+{wanted}", before[0])
    assert len(before) == 2 + len(FIGURES["causes"])
    functions = FIGURES["functions"]["tcp"]
    after = chosen(page, "version", "out")
    wanted = f"{sum(functions['out']['memcpy'].values()):.1f}"
    assert re.search(rf"memcpy\s+{wanted}", after[-1])
    assert after[-1] != before[-1] and "OUT takes" in page.ask("chosen.textContent")
    after = chosen(page, "owner", "d_miss")
    wanted = f"{path['std']['owners']['d_miss']:.1f}"
    assert len(after) == 2 and re.search(rf"STD\s+{wanted}", after[0])
    wanted = f"{functions['out']['memcpy']['d_miss']:.1f}"
    assert re.search(rf"memcpy\s+{wanted}", after[1])
    after = chosen(page, "function", "memcpy")
    wanted = f"{functions['std']['memcpy']['d_miss']:.1f}"
    assert re.search(rf"STD\s+{wanted}", after[0]) and "in memcpy" in page.ask("chosen.textContent")
    faint = "[...document.querySelectorAll('#map-tcp-out-code [opacity=\"0.25\"]')].length"
    assert page.ask(faint) >= 2, "the map shows the function too"
    address = page.ask("location.hash")
    assert {"version=out", "owner=d_miss", "function=memcpy"} == set(address[1:].split("&"))
    hidden = "document.getElementById('map-tcp-all').hidden"
    assert page.ask(hidden) and not page.ask(hidden.replace("all", "out"))


@pytest.mark.long
@pytest.mark.parametrize("width", [SCREEN, PHONE])
def test_the_page_s_controls_change_its_figures(shown, width):
    check_choices(shown(width))


@pytest.mark.long
@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        ("return state.owner ? [state.owner] : every;", "return every;"),
        ("data.functions[stack]?.[state.version], own", "data.functions[stack]?.[data.base], own"),
        ("!state.function || chosen || kind", "true || chosen || kind"),
        ("box.hidden = version !== state.version && version !== data.base;", "box.hidden = false;"),
        ("  keep();\n", ""),
    ],
)
def test_controls_of_the_page_that_change_too_little_are_found(shown, found, wrong):
    assert whole().count(found) == 1, found
    with pytest.raises(AssertionError):
        check_choices(shown(SCREEN, whole().replace(found, wrong)))


WHISKERS = "document.querySelectorAll('#path-tcp-whole .mark-rule line').length"


@pytest.mark.long
def test_every_bar_of_the_page_has_its_range(shown):
    page = shown(SCREEN)
    for figure in ("path", "trip"):
        for one in ("whole", 0, 1):
            where = WHISKERS.replace("path-tcp-whole", f"{figure}-tcp-{one}")
            assert page.ask(where) >= len(FIGURES["path"]["tcp"]), (figure, one)
    where = WHISKERS.replace("path-tcp-whole", "functions-tcp")
    assert page.ask(where) >= 3
    where = "document.getElementById('functions-tcp').textContent"
    assert "tcp_demux_of_a_long_name" in page.ask(where), "a name is whole"


@pytest.mark.long
def test_the_page_on_paper(shown, tmp_path):
    """Nothing is cut at the margin, controls are gone, figures and tables are there."""
    page = shown(SCREEN)
    page.printed(tmp_path / "page.pdf")
    pdf = (tmp_path / "page.pdf").read_bytes()
    assert pdf.startswith(b"%PDF") and 3 < len(re.findall(rb"/Type\s*/Page\b", pdf)) <= MOST_PAGES
    page.as_printed(PAPER)
    assert page.ask("getComputedStyle(document.querySelector('.choose')).display") == "none"
    cut = f"""[...document.querySelectorAll('table, svg')].filter(one =>
      one.getBoundingClientRect().right > (one.closest('.wide') ? {ON_ITS_SIDE} : {PAPER}) + 1)
      .map(one => one.closest('section')?.id)"""
    assert page.ask(cut) == [], "something is cut at the margin"


FIRST_FIGURE = """(() => {
  const shown = [...document.querySelectorAll('figure')].map(one => one.getBoundingClientRect());
  return shown.find(box => box.height).bottom + scrollY;
})()"""


@pytest.mark.long
def test_the_first_figure_is_on_the_first_two_screens_of_a_phone(shown, browser, tmp_path):
    assert shown(PHONE).ask(FIRST_FIGURE) < 2 * PHONE_SCREEN
    file = tmp_path / "drawings.html"
    file.write_text(of_drawings())
    browser.open(file, PHONE)
    assert browser.ask(FIRST_FIGURE) < 2 * PHONE_SCREEN
    assert browser.ask("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    wide = "[...document.querySelectorAll('.drawn svg')].every(one => one.clientWidth > 300)"
    assert browser.ask(wide), "figures can be read"


COLUMN = """[...document.querySelectorAll('#table1 tbody tr')]
  .map(one => [...one.cells].slice(0, 3).map(cell => cell.textContent).join(' '))"""


@pytest.mark.long
def test_tables_are_folded_and_sorted(browser, tmp_path):
    """Numbers by value, empty cells last; a name that stands once for several rows comes back."""
    file = tmp_path / "drawings.html"
    file.write_text(of_drawings())
    browser.open(file, SCREEN)
    folded = "document.querySelector('#table1 details').open"
    assert not browser.ask(folded)
    own = browser.ask(COLUMN)
    assert own == ["b 0 10", " 1 9", "a 2 1000", " 3 –"]
    click = "document.querySelector('#table1 th.group').click()"
    browser.ask(click)
    assert browser.ask(COLUMN) == ["b 1 9", "b 0 10", "a 2 1000", "a 3 –"]
    browser.ask(click)
    assert browser.ask(COLUMN) == ["a 2 1000", "b 0 10", "b 1 9", "a 3 –"]
    browser.ask(click)
    assert browser.ask(COLUMN) == own
    browser.open(file, SCREEN, after="table1")
    assert browser.ask(folded) and browser.logged == []


def test_the_picture_of_the_page_is_there():
    picture = Path(__file__).parents[3] / "docs/how-to/paper.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "](paper.png)" in picture.with_suffix(".md").read_text()
