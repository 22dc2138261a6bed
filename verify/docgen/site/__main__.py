# SPDX-License-Identifier: BSD-2-Clause
"""``python -m verify.docgen.site PLACE PORT PLAYGROUND``: makes the site, and serves it at a port.
With a word for PLAYGROUND the site has that page too, and its first page leads there."""

import functools
import http.server
import sys
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.browser import playground
from mcpi.cli.main import ended
from verify.docgen.site.build import build, check

MARK = "searchindex.js"  # the file by which a folder is known as a site
ADDRESS = "127.0.0.1"
PLAYGROUND = "watch.html"


def main(place: str, port: str, wanted: str = "") -> None:
    check()
    site = Path(place)
    with staging.staged(site, mark=MARK) as stage:
        if wanted:  # before the pages that lead there, whose links are checked
            with Bar() as bar:
                (stage / PLAYGROUND).write_text(playground.page(playground.usual(), bar))
        build(stage, PLAYGROUND if wanted else "")
    print(f"{site}/index.html")
    if wanted:
        print(f"{site}/{PLAYGROUND}")
    if port:
        serve(site, int(port))


def server(site: Path, port: int) -> http.server.ThreadingHTTPServer:
    """A server of the site on this host alone. UserError if the port is taken."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=site)
    try:
        return http.server.ThreadingHTTPServer((ADDRESS, port), handler)
    except OSError as error:
        raise UserError(f"--serve {port}: {error.strerror}; name another port.") from None


def serve(site: Path, port: int) -> None:
    with server(site, port) as there:
        print(f"http://{ADDRESS}:{there.server_port}/ until ^C", flush=True)
        there.serve_forever()


if __name__ == "__main__":
    ended(lambda: main(*sys.argv[1:]))
