# SPDX-License-Identifier: BSD-2-Clause
"""The exact engine in a page of a web browser.

::

    carried.py    files of runs, and the engine  ──►  in the page, as Base64 of gzip
                                                          │ packed.js
    page's own script  ──── machines.js ──── message ───► │ worker.js, engine.js, mcpi-exact.js
                       ◄──────────────────── message ──── │ (a Worker for each core)

A request is ``{words, files, wanted}``: the command line of ``mcpi-exact`` without its name, bytes
by path, and the paths that the answer shall have. The answer is ``{status, said, seconds,
files}``: the exit status, the lines of standard error, the time of the run, bytes by path. Paths
are relative to the run's folder.
"""
