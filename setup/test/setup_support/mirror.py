# SPDX-License-Identifier: BSD-2-Clause
"""A mirror of Debian 12 in a folder, with packages made here, so that set-up can be tried without
a network. Nothing in it is signed."""

import hashlib
import io
import tarfile
from pathlib import Path


def package(path: Path, control: str, files: dict[str, str], links: dict[str, str]) -> None:
    """A package of Debian at ``path``. ``files``: text by name; ``links``: target by name."""

    def packed(entries: dict[str, str], links: dict[str, str], kind: str) -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=f"w:{kind}") as tar:
            for name, text in entries.items():
                one = tarfile.TarInfo(f"./{name}")
                one.size, one.mode = len(text.encode()), 0o755
                tar.addfile(one, io.BytesIO(text.encode()))
            for name, target in links.items():
                one = tarfile.TarInfo(f"./{name}")
                one.type, one.linkname = tarfile.SYMTYPE, target
                tar.addfile(one)
        return out.getvalue()

    parts = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": packed({"control": control}, {}, "xz"),
        "data.tar.xz": packed(files, links, "xz"),
    }
    data = b"!<arch>\n"
    for name, content in parts.items():
        head = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
        data += head.encode() + content + b"\n" * (len(content) % 2)
    path.write_bytes(data)


class Mirror:
    """A folder with ``dists`` and ``pool``; ``address`` is what ``MCPI_DEBIAN_MIRROR`` names."""

    def __init__(self, folder: Path, architecture: str):
        self.folder, self.architecture, self.stanzas = folder, architecture, []
        self.address = f"file:{folder}"
        (folder / "pool").mkdir(parents=True)

    def add(self, name: str, files: dict, links: dict | None = None, depends: str = "") -> Path:
        """A package of version 1."""
        control = f"Package: {name}\nVersion: 1\nArchitecture: {self.architecture}\n"
        control += f"Depends: {depends}\n" if depends else ""
        control += "Maintainer: A <a@example.org>\nDescription: made for a test\n"
        path = self.folder / "pool" / f"{name}_1_{self.architecture}.deb"
        package(path, control, files, links or {})
        data = path.read_bytes()
        self.stanzas.append(
            f"{control}Filename: pool/{path.name}\nSize: {len(data)}\n"
            f"SHA256: {hashlib.sha256(data).hexdigest()}\n"
        )
        self.write()
        return path

    def write(self) -> None:
        """The lists."""
        place = self.folder / "dists/bookworm"
        packages = place / f"main/binary-{self.architecture}/Packages"
        packages.parent.mkdir(parents=True, exist_ok=True)
        packages.write_text("\n".join(self.stanzas))
        data, name = packages.read_bytes(), packages.relative_to(place)
        digest = hashlib.sha256(data).hexdigest()
        (place / "Release").write_text(
            "Origin: Debian\nSuite: oldstable\nCodename: bookworm\nComponents: main\n"
            f"Architectures: {self.architecture}\nDate: Sat, 11 Jul 2026 10:16:37 UTC\n"
            f"SHA256:\n {digest} {len(data)} {name}\n"
        )
