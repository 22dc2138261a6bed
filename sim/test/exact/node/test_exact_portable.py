# SPDX-License-Identifier: BSD-2-Clause
"""The exact engine's nodes have no threads, processes or maps of memory: any target that has C++
runs them. `testbed/` forks a cold run; no file of a node includes it."""

import re
from pathlib import Path

import pytest
from sim_support.includes import includes
from sim_support.simulators import SIM

ROOTS = [Path("exact/node/node.cpp"), Path("exact/node/counters.cpp")]
ROOMS = ("alpha", "base", "exact/core", "exact/node", "lance", "link", "memory")
HEADERS = "thread|mutex|atomic|future|condition_variable|shared_mutex|semaphore|unistd.h|pthread.h"
HEADERS += "|sys/.*|semaphore.h|signal.h|csignal|csetjmp"
WORDS = r"std::(?:j?thread|async)|thread_local|mmap|munmap|mprotect|fork|vfork|clone|pthread_\w+"
FORBIDDEN = re.compile(rf"^#include <(?:{HEADERS})>|\b(?:{WORDS})\b(?=[ (<;])", re.M)
COMMENT = re.compile(r"//.*")


def files() -> list[Path]:
    """Files that a node is made of: all that its files include, and the .cpp of each header."""
    graph, wanted, found = includes(), list(ROOTS), set()
    while wanted:
        file = wanted.pop()
        if file in found or file not in graph:
            continue
        found.add(file)
        wanted += graph[file]
        if file.suffix == ".h":  # core.h: core.cpp and core_*.cpp
            wanted += [f for f in graph if f.suffix == ".cpp" and file in graph[f]]
            wanted = [f for f in wanted if str(f.parent) in ROOMS]
    return sorted(found)


def forbidden(text: str) -> list[str]:
    return FORBIDDEN.findall(COMMENT.sub("", text))


def test_a_node_has_no_threads_and_no_maps():
    there = files()
    assert len(there) > 60 and Path("memory/hierarchy.cpp") in there
    assert Path("exact/core/core_issue.cpp") in there
    found = {file: said for file in there if (said := forbidden((SIM / file).read_text()))}
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "#include <thread>",
        "#include <sys/mman.h>",
        "    std::thread other(run);",
        "static thread_local int n;",
        "    void *p = mmap(nullptr, n, 3, 2, -1, 0);",
        "    if (fork() == 0)",
        "    pthread_create(&t, 0, f, 0);",
    ],
)
def test_a_mistake_is_found(line):
    text = (SIM / "exact/core/core_issue.cpp").read_text()
    assert forbidden(text.replace("namespace mcpi::exact {\n", f"{line}\n", 1))
