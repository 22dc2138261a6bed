# SPDX-License-Identifier: BSD-2-Clause
"""Debian 12's packages for a folder of the user's own: fetched and checked by the host's apt.

apt runs as the user, with lists, cache and dpkg status of its own below ``MCPI_HOME``: it reads the
signed list of Debian 12 (its key is setup/debian-12.asc), resolves dependencies as on a machine on
which nothing is installed, and fetches what is missing. setup/unpack.py unpacks it.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

SUITE = "bookworm"
MIRROR = "MCPI_DEBIAN_MIRROR"
TRUST = ""  # an option of the source; tests trust theirs
# How a line of a host's sources names a release of Debian; Ubuntu's and others' have no Debian 12.
RELEASES = "bullseye bookworm trixie forky duke sid oldoldstable oldstable stable testing unstable"
# The only machine for which Debian 12 has the compiler for Alpha, as the kernel names it: Debian's
# name, folder of the libraries, program that loads them.
MACHINE = "x86_64"
PARTS = ("amd64", "x86_64-linux-gnu", "lib64/ld-linux-x86-64.so.2")
URI = re.compile(r"^'(\S+)' (\S+) (\d+) (?:SHA256:)?(\S*)", re.M)
# The host's settings of proxies, certificates and passwords hold; its hooks and pins do not.
SETTINGS = """
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
#clear APT::Architectures;
#clear Acquire::IndexTargets::deb::DEP-11;
#clear Acquire::IndexTargets::deb::CNF;
#clear Acquire::IndexTargets::deb::Contents-deb;
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
APT::Install-Recommends "false";
APT::Install-Suggests "false";
APT::Sandbox::User "";
APT::Keep-Downloaded-Packages "true";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::ForceHash "SHA256";
Dir::State "{place}/state";
Dir::State::status "{status}";
Dir::State::extended_states "{place}/state/extended_states";
Dir::Cache "{place}/cache";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "";
Dir::Etc::sourcelist "{place}/sources.list";
Dir::Etc::sourceparts "{place}/none";
Dir::Etc::preferences "{place}/none/preferences";
Dir::Etc::preferencesparts "{place}/none";
Dir::Etc::trusted "{place}/none/trusted.gpg";
Dir::Etc::trustedparts "{place}/keys";
Dir::Log "{place}/none";
"""


class Refused(Exception):
    """Set-up cannot begin; the text says why and what to do."""


def machine() -> tuple[str, str, str]:
    """``PARTS``; Refused on another machine."""
    if (name := platform.machine()) != MACHINE:
        raise Refused(
            f"this machine is {name}; Debian 12 has the compiler for Alpha on {MACHINE} only."
            "\n  Start on such a machine, or in a container or virtual machine of that kind."
        )
    return PARTS


def mirror() -> str:
    """The address of a Debian mirror: what ``MIRROR`` says, else the one the host's apt uses."""
    if not shutil.which("apt-get"):
        raise Refused(
            "apt-get is missing: it fetches and checks the compilers. Install apt (many systems "
            f"have it as a\n  package), and set {MIRROR} to the address of a Debian mirror; or "
            "start in a container of Debian."
        )
    if given := os.environ.get(MIRROR):
        # A folder's packages are copied as if fetched: those of file: stay where they are.
        return re.sub("^file:", "copy:", given).rstrip("/")
    form = "$(CREATED_BY) $(COMPONENT) $(RELEASE) $(REPO_URI)"
    done = subprocess.run(
        ["apt-get", "indextargets", "--format", form], capture_output=True, text=True, check=False
    )
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 4 and words[:2] == ["Packages", "main"] and words[2] in RELEASES.split():
            return words[3].rstrip("/")
    raise Refused(
        "this host's apt names no mirror of Debian. Set the variable to one and start again:\n"
        f"  {MIRROR}=<its address, where the folders dists and pool are> ./mcpi …"
    )


def wanted(root: Path) -> list[tuple[str, str, list[str]]]:
    """Rows of setup/packages.txt: package or package=version, purpose, commands."""
    rows = []
    for line in (root / "setup" / "packages.txt").read_text().splitlines():
        if line.strip() and line[0] != "#":
            package, purpose, commands = line.split(maxsplit=3)[:3]
            rows.append((package, purpose, [] if commands == "-" else commands.split(",")))
    return rows


class Apt:
    """apt with lists of its own, in ``place``. ``tree``: where packages are unpacked, and which are
    is noted."""

    def __init__(self, root: Path, place: Path, tree: Path):
        self.place, self.tree = place, tree
        self.status = tree / "var/lib/dpkg/status"
        self.settings, self.root = self.place / "apt.conf", root
        self.archives = self.place / "cache/archives"
        self.megabytes, self.seconds = 0.0, 0.0  # of what this start has fetched

    def prepare(self) -> None:
        """Its folders and settings. Refused where no mirror is known."""
        address, (architecture, _, _) = mirror(), machine()
        for folder in (self.archives / "partial", self.place / "state/lists/partial"):
            folder.mkdir(parents=True, exist_ok=True)
        (self.place / "none/archives/partial").mkdir(parents=True, exist_ok=True)
        self.status.parent.mkdir(parents=True, exist_ok=True)
        self.status.touch()
        (self.place / "keys").mkdir(exist_ok=True)
        shutil.copy(self.root / "setup/debian-12.asc", self.place / "keys")
        values = {"architecture": architecture, "place": self.place, "status": self.status}
        self.settings.write_text(SETTINGS.format(**values))
        options = f"arch={architecture} {TRUST}"
        (self.place / "sources.list").write_text(f"deb [{options}] {address} {SUITE} main\n")

    def words(self, *words: str) -> list:
        return ["apt-get", "-c", self.settings, "-q", "-y", *words]

    def update(self, command) -> None:
        """Fetch the signed list, if it has changed."""
        begun = time.monotonic()
        command(*self.words("update"))
        self.seconds += time.monotonic() - begun

    def missing(self, packages: list[str]) -> list[dict]:
        """File, bytes and SHA-256 of each package that is to be unpacked for ``packages``."""
        # apt does not name what it has fetched, which an interrupted start has not unpacked yet.
        nowhere = f"Dir::Cache::archives={self.place}/none/archives"
        words = self.words("-o", nowhere, "install", "--print-uris", *packages)
        words = [str(word) for word in words]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
        found = URI.findall(done.stdout)
        return [{"file": f, "bytes": int(n), "sha256": digest} for _, f, n, digest in found]

    def bring(self, command, packages: list[str], progress) -> None:
        """Fetch ``packages`` with what they depend on, and unpack them. ``progress``: is given the
        megabytes that are there, and all."""
        files = self.missing(packages)
        if not files:
            return
        progress(lambda: (self.there(files), sum(one["bytes"] for one in files) / 1e6))
        begun, before = time.monotonic(), self.there(files)
        command(*self.words("install", "--download-only", *packages))
        self.seconds += time.monotonic() - begun
        self.megabytes += self.there(files) - before
        todo = self.place / f"unpack-{os.getpid()}.json"
        todo.write_text(json.dumps(files))
        try:
            script = self.root / "setup/unpack.py"
            words = [sys.executable, "-B", script, todo, self.archives, self.tree]
            # Its modules lie beside it, which a safe path would hide.
            command(*words, env={**os.environ, "PYTHONSAFEPATH": ""})
        finally:
            todo.unlink()
        for one in files:
            (self.archives / one["file"]).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what can be made or fetched again; the list stays."""
        shutil.rmtree(self.place / "cache", ignore_errors=True)

    def there(self, files: list[dict]) -> float:
        """Megabytes of ``files`` that have been fetched."""
        done = 0
        for one in files:
            for path in (self.archives / one["file"], self.archives / "partial" / one["file"]):
                try:
                    done += path.stat().st_size
                except OSError:
                    continue
        return done / 1e6
