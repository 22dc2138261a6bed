# SPDX-License-Identifier: BSD-2-Clause
"""CI in a bare root: what it types there, and when it types the same outside instead.

No Debian is fetched here (that takes a minute): what makes a root is stood in for. The namespaces
and mounts of ``setup/bare-root`` are real, where this machine lets anybody make them.
"""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from setup_support.substitutes import Checkout

RUN = "./mcpi run --stack tcp --variant std --round-trips 100 --cold"
COUNTED = "12 passed, 0 failed, 3 skipped"
KINDS = ("bookworm-user", "trixie-root", "trixie-user")  # of new machines; bookworm-root is last
TYPES = 'while [ "$1" != -- ]; do shift; done; shift; bash -c "$*"'


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Its ``./mcpi`` says what it is asked, and how many tests passed."""
    made = Checkout(tmp_path)
    made.substitute("./mcpi", f'echo "$0 $*"; [ "$1" != test ] || echo "{COUNTED}"')
    return made


def test_what_is_typed_is_in_the_readme(checkout: Checkout) -> None:
    checkout.substitute("setup/bare-root", TYPES)
    done = checkout.run(".ci/run")
    first = [line for kind in KINDS for line in (f"{kind}: {RUN}", RUN)]
    assert done.stdout.splitlines() == [
        *first,
        f"{RUN} && ./mcpi test --fresh",
        RUN,
        "./mcpi test --fresh",
        COUNTED,
    ]
    assert done.returncode == 0 and "NOT A BARE ROOT" not in done.stdout
    done = checkout.run(".ci/run", "-k", "a or b")
    assert done.stdout.splitlines()[-2] == "./mcpi test --fresh -k a or b"


def test_who_types_it_and_where(checkout: Checkout) -> None:
    checkout.substitute("setup/bare-root", 'echo "$*"')
    said = [line for line in checkout.run(".ci/run").stdout.splitlines() if line[:2] == "--"]
    assert said == [
        "--suite bookworm --user -- .ci/run --first",
        "--suite trixie -- .ci/run --first",
        "--suite trixie --user -- .ci/run --first",
        "-- .ci/run --here",
    ]


@pytest.mark.parametrize(("figure", "status"), [("7", 0), ("8", 1)])
def test_the_figures_are_those_of_all(checkout: Checkout, figure: str, status: int) -> None:
    """Times and folders may differ."""
    says = f'[ "$2" != trixie ] || figure={figure}'
    table = 'echo "TCP STD on x, engine exact"; echo ticks ${figure:-7}; echo "sum of owners 9"'
    checkout.substitute(
        "setup/bare-root", f"{says}; echo took $$ s; {table}; echo files: $$; echo {COUNTED}"
    )
    done = checkout.run(".ci/run")
    assert done.returncode == status
    last = done.stdout.splitlines()[-2:]
    if status:
        assert "other figures on trixie-" in last[0] and last[1] == "0 passed, 1 failed"
    else:
        assert last[1] == COUNTED


def test_a_machine_fails(checkout: Checkout) -> None:
    """Any status but 125, which says that there was none."""
    checkout.substitute("setup/bare-root", "exit 3")
    done = checkout.run(".ci/run")
    assert done.returncode == 1
    wanted = [f"FAILED on {KINDS[0]}: {RUN}", "0 passed, 1 failed"]
    assert done.stdout.splitlines()[-2:] == wanted
    checkout.substitute(
        "setup/bare-root", f'[ "$2" != trixie ] || {{ echo bare-root: no >&2; exit 125; }}; {TYPES}'
    )
    done = checkout.run(".ci/run")
    assert done.returncode == 0 and f"NOT TRIED on {KINDS[1]}: no" in done.stdout
    assert done.stdout.splitlines()[-1] == COUNTED


@pytest.mark.parametrize(
    ("tool", "does", "reason"),
    [
        ("unshare", "exit 1", "namespaces cannot be made here"),
        ("id", "echo 1000", "wants root"),
        ("setup/bare-root", "echo 'chroot: no such file' >&2; exit 125", "chroot: no such file"),
    ],
)
def test_no_root_can_be_made(checkout: Checkout, tool: str, does: str, reason: str) -> None:
    checkout.substitute("id", "echo 0")
    checkout.substitute(tool, does)
    done = checkout.run(".ci/run")
    said = done.stdout.splitlines()
    assert said[1] == f"NOT TRIED on {KINDS[0]}: {reason}"
    assert said[6] == f"NOT A BARE ROOT: {reason}"
    assert said[8:] == [RUN, "./mcpi test --fresh", COUNTED] and done.returncode == 0


def test_run_fails(checkout: Checkout) -> None:
    """The last line is counted, and no test runs."""
    checkout.substitute("id", "echo 1000")
    checkout.substitute("./mcpi", 'echo "$0 $*"; exit 1')
    done = checkout.run(".ci/run")
    assert done.stdout.splitlines()[-3:] == [RUN, f"FAILED {RUN}", "0 passed, 1 failed"]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("does", "last", "status"),
    [
        ("echo 3 passed, 1 failed; exit 1", "3 passed, 1 failed", 1),
        ("echo 3 passed, 0 failed; exit 4", "3 passed, 0 failed", 4),
        ("echo mcpi: test packages: failed >&2; exit 1", "0 passed, 1 failed", 1),
        ("echo all is well", "0 passed, 1 failed", 1),
        ("kill -KILL $$", "0 passed, 1 failed", 1),
    ],
)
def test_tests_fail(checkout: Checkout, does: str, last: str, status: int) -> None:
    """The last line is counted also where set-up fails, or nobody can say anything any more."""
    checkout.substitute("id", "echo 1000")
    checkout.substitute("./mcpi", f'[ "$1" = run ] || {{ {does}; }}')
    done = checkout.run(".ci/run")
    assert done.stdout.splitlines()[-1] == last and done.returncode == status


def test_readme_without_the_commands(checkout: Checkout) -> None:
    readme = checkout.folder / "README.md"
    readme.write_text(readme.read_text().replace("./mcpi test\n", "", 1))
    done = checkout.run(".ci/run")
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize(
    "words",
    [(), ("--",), ("--keep",), ("--keep", "x"), ("--from", "/nowhere", "--", "true"), ("-x",)],
)
def test_bare_root_wrong_usage(checkout: Checkout, words: tuple) -> None:
    """125, as whatever it was asked to run has not run."""
    done = checkout.run("setup/bare-root", *words)
    assert done.returncode == 125 and "bare-root: " in done.stderr and not done.stdout


SMALLEST = ("bash", "sh", "env", "chown", "sleep", "cat", "setpriv", "unshare")
DEBOOTSTRAP = """
while [ "$1" != bookworm ] && [ "$1" != trixie ]; do shift; done
echo "$1" >"${{2%/root}}/suite"
mkdir -p "$2/bin" "$2/etc" "$2/root" "$2/proc" "$2/sys" "$2/dev" "$2/tmp" "$2/home/user"
mkdir -p "$2/etc/apt/sources.list.d"
chmod 1777 "$2/tmp"
ln -s bin "$2/usr"
ln -s ../bin "$2/bin/bin"
printf 'root:x:0:0::/root:/bin/sh\\nuser:x:1:1::/home/user:/bin/sh\\n' >"$2/etc/passwd"
printf 'root:x:0:\\nuser:x:1:\\n' >"$2/etc/group"
for program in {programs}; do
  cp "$(command -v $program)" "$2/bin/"
  ldd "$(command -v $program)" | grep -o '/[^ ]*' | xargs -r cp --parents --dereference -t "$2"
done
"""


@pytest.fixture
def root(tmp_path: Path) -> Checkout:
    """A repository whose root is made of a few of this machine's programs."""
    made = Checkout(tmp_path)
    (made.folder / ".git").unlink()
    for words in (
        ("init", "-q"),
        ("add", "README.md"),
        ("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a"),
    ):
        subprocess.run(["git", *words], cwd=made.folder, check=True)
    made.substitute("debootstrap", DEBOOTSTRAP.format(programs=" ".join(SMALLEST)))
    return made


def real(done: subprocess.CompletedProcess) -> bool:
    """Could a root be made? If not, the reason was said."""
    reasons = ("bare-root: wants root\n", "bare-root: namespaces cannot be made here\n")
    if done.returncode == 125 and done.stderr in reasons:
        return False
    return True


def left(folder: Path) -> tuple[list[Path], str, int]:
    """Roots, mounts, and processes whose root is one of these."""
    running = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            running += os.readlink(process / "root").startswith(str(folder))
        except OSError:
            continue  # it has ended meanwhile
    roots = list(folder.glob("mcpi-root.*"))
    return roots, Path("/proc/self/mounts").read_text(), running


def test_a_command_in_a_root(root: Checkout, tmp_path: Path) -> None:
    """Its status, nothing of our environment, the clone; afterwards nothing of it is left.

    Namespaces can be made in it, or these tests would try nothing there.
    """
    before = left(tmp_path)
    show = "sleep 1000 & env; echo in $PWD; cat README.md; unshare --mount sh -c 'echo below'"
    done = root.run("setup/bare-root", "--", f"{show}; exit 7", SECRET="s", http_proxy="p")
    assert left(tmp_path) == before
    if not real(done):
        return
    said = done.stdout.splitlines()
    assert done.returncode == 7 and "in /root/mcpi" in said
    assert "# mCPI" in said and said[-1] == "below"
    environment = {line.partition("=")[0] for line in said[: said.index("in /root/mcpi")]}
    shell = {"PWD", "OLDPWD", "SHLVL", "_"}
    assert environment - shell == {"HOME", "USER", "PATH", "LANG", "TERM", "http_proxy"}


def test_a_kept_root_and_a_user(root: Checkout, tmp_path: Path) -> None:
    """The second time nothing is made."""
    keep = tmp_path / "kept"
    words = ("setup/bare-root", "--suite", "trixie", "--keep", keep, "--user", "--")
    done = root.run(*words, "echo $HOME $USER $UID >/tmp/was")
    if not real(done):
        return
    assert done.returncode == 0, done.stderr
    assert (keep / "suite").read_text() == "trixie\n"
    root.substitute("debootstrap", "exit 1")
    done = root.run(*words, "cat /tmp/was; echo no >/etc/passwd")
    assert done.stdout == "/home/user user 1\n" and done.returncode == 1
    assert str(keep) not in Path("/proc/self/mounts").read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("while_made", [True, False], ids=["made", "runs"])
def test_a_signal_leaves_nothing(
    root: Checkout, tmp_path: Path, number: int, while_made: bool
) -> None:
    """^C comes to the whole group of processes; what CI does comes to the first alone."""
    before, here = left(tmp_path), root.folder / "here"
    if while_made:
        root.substitute("debootstrap", f"touch {here}; sleep 1000")
    with open(here.with_name("said"), "w+") as said:
        child = root.begin("setup/bare-root", "--", "sleep 1000 & echo here; wait", stdout=said)
        while child.poll() is None and not (here.exists() or os.fstat(said.fileno()).st_size):
            time.sleep(0.05)
        if child.poll() is not None:
            assert child.returncode == 125
            return
        (os.killpg if number == signal.SIGINT else os.kill)(child.pid, number)
        assert child.wait(60) == 128 + number
    assert left(tmp_path) == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_to_ci_and_all_its_processes(root: Checkout, tmp_path: Path, number: int) -> None:
    """Readers of what is said end with it. What a kill leaves, the next start removes."""
    here = root.folder / "here"
    root.substitute("debootstrap", f"touch {here}; sleep 1000")
    with open(tmp_path / "said", "w") as said:
        child = root.begin(".ci/run", stdout=said)
        while child.poll() is None and not here.exists():
            time.sleep(0.05)
        if child.poll() is not None:  # no root can be made here
            return
        os.killpg(child.pid, number)
        child.wait(60)
    if number == signal.SIGKILL:
        root.substitute("debootstrap", "exit 1")
        root.run("setup/bare-root", "--", "true")
    until = time.monotonic() + 20
    while left(tmp_path)[::2] != ([], 0) and time.monotonic() < until:
        time.sleep(0.1)
    assert left(tmp_path)[::2] == ([], 0)
