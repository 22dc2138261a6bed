# SPDX-License-Identifier: BSD-2-Clause
"""A release: refused unless the checkout is its commit; the same bytes each time; each artefact is
what it says."""

import gzip
import hashlib
import inspect
import json
import subprocess
import tarfile
from pathlib import Path

import pytest
from tools_support import contents
from tools_support.command import refused

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.releasing import archive, commit, oci, pages, release, sbom, wheel
from mcpi.releasing.commit import Commit
from verify.docgen.site import __main__ as site

#: Artefacts that take seconds.
QUICK = ("source", "results", "verification", "licences", "sbom")
OF = Commit("1.2.3", "c" * 40, 1_700_000_000, "2023-11-14")


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> Commit:
    """The commit of the checkout, whatever has been changed since."""
    name, seconds, date = commit.git("show", "-s", "--format=%H %ct %cs", "HEAD").split()
    found = Commit("0.2.0", name, int(seconds), date)
    monkeypatch.setattr(commit, "read", lambda: found)
    return found


def made(place: Path, *only: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in release.write(place, only)}


def test_two_releases_have_the_same_bytes(clean: Commit, tmp_path: Path) -> None:
    first, second = (made(tmp_path / name, *QUICK) for name in ("a", "b"))
    assert first == second and len(first) == len(QUICK) + 2
    assert clean.name in first["README.md"].decode()
    assert not leaks(first, tmp_path)


@pytest.mark.long
def test_the_other_artefacts_are_the_same_again_but_for_those_that_are_named(clean, tmp_path):
    rest = [name for name in release.NAMES if name not in (*QUICK, "bitstreams", "image")]
    first, second = (made(tmp_path / name, *rest) for name in ("a", "b"))
    moving = {f"mcpi-0.2.0{one.end}" for one in release.ARTEFACTS if not one.same}
    assert {name for name in first if first[name] != second[name]} - {"SHA256SUMS"} <= moving
    assert not leaks(first, tmp_path)
    for name, file in (("site", "index.html"), ("lance", "wishbone-mii/mcpi-lance.core"),
                       ("liblance", "lance.h"), ("cocotb", "pyproject.toml")):  # fmt: skip
        with tarfile.open(tmp_path / "a" / f"mcpi-0.2.0-{name}.tar.gz") as tar:
            assert tar.getmember(f"mcpi-0.2.0-{name}/{file}").size


def leaks(files: dict[str, bytes], place: Path) -> list[str]:
    """Lines of files that name this checkout, its tools, or the folder of the release; the source
    archive has the commit's text and no line of the builder's."""
    places = contents.ours((place,))
    made = {name: data for name, data in files.items() if "-source." not in name}
    return [said for name, data in made.items() for said in contents.named(name, data, places)]


def test_the_sums_are_those_of_the_files(clean: Commit, tmp_path: Path) -> None:
    files = made(tmp_path / "a", "sbom", "licences")
    lines = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    assert lines.keys() == files.keys() - {"SHA256SUMS"}
    assert all(hashlib.sha256(files[name]).hexdigest() == digest for name, digest in lines.items())
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=tmp_path / "a").returncode == 0
    (tmp_path / "a" / "README.md").write_text("changed")
    assert subprocess.run(check, cwd=tmp_path / "a", capture_output=True).returncode == 1


def test_a_changed_checkout_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    monkeypatch.setattr(commit, "ROOT", tmp_path)
    (tmp_path / "new.c").write_text("")
    with pytest.raises(UserError, match=r"new\.c: not as the commit has it \(1 such files\)"):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_slips_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    words = refused("release", "--out", str(tmp_path / "a"), "--only", "sources")
    assert "Did you mean source?" in words and not (tmp_path / "a").exists()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mine").write_text("")
    assert "is there already" in refused("release", "--out", str(tmp_path / "b"))


def test_the_words_of_the_site_fit_its_program(tmp_path: Path) -> None:
    words = release.site_words(tmp_path)
    given = inspect.signature(site.main).bind(*words)
    given.apply_defaults()
    assert given.arguments == {"place": str(tmp_path), "port": "", "wanted": "playground"}


def test_a_root_without_a_checkout_is_refused(clean: Commit, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no checkout there"):
        release.write(tmp_path / "a", ["image"], tmp_path)


def test_a_root_without_an_image_is_refused(clean: Commit, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="only the image has it"):
        release.write(tmp_path / "a", ["sbom"], tmp_path)


def test_a_root_of_another_commit_or_with_changes_is_refused(tmp_path: Path) -> None:
    place = tmp_path / oci.HOME
    git = ["git", "-C", place, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "-q", place], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "a"], check=True)
    there = commit.git("rev-parse", "HEAD", at=place).strip()
    oci.check(tmp_path, Commit("1.2.3", there, 0, ""))
    with pytest.raises(UserError, match=f"has commit {there[: commit.SHORT]}, and the release"):
        oci.check(tmp_path, OF)
    (place / "new.c").write_text("")
    with pytest.raises(UserError, match=r"root/mcpi/new\.c is not as the commit has it \(1 such"):
        oci.check(tmp_path, Commit("1.2.3", there, 0, ""))


def test_the_source_archive_has_the_commit(clean: Commit, tmp_path: Path) -> None:
    """Each file, with the bytes of the tree."""
    release.write(tmp_path / "a", ["source"])
    with tarfile.open(tmp_path / "a" / "mcpi-0.2.0-source.tar.gz") as tar:
        names = [m.name for m in tar]
        assert {m.mtime for m in tar} == {clean.seconds} and {m.uid for m in tar} == {0}
        assert tar.getmember("mcpi-0.2.0-source/mcpi").mode == 0o755
        readme = tar.extractfile("mcpi-0.2.0-source/README.md").read()
    assert names == [f"mcpi-0.2.0-source/{one}" for one in commit.files()]
    assert readme == (ROOT / "README.md").read_bytes()


def test_what_is_not_there_is_named(clean: Commit, tmp_path: Path) -> None:
    readme = made(tmp_path / "a", "sbom", "image")["README.md"].decode()
    assert "- image: no `--root` was given" in readme
    assert "- wheel: left out by --only." in readme and "- sbom" not in readme


def test_an_order_of_files_or_a_time_changes_no_archive(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(name)
    files = archive.folder(tmp_path)
    archive.write(tmp_path / "1", "top", files, 1_700_000_000)
    (tmp_path / "a").touch()
    archive.write(tmp_path / "2", "top", dict(reversed(files.items())), 1_700_000_000)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    archive.write(tmp_path / "3", "top", files, 1_700_000_001)
    assert (tmp_path / "1").read_bytes() != (tmp_path / "3").read_bytes()


def test_the_sbom_has_every_package_of_the_lists() -> None:
    found = json.loads(sbom.text(OF))
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    refs = [one["bom-ref"] for one in found["components"]]
    assert len(refs) == len(set(refs)) > 200
    for name in sbom.KINDS:
        rows = (sbom.LISTS / name).read_text().splitlines()[1:]
        kind = sbom.KINDS[name]
        assert len({r.split("@")[0] for r in refs if r.startswith(f"{kind}/")}) == len(rows)
    for one in found["components"]:
        [said] = one["licenses"]
        assert (
            said["expression"] if one["bom-ref"].startswith("wheel/") else said["license"]["name"]
        )
    packages = {one.package for one in wheel.COMPONENTS}
    assert packages <= {row["package"] for row in pages.rows(f"docs/data/licences/{sbom.DEBIAN}")}
    assert {f"wheel/{one.name}" for one in wheel.COMPONENTS} <= {*refs}
    [gcc] = [one for one in found["components"] if one["name"] == "gcc-12-alpha-linux-gnu"]
    assert gcc["purl"] == "pkg:deb/debian/gcc-12-alpha-linux-gnu@12.2.0-13cross1"
    assert found["dependencies"][0]["dependsOn"] == refs


def test_no_board_has_been_switched_on_until_a_line_says_so(monkeypatch, tmp_path: Path) -> None:
    """README, the boards' page, and a release agree with boards/lit.csv."""
    dark = not pages.rows("boards/lit.csv")
    assert ("No board has been switched on" in pages.boards()) == dark
    for name in ("README.md", "docs/how-to/boards.md"):
        words = " ".join((ROOT / name).read_text().split())
        assert ("Nobody has switched on either" in words) == dark
    lit = [{"board": "ecpix-5", "machine": "dec3000-35", "commit": "c" * 40}]
    monkeypatch.setattr(pages, "rows", lambda _: lit)
    assert pages.boards().endswith("ecpix-5 (dec3000-35, cccccccccccc).")


def test_the_verification_counts_tests_proofs_and_mistakes() -> None:
    text = pages.verification(OF)
    proofs = len(pages.rows(pages.PROOFS))
    assert f"| all | {proofs} |" in text
    for name in commit.files("*mutants.csv"):
        assert f"| `{name}` | {len(pages.rows(name))} |" in text
    assert int(text.split("| `tools/` | ")[1].split(" ")[0].replace(",", "")) > 1000


def committed(place: Path) -> Commit:
    """The commit of a new checkout, which has a past."""
    git = ["git", "-C", place, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "-q", place], check=True)
    for text in ("past", "now"):
        (place / "a.c").write_text(text)
        subprocess.run(["git", "-C", place, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", text], check=True)
    name, seconds = commit.git("log", "-1", "--format=%H %ct", at=place).split()
    return Commit("1.2.3", name, int(seconds), "2023-11-14")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a checkout, a file of two names, a link, a folder without its content, and what
    a computer adds."""
    place = tmp_path / "root"
    tools = f"{oci.TOOLS}/0123456789abcdef"
    for name in (oci.HOME, "etc/apt/apt.conf.d", "proc", "bin/__pycache__", f"{tools}/log"):
        (place / name).mkdir(parents=True)
    (place / "bin/a").write_bytes(b"program")
    (place / "bin/a").chmod(0o755)
    (place / "bin/b").hardlink_to(place / "bin/a")
    (place / "bin/c").symlink_to("a")
    (place / "lib").symlink_to("bin")
    committed(place / oci.HOME)
    for name in ("etc/apt/apt.conf.d/proxy", "etc/resolv.conf", "proc/1", "bin/__pycache__/a.pyc",
                 f"{tools}/log/a", f"{tools}/ready-exec", f"{tools}.lock"):  # fmt: skip
        (place / name).write_text("secret")
    (place / oci.HOME / "build").mkdir()
    (place / oci.HOME / "build" / "a.o").write_text("secret")
    return place


def of(root: Path) -> Commit:
    name, seconds = commit.git("log", "-1", "--format=%H %ct", at=root / oci.HOME).split()
    return Commit("1.2.3", name, int(seconds), "2023-11-14")


def blobs(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}


def layer(image: Path) -> bytes:
    """The tar of the layer of an image."""
    [packed] = [data for data in blobs(image).values() if data[:2] == b"\x1f\x8b"]
    return gzip.decompress(packed)


def test_an_image_s_digests_lead_from_the_index_to_the_files(root: Path, tmp_path: Path) -> None:
    oci.write(tmp_path / "image.tar", root, of(root))
    files = blobs(tmp_path / "image.tar")
    for name, data in files.items():
        if name.startswith("blobs/"):
            assert name == f"blobs/sha256/{hashlib.sha256(data).hexdigest()}"
    assert json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}

    def blob(of: dict) -> bytes:
        data = files[f"blobs/sha256/{of['digest'].removeprefix('sha256:')}"]
        assert len(data) == of["size"]
        return data

    manifest = json.loads(blob(json.loads(files["index.json"])["manifests"][0]))
    config = json.loads(blob(manifest["config"]))
    (tmp_path / "layer.tar.gz").write_bytes(blob(manifest["layers"][0]))
    plain = subprocess.run(["gzip", "-dc", tmp_path / "layer.tar.gz"], capture_output=True).stdout
    assert config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(plain).hexdigest()}"]
    assert b"secret" not in plain
    (tmp_path / "out").mkdir()
    words = ["tar", "-xzf", tmp_path / "layer.tar.gz", "-C", tmp_path / "out"]
    subprocess.run(words, check=True)
    out = tmp_path / "out"
    assert (out / "bin/a").read_bytes() == b"program" and (out / "bin/a").stat().st_mode & 0o111
    assert (out / "bin/a").samefile(out / "bin/b") and (out / "lib").readlink() == Path("bin")
    assert (out / "proc").is_dir() and not [*(out / "proc").iterdir()]
    assert "org.opencontainers.image.licenses" not in manifest["annotations"]
    assert not (out / "etc/resolv.conf").exists() and not (out / "bin/__pycache__").exists()
    assert [one.stat().st_size for one in out.rglob("ready-exec")] == [0]


def test_the_checkout_of_an_image_has_its_commit_alone(root: Path, tmp_path: Path) -> None:
    """No past, no other branch, no change; and another clone of the commit gives the same."""
    checkout = root / oci.HOME
    found = of(root)
    subprocess.run(["git", "-C", checkout, "branch", "another", "HEAD~"], check=True)
    for name in "ab":
        (tmp_path / name).mkdir()
        oci.repository(tmp_path / name, checkout, found)
        subprocess.run(["git", "-C", checkout, "gc", "-q", "--prune=now"], check=True)
    first, second = (archive.folder(tmp_path / name) for name in "ab")
    assert {n: p.read_bytes() for n, p in first.items()} == {
        n: p.read_bytes() for n, p in second.items()
    }
    place = tmp_path / "out"
    place.mkdir()
    (place / "a.c").write_text("now")
    (tmp_path / "a").rename(place / ".git")
    assert commit.git("log", "--format=%H", at=place).split() == [found.name]
    assert not commit.git("status", "--porcelain", at=place)
    kept = commit.git("cat-file", "--batch-check", "--batch-all-objects", at=place)
    assert len(kept.splitlines()) == 3  # commit, tree, file


def test_an_image_is_the_same_again(root: Path, tmp_path: Path) -> None:
    oci.write(tmp_path / "a", root, of(root))
    (root / "bin/a").touch()
    oci.write(tmp_path / "b", root, of(root))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


# Mistakes, and what finds each.
def test_a_folder_of_this_computer_is_found(clean: Commit, monkeypatch, tmp_path: Path) -> None:
    """In a file of an archive in an archive."""
    inner = tmp_path / "inner.tar.gz"
    (tmp_path / "file").write_text(f"made in {ROOT}/build")
    archive.write(inner, "top", {"file": tmp_path / "file"}, 0)

    def wrong(out: Path, commit: Commit, _) -> None:
        archive.write(out, "outer", {inner.name: inner}, commit.seconds)

    monkeypatch.setattr(release, "_of_commit", wrong)
    [found] = leaks(made(tmp_path / "a", "licences"), tmp_path)
    assert found.startswith("mcpi-0.2.0-licences.tar.gz: outer/inner.tar.gz: top/file: ")


def test_a_mistake_in_an_archive_is_found(clean: Commit, monkeypatch, tmp_path: Path) -> None:
    times = iter(range(100))
    right = archive.write
    monkeypatch.setattr(archive, "write", lambda *words: right(*words[:3], next(times)))
    assert made(tmp_path / "a", "licences") != made(tmp_path / "b", "licences")


def test_a_mistake_in_an_image_is_found(root: Path, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(oci, "LEFT_OUT", ())
    oci.write(tmp_path / "image.tar", root, of(root))
    assert b"secret" in layer(tmp_path / "image.tar")
