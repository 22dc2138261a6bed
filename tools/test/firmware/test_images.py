# SPDX-License-Identifier: BSD-2-Clause
"""Firmware is built by whoever needs it first: several at once, in one checkout."""

import concurrent.futures
import time

import pytest

from mcpi.base.errors import RunError
from mcpi.base.ninja import Edge
from mcpi.firmware import commands, images, recipes
from mcpi.firmware.images import Plan
from mcpi.machine.profile import load

PART = 0.4  # s


@pytest.fixture
def plan(tmp_path, monkeypatch):
    """A text, an object that takes two parts of time and is empty in the second, a link of it."""
    monkeypatch.setattr(images, "BUILD", tmp_path)
    text, thing, image = (tmp_path / name for name in ("text", "thing", "image.elf"))
    slow = f"echo >> {tmp_path}/ran; sleep {PART}; : > {thing}; sleep {PART}; cat {text} > {thing}"
    link = f"sleep {PART / 2}; cp {thing} {image}"
    steps = (Edge("thing", slow, [thing], [text]), Edge("image", link, [image], [thing]))
    return Plan(tmp_path, {text: "whole"}, steps, tmp_path / "pal.elf")


def test_two_at_once(plan):
    """The second begins as the first is about to link: both have what they asked for, made once."""

    def build(after: float) -> str:
        time.sleep(after)
        return images.build(plan).image.read_text()

    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert list(pool.map(build, (0, 1.25 * PART))) == ["whole"] * 2
    assert (plan.folder / "ran").read_text() == "\n"


def test_what_is_fresh_waits_for_nobody(plan):
    """Another one builds meanwhile; who waits for it ends when it does."""
    images.build(plan)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        with images.lock():
            pool.submit(images.build, plan).result(timeout=20 * PART)
    assert (plan.folder / "ran").read_text() == "\n"


def test_settings_that_change_code_have_a_folder_of_their_own():
    plain, run, other, another = (
        images.plan(load("dec3000-600", settings), "std", "tcp").folder.name
        for settings in (
            {},
            {"memory.read_ticks": "60"},
            {"cache.block": "16B"},
            {"cache.block": "64B"},
        )
    )
    assert plain == run == "dec3000-600-std-tcp"
    assert other.startswith("dec3000-600-") and len({plain, other, another}) == 3


def test_an_output_appears_whole(tmp_path, monkeypatch):
    """A reader of an old image sees it until the new one is there; a failing linker leaves it."""
    monkeypatch.setattr(images, "BUILD", tmp_path)
    image, source = tmp_path / "image.elf", tmp_path / "source"
    source.write_text("new")
    image.write_text("old")
    linker = tmp_path / "linker"
    linker.write_text(f'#!/bin/sh\ncat {image} > {tmp_path}/seen; echo half > "$2"; exit $STATUS\n')
    linker.chmod(0o755)
    step = commands.whole([str(linker)], image, [source])
    work = Plan(tmp_path, {}, (step,), tmp_path / "pal.elf")
    monkeypatch.setenv("STATUS", "1")
    with pytest.raises(RunError):
        images.build(work)
    assert image.read_text() == "old"
    monkeypatch.setenv("STATUS", "0")
    images.build(work)
    assert (tmp_path / "seen").read_text() == "old" and image.read_text() == "half\n"


def test_a_stack_without_functions_of_a_connections_own_is_refused(monkeypatch):
    rules = recipes.recipe("specialised")
    assert not images.lacks("specialised", "rpc")
    del rules["clone"]["own"]["rpc"]
    monkeypatch.setattr(images, "recipe", lambda variant: rules)
    assert images.lacks("specialised", "rpc").endswith("[clone.own] has none of rpc")
    assert not images.lacks("specialised", "tcp")
