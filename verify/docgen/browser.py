# SPDX-License-Identifier: BSD-2-Clause
"""The distribution's Chromium without a window, driven through its debugging pipe: the Chrome
DevTools Protocol, a message of JSON after another, each ended by a zero byte."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from mcpi.base.errors import UserError

CHROMIUM = "chromium"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run")
FLAGS += ("--disable-background-networking", "--remote-debugging-pipe", "--mute-audio")
PATIENCE = 120  # seconds; a busy machine is slow


class Browser:
    """A tab of Chromium. Use it in a ``with``."""

    def __enter__(self) -> "Browser":
        if not shutil.which(CHROMIUM):
            raise UserError("chromium is missing. Type: ./mcpi setup all")
        self._folder = tempfile.mkdtemp(prefix="chromium-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # Chromium reads 3 and writes 4.
        line = 'exec "$@" 3<&%d 4>&%d' % (to_read, to_write)  # noqa: UP031
        words = [CHROMIUM, *FLAGS, f"--user-data-dir={self._folder}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", line, "bash", *words],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._kept, self._number, self._session = b"", 0, None
        self.logged: list[str] = []  # errors of the page, and what it asked the network for
        targets = self._call("Target.getTargets")["targetInfos"]
        tab = next(one["targetId"] for one in targets if one["type"] == "page")
        attached = self._call("Target.attachToTarget", targetId=tab, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")
        return self

    def __exit__(self, *_) -> None:
        os.close(self._write)
        os.close(self._read)
        self._process.terminate()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def open(
        self,
        page: Path,
        width: int,
        height: int = 900,
        *,
        after: str = "",
        query: str = "",
        scheme: str = "light",
    ) -> None:
        """Load a file in a window of so many CSS pixels. ``after``: what follows # in its address;
        ``query``: words of a search; ``scheme``: light or dark."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self._call("Emulation.setEmulatedMedia", media="", features=[feature])
        self._size(width, height)
        self._call("Page.navigate", url="about:blank")
        address = page.resolve().as_uri()
        address += (f"?q={quote(query)}" if query else "") + (f"#{after}" if after else "")
        self._call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def ask(self, expression: str):
        """The value of an expression in the page; a promise is waited for."""
        done = self._call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in done:
            raise AssertionError(done["exceptionDetails"])
        return done["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until an expression is true."""
        until = time.monotonic() + PATIENCE
        while not self.ask(condition):
            assert not self.logged, self.logged
            if time.monotonic() > until:
                raise AssertionError(f"never true: {condition}; {self.logged}")
            time.sleep(0.05)

    def picture(self, path: Path, first: str = "body", last: str = "") -> None:
        """A PNG of the page from the top of one element to the bottom of another (selectors)."""
        place = f"""(() => {{
          const box = one => document.querySelector(one).getBoundingClientRect();
          const [a, b] = [box({json.dumps(first)}), box({json.dumps(last or first)})];
          return {{x: 0, y: a.top + scrollY, height: b.bottom - a.top, scale: 1,
            width: document.documentElement.clientWidth}};
        }})()"""
        clip = self.ask(place)
        shot = self._call(
            "Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip
        )
        path.write_bytes(base64.b64decode(shot["data"]))

    def as_printed(self, width: int) -> None:
        """Lay the page out as on paper, in so many CSS pixels."""
        self._call("Emulation.setEmulatedMedia", media="print")
        self._size(width, 900)

    def printed(self, path: Path) -> None:
        """The page as PDF, on A4."""
        size = {"paperWidth": 8.27, "paperHeight": 11.69}
        done = self._call("Page.printToPDF", preferCSSPageSize=True, printBackground=True, **size)
        path.write_bytes(base64.b64decode(done["data"]))

    def _size(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", **size)

    def _call(self, method: str, **given):
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while True:
            said = self._message()
            if said.get("id") == self._number:
                assert "error" not in said, said
                return said["result"]
            self._note(said)

    def _message(self) -> dict:
        while b"\0" not in self._kept:
            more = os.read(self._read, 1 << 16)
            assert more, "Chromium has ended"
            self._kept += more
        one, _, self._kept = self._kept.partition(b"\0")
        return json.loads(one)

    def _note(self, said: dict) -> None:
        about = said.get("params", {})
        match said.get("method"):
            case "Runtime.exceptionThrown":
                error = about["exceptionDetails"]
                self.logged.append(error.get("exception", error).get("description", str(error)))
            case "Log.entryAdded" if about["entry"]["level"] == "error":
                self.logged.append(about["entry"]["text"])
            case "Network.requestWillBeSent":
                url = about["request"]["url"]
                if not url.startswith(("file:", "about:", "data:", "blob:")):
                    self.logged.append(f"asks for {url}")
