# SPDX-License-Identifier: BSD-2-Clause
"""The site itself: equal files from equal sources, in a browser without a network, and its
server."""

import hashlib
import threading
import urllib.request
from pathlib import Path

import pytest

from mcpi.base import staging
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import ROOT
from verify.docgen.browser import Browser
from verify.docgen.site import __main__ as command
from verify.docgen.site import build, reference

SCREEN, PHONE = 1280, 390
FOUND = "[...document.querySelectorAll('#search-results li a')].map(one => one.textContent)"
INK = "getComputedStyle(document.body).color"
# The theme lets a page's text scroll within the page, too.
FITS = "[...document.querySelectorAll('html, .content')].every(e => e.scrollWidth <= e.clientWidth)"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("site")
    build.build(place)
    return place


def digests(site: Path) -> dict[str, str]:
    files = (path for path in sorted(site.rglob("*")) if path.is_file())
    return {str(p.relative_to(site)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


@pytest.mark.long
def test_two_builds_are_equal_and_name_no_folder_of_this_machine(site, tmp_path) -> None:
    build.build(tmp_path)
    assert digests(tmp_path) == digests(site)
    texts = [path for path in site.rglob("*") if path.suffix in (".html", ".js", ".css")]
    assert len(texts) > 200
    assert not [path for path in texts if str(ROOT) in path.read_text()]


@pytest.mark.long
@pytest.mark.parametrize("width", [SCREEN, PHONE])
def test_no_page_scrolls_sideways_or_asks_the_network(site: Path, width: int) -> None:
    with Browser() as browser:
        for page in sorted(site.rglob("*.html")):
            browser.open(page, width)
            assert browser.ask(FITS), f"{page.relative_to(site)} scrolls sideways at {width}"
        assert browser.logged == []


@pytest.mark.long
def test_a_page_that_is_too_wide_is_found(site: Path) -> None:
    page = site / "docs/how-to/exec.html"
    wide = page.with_name("wide.html")  # beside the page, for its styles
    wide.write_text(page.read_text().replace("<h1>", "<h1 style='width: 500px'>", 1))
    try:
        with Browser() as browser:
            browser.open(wide, PHONE)
            assert not browser.ask(FITS)
            assert browser.logged == []
    finally:
        wide.unlink()


@pytest.mark.long
def test_the_search_finds_a_page_from_a_folder(site: Path) -> None:
    with Browser() as browser:
        browser.open(site / "search.html", PHONE, query="stream buffer")
        browser.wait(f"{FOUND}.includes('The memory system')")
        assert browser.logged == []


@pytest.mark.long
def test_dark_and_light(site: Path) -> None:
    inks = set()
    with Browser() as browser:
        for scheme in ("light", "dark"):
            browser.open(site / "index.html", SCREEN, scheme=scheme)
            inks.add(browser.ask(INK))
    assert len(inks) == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (".. flies:: mcpi", "generated/python.rst.*flies"),
        (".. autofunction:: mcpi.fly", "'fly' from module 'mcpi'"),
    ],
)
def test_what_sphinx_does_not_understand_is_an_error(line, said, monkeypatch, tmp_path) -> None:
    pages = reference.pages()
    planted = f"{pages['python.rst']}\n{line}\n"
    monkeypatch.setattr(reference, "pages", lambda: {**pages, "python.rst": planted})
    with pytest.raises(RunError, match=said):
        build.build(tmp_path)


def test_a_folder_that_is_no_site_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with (
        pytest.raises(UserError, match="name another"),
        staging.staged(tmp_path, mark=command.MARK),
    ):
        pass
    assert (tmp_path / "mine").exists()


def test_the_server_has_the_files_and_listens_on_this_host_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("here")
    with command.server(tmp_path, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        assert server.server_address[0] == "127.0.0.1"
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/index.html") as answer:
            assert answer.read() == b"here"
        with pytest.raises(UserError, match="name another port"):
            command.server(tmp_path, server.server_port)
        server.shutdown()
        thread.join()


def test_the_playground_is_there_before_the_pages_that_lead_to_it(monkeypatch, tmp_path) -> None:
    seen = []

    def built(place: Path, playground: str) -> None:
        seen.append((playground, [path.name for path in place.iterdir()]))
        (place / command.MARK).write_text("")

    monkeypatch.setattr(command, "build", built)
    monkeypatch.setattr(command, "check", lambda: None)
    monkeypatch.setattr(command.playground, "page", lambda items, _: f"{len(items)} choices")
    command.main(str(tmp_path / "without"), "")
    command.main(str(tmp_path / "with"), "", "playground")
    assert seen == [("", []), (command.PLAYGROUND, [command.PLAYGROUND])]
    assert (tmp_path / "with" / command.PLAYGROUND).read_text() == "33 choices"


@pytest.mark.long
def test_the_first_page_leads_to_the_playground(tmp_path: Path) -> None:
    """A link that is an error where the page is not."""
    (tmp_path / "with").mkdir()
    (tmp_path / "with" / command.PLAYGROUND).write_text("<title>here</title>")
    build.build(tmp_path / "with", command.PLAYGROUND)
    with Browser() as browser:
        browser.open(tmp_path / "with" / "index.html", PHONE)
        browser.ask("document.querySelector('a[href=\"watch.html\"]').click()")
        browser.wait("document.title == 'here'")
    with pytest.raises(
        RunError, match=r"index\.html:\d+: the link \(watch\.html\) leads to no file"
    ):
        build.build(tmp_path / "without", command.PLAYGROUND)
