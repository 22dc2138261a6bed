# SPDX-License-Identifier: BSD-2-Clause
"""Two pages for a projector: each tick of the round trip is on the first, in its lane and place;
the second's instructions and waits are its ticks."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tools_support.command import mcpi, refused

from mcpi.api import tracing
from mcpi.base.errors import RunError
from mcpi.export import slides
from mcpi.export.pipeline_drawing import SVG
from mcpi.results import causes, round_trip_owners
from mcpi.spec.run_spec import RunSpec
from mcpi.tracing.span_selection import Wanted

SPEC = RunSpec(round_trips=2, warmup=2)
NUMBER = 2
TICKS = re.compile(r": ([\d,]+) ticks$")


@pytest.fixture(scope="module")
def whole() -> Iterator[tracing.Trace]:
    with tracing.trace(SPEC, Wanted(round_trip=NUMBER)) as found:
        yield found


def drawings(found: tracing.Trace, file: Path) -> tuple[ElementTree.Element, ElementTree.Element]:
    found.write_slides(file, NUMBER)
    text = file.read_text()
    assert text.count("<section>") == 2 and "http" not in text.replace(SVG, "")
    first, second = re.findall(r"<section>\n(.*?)</section>", text, re.S)
    return ElementTree.fromstring(first), ElementTree.fromstring(second)


def boxes(page: ElementTree.Element) -> list[tuple[float, float, float, int]]:
    """Left end, width, lane's top and ticks of each box of the time line, in order."""
    found = []
    for one in page.iter(f"{{{SVG}}}rect"):
        if (said := one.find(f"{{{SVG}}}title")) is not None and (n := TICKS.search(said.text)):
            x, width, y = (float(one.get(name)) for name in ("x", "width", "y"))
            found.append((x, width, y, int(n[1].replace(",", ""))))
    return found


def fault(found: tracing.Trace, page: ElementTree.Element) -> str:
    """Words for a fault of the time line; empty if every tick is in it once, where it is."""
    line, ticks = boxes(page), found.span.end - found.span.start
    if sum(n for *_, n in line) != ticks:
        return f"{sum(n for *_, n in line)} ticks of {ticks}"
    ends = [x + width for x, width, *_ in line]
    gaps = [abs(a - b[0]) for a, b in zip(ends, line[1:], strict=False)]
    return "a gap" if max(gaps) > 0.1 else ""


def test_each_tick_is_on_the_first_page_once(whole: tracing.Trace, tmp_path: Path) -> None:
    page, _ = drawings(whole, tmp_path / "a.html")
    assert not fault(whole, page)
    lanes = [y for _, _, y, _ in boxes(page)]
    tops = [slides.TOP + slides.LANE * n for n in range(3)]
    client, wire, server = tops
    order = [y for n, y in enumerate(lanes) if n == 0 or lanes[n - 1] != y]
    assert order == [client, wire, server, wire, client]
    words = "".join(page.itertext())
    assert f"{whole.span.end - whole.span.start:,} ticks" in words


def test_the_second_page_s_ticks_are_instructions_and_waits(whole, tmp_path: Path) -> None:
    _, page = drawings(whole, tmp_path / "a.html")
    words = [one.text or "" for one in page.iter(f"{{{SVG}}}text")]
    found = re.search(r"Here (\d+) instructions take (\d+) ticks", "\n".join(words))
    waits = [int(m[1]) for word in words if (m := re.match(r"    .*: (\d+)$", word))]
    # Five reasons are named; a passage's ends are a few ticks beyond its issue.
    assert 5 < int(found[1]) < int(found[2]) <= slides.TICKS
    assert 0 < sum(waits) <= int(found[2]) - int(found[1])


def test_the_same_run_gives_the_same_bytes(whole: tracing.Trace, tmp_path: Path) -> None:
    for name in ("a", "b"):
        drawings(whole, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_every_owner_has_words_and_a_colour() -> None:
    for owner in (*round_trip_owners.OWNERS, *slides.OWNERS):
        assert slides._words(owner) and re.fullmatch(r"#[0-9a-f]{6}", causes.colour(owner))


def _lost(trips):
    return [[(name, leg[1:] if name == "server" else leg) for name, leg in trip] for trip in trips]


def _twice(trips):
    return [[(name, [*leg, leg[-1]] if name == "reply" else leg) for name, leg in t] for t in trips]


@pytest.mark.parametrize("mistake", [_lost, _twice])
def test_a_mistake_in_the_time_line_is_found(whole, mistake, monkeypatch, tmp_path: Path) -> None:
    trips = whole._trips()
    monkeypatch.setattr(tracing.Trace, "_trips", lambda _: mistake(trips))
    page, _ = drawings(whole, tmp_path / "a.html")
    assert fault(whole, page)


def test_a_round_trip_without_a_time_line_is_refused(whole, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tracing.Trace, "_trips", lambda _: [])
    with pytest.raises(RunError, match="no time line"):
        whole.write_slides(tmp_path / "a.html", NUMBER)


def test_the_command_writes_them_and_refuses_a_part(tmp_path: Path) -> None:
    file = str(tmp_path / "packet.html")
    done = mcpi("trace", "--round-trips", "2", "--rows", "1", "--slides", file)
    assert done.returncode == 0, done.stderr
    assert "round trip 1" in Path(file).read_text()
    words = refused("trace", "--round-trip", "1", "--ticks", "+0:+100", "--slides", file)
    assert "--slides shows a whole round trip" in words
    assert "whole round trip" in refused("trace", "examples/conflict.c", "--slides", file)
