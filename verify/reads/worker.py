# SPDX-License-Identifier: BSD-2-Clause
"""In a worker, one process runs many test files: what each of them reads is told apart here.

A variable of the environment names the file that reads now, for this process and those it starts.
A module that is imported reads for itself, once; who imports it has it among its notes.
"""

import builtins
import ctypes
import functools
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from pathlib import Path

from _pytest.assertion.rewrite import AssertionRewritingHook

from verify.reads import observer

_caches: list = []
_noted: set[tuple[str, str]] = set()
_last = ""  # whose values the caches hold


def inside(path: str | Path | None) -> str:
    """``path`` from the checkout's root; empty for one that is not in it."""
    here = f"{os.environ[observer.ROOT]}/"
    return str(path)[len(here) :] if str(path or "").startswith(here) else ""


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(os.environ[observer.LIBRARY])


@contextmanager
def reading(name: str) -> Iterator[None]:
    """All that is read until the end is read by ``name``; a value that was kept in memory for
    another is read again."""
    before = os.environ.get(observer.OF, "")
    _turn(name)
    try:
        yield
    finally:
        _turn(before)


def _turn(name: str) -> None:
    global _last
    _library().mcpi_reads_of(name.encode())
    if name:
        os.environ[observer.OF] = name
    else:
        os.environ.pop(observer.OF, None)
    if name and name != _last:
        _last = name
        for one in _caches:
            one.cache_clear()


def imported(path: str) -> None:
    """Note that who reads now has imported this file of the checkout."""
    name = os.environ.get(observer.OF, "")
    if name and path and path != name and (name, path) not in _noted:
        _noted.add((name, path))
        observer.note(Path(os.environ[observer.NOTES]), name, "m", path)


def begin() -> list[str]:
    """Begin to tell them apart; return the modules that are there already: each test has them."""
    _caches_are_known()
    for loader in (SourceFileLoader, AssertionRewritingHook):
        _modules_read_for_themselves(loader)
    _imports_are_noted()
    return sorted(filter(None, (inside(_file(module)) for module in [*sys.modules.values()])))


def _caches_are_known() -> None:
    inner = functools.lru_cache

    def lru_cache(maxsize=128, typed=False):
        if not callable(maxsize):
            return lambda function: kept(function, inner(maxsize, typed)(function))
        return kept(maxsize, inner(maxsize))

    def kept(function, made):
        code = getattr(function, "__code__", None)
        if code and inside(code.co_filename):
            _caches.append(made)
        return made

    functools.lru_cache = lru_cache


def _modules_read_for_themselves(loader: type) -> None:
    inner = loader.exec_module

    def exec_module(self, module) -> None:
        if not (path := inside(module.__spec__.origin)):
            return inner(self, module)
        imported(path)
        with reading(path):
            return inner(self, module)

    loader.exec_module = exec_module


def _imports_are_noted() -> None:
    inner, by_name = builtins.__import__, importlib.import_module

    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        made = inner(name, globals, locals, fromlist, level)
        who = globals and globals.get("__file__")
        if not who or inside(who) or inside(_file(sys.modules.get(name))):
            package = globals and globals.get("__package__") or ""
            if level:
                base = package.rsplit(".", level - 1)[0]
                name = f"{base}.{name}" if name else base
            _note(name, fromlist or ())
        return made

    def import_module(name, package=None):
        made = by_name(name, package)
        _note(made.__name__, ())
        return made

    builtins.__import__, importlib.import_module = import_, import_module


def _note(name: str, parts) -> None:
    names = [name, *(f"{name}.{part}" for part in parts)]
    while "." in name:
        name = name.rpartition(".")[0]
        names.append(name)
    for one in names:
        if module := sys.modules.get(one):
            imported(inside(_file(module)))


def _file(module: object) -> str | None:
    return getattr(module, "__file__", None)
