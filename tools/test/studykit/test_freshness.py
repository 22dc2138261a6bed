# SPDX-License-Identifier: BSD-2-Clause
"""Stale pages: what moves a digest and what does not, what the doctor says, and (``--all``) the
published pages."""

from dataclasses import replace
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from tools_support import study_example
from tools_support.command import mcpi

from mcpi import studies
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.batch import perform
from mcpi.batch.plan import Wanted
from mcpi.spec.run_spec import RunSpec
from mcpi.studykit import command, freshness, markdown
from mcpi.studykit.measured import Measured

STUDY = studies.find()
NOW = freshness.of(STUDY)
PAGE = "# T\n\n<!-- provenance -->\n<!-- end -->\n"


def filled(page: Path, made_of: dict[str, str]) -> Path:
    """A page as --update-docs fills it, made of these parts."""
    page.write_text(PAGE)
    record = study_example.study().record
    record = {**record, "provenance": record["provenance"] | {"digests": made_of}}
    markdown.update(replace(STUDY, pages=(page,), drawings={}), Measured(record), [])
    return page


def stale(page: Path, now: dict[str, str]) -> list[list[str]]:
    study = replace(STUDY, pages=(page,))
    return [parts for _, parts in freshness.stale(study, now)]


def test_a_page_says_what_it_is_made_of_and_is_stale_once_that_differs(tmp_path):
    page = filled(tmp_path / "page.md", NOW | {"images": "0123456789ab"})
    assert markdown.digests(page) == NOW | {"images": "0123456789ab"}
    assert stale(page, NOW) == []
    for part in NOW:
        assert stale(page, NOW | {part: "0" * 12}) == [[part]]
    assert stale(page, NOW | {"images": "0" * 12}) == [["images"]]


def test_a_page_without_digests_is_stale(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert stale(page, NOW) == [list(NOW)]
    page.write_text("# A page without tables of the study\n")
    assert stale(page, NOW) == []


def test_the_plan_and_the_machines_are_those_of_the_experiments():
    every = STUDY.plan(Wanted(), STUDY.full)
    assert freshness.of(STUDY, every) == NOW
    fewer = freshness.of(STUDY, every[:-1])
    assert fewer == NOW | {"plan": fewer["plan"]} != NOW
    slower = STUDY.plan(Wanted(RunSpec(settings={"bcache.read_ticks": "11"})), STUDY.full)
    moved = freshness.of(STUDY, slower)
    assert {part for part in NOW if moved[part] != NOW[part]} == {"machines", "plan"}
    names = studies.there()
    assert len({freshness.of(studies.find(name))["plan"] for name in names}) == len(names)


SAME = {
    "a.py": ('"""Doc."""\n\n\ndef f(x: int) -> int:\n    """Doc."""\n    return x + 1\n',)
    + ("def f(x: int) -> int:  # more\n    return x+1\n",),
    "a.c": ('int f(int x) // one\n{\n    return x + 1; /* two\n lines */\n}\nchar s[] = "//";\n',)
    + ('int f(int x)\n{\n  return   x + 1;\n}\n\nchar s[] = "//";\n',),
}
OTHER = {
    "a.py": "def f(x: int) -> int:\n    return x + 2\n",
    "a.c": 'int f(int x)\n{\n    return x + 1;\n}\nchar s[] = "/*";\n',
    "a.csv": "a,b\n1,2\n",
}


@pytest.mark.parametrize("name", SAME)
def test_comments_and_spaces_do_not_count(tmp_path, name):
    said = set()
    for text in SAME[name]:
        (tmp_path / name).write_text(text)
        said.add(freshness.content(tmp_path / name))
    assert len(said) == 1
    (tmp_path / name).write_text(OTHER[name])
    assert freshness.content(tmp_path / name) not in said


def test_a_table_counts_as_it_is(tmp_path):
    (tmp_path / "a.csv").write_text(OTHER["a.csv"])
    assert freshness.content(tmp_path / "a.csv") == OTHER["a.csv"]


def test_other_images_have_another_digest(tmp_path):
    """The bytes that are loaded count; images in other link orders are not looked at."""
    every = STUDY.plan(Wanted(), STUDY.full)
    shuffled = next(e for e in every if e.shuffle)
    usual = [e for e in every if not e.shuffle][:1]
    with Bar() as bar:
        perform.build(usual, tmp_path, bar)
    before = freshness.images([*usual, shuffled], tmp_path)
    image = tmp_path / usual[0].name / "image.elf"
    content = bytearray(image.read_bytes())
    with image.open("rb") as stream:
        content[next(ELFFile(stream).iter_segments("PT_LOAD"))["p_offset"]] ^= 1
    image.unlink()
    image.write_bytes(content)
    assert freshness.images(usual, tmp_path) != before


def test_quick_figures_are_never_published(tmp_path):
    """Nor those of a part of the study, or of another machine."""
    usual, other = command.usual(STUDY, "", False, 1), studies.find("tr9304")
    assert usual.whole and command.usual(other, "tr9304", False, 1).whole
    assert not command.usual(other, "tr9304", True, 1).whole
    assert not replace(usual, wanted=Wanted(stacks=("tcp",))).whole
    assert not replace(usual, extent=replace(usual.extent, shuffles=3)).whole
    other = Wanted(RunSpec(settings={"bcache.read_ticks": "20"}))
    assert not replace(usual, wanted=other).whole
    done = mcpi("paper", "--quick", "--update-docs", cwd=tmp_path)
    assert done.returncode == 2 and "full study alone" in done.stderr


def test_the_doctor_lists_stale_pages(tmp_path):
    pages = {"fresh": NOW, "plan": NOW | {"plan": "0" * 12}, "firmware": NOW}
    pages["firmware"] = NOW | {"firmware": "0" * 12}
    files = tuple(filled(tmp_path / f"{name}.md", of) for name, of in pages.items())
    said = freshness.words(replace(STUDY, pages=files), "")
    assert len(said) == 2
    assert said[0].endswith("plan.md is stale: plan. To fill it: ./mcpi paper --update-docs")
    assert "firmware.md may be stale: firmware's files differ; ./mcpi test --all" in said[1]


@pytest.mark.long
@pytest.mark.parametrize("name", studies.there())
def test_no_published_page_is_stale(name):
    """The images are built: if they load the same bytes, other files of firmware do not matter."""
    study = studies.find(name)
    planned = study.plan(Wanted(), study.full)
    usual = [e for e in planned if not e.shuffle]
    root = BUILD / "stale" / name
    with Bar() as bar:
        perform.build(usual, root, bar)
    now = freshness.of(study, planned) | {"images": freshness.images(usual, root)}
    del now[freshness.SOURCES]
    found = {page.name: parts for page, parts in freshness.stale(study, now)}
    assert not found, f"to fill them: ./mcpi paper {name} --update-docs"
