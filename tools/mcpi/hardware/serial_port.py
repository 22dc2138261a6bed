# SPDX-License-Identifier: BSD-2-Clause
"""A serial port: opened for us alone, with a clear word for everything that can go wrong."""

import errno
import fcntl
import os
import select
import stat
import termios
import time

import serial
from serial.tools import list_ports

from mcpi.base.errors import RunError, UserError


class Gone(RunError):
    """The port is no longer there: unplugged, or powered off."""


def check(path: str) -> None:
    """UserError for what is no serial port, may not be opened, or is another program's."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: {_why(error)}") from None
    if not stat.S_ISCHR(mode):
        raise UserError(f"{path}: is no serial port. {there()}")
    if not os.access(path, os.R_OK | os.W_OK):
        raise UserError(f"{path}: {_why(PermissionError(errno.EACCES, ''))}")
    try:
        file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:  # who uses it has it locked for itself (``Port``); who only looks, as we do, has not
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        finally:
            os.close(file)
    except OSError as error:
        raise UserError(f"{path}: {_why(error)}") from None


class Port:
    """Bytes to and from a board; ``read`` waits ``timeout`` seconds at most."""

    def __init__(self, path: str, baud: int) -> None:
        self.path = path
        try:
            self.serial = serial.Serial(path, baud, timeout=0, write_timeout=10, exclusive=True)
        except (OSError, ValueError, serial.SerialException) as error:
            raise UserError(f"{path}: {_why(error)}") from None

    def write(self, data: bytes) -> None:
        try:
            self.serial.write(data)
            self._drain()
        except serial.SerialTimeoutException:
            raise RunError(f"{self.path}: the board takes no bytes; is it powered?") from None
        except (OSError, serial.SerialException):
            raise Gone(f"{self.path}: the port went away. Was the cable pulled?") from None

    def _drain(self) -> None:
        """Wait until all is written. A process that was stopped and goes on (^Z, fg) is
        interrupted here, which Python tells and does not mend; its error is no OSError."""
        while True:
            try:
                return self.serial.flush()
            except termios.error as error:
                if error.args[0] != errno.EINTR:
                    raise OSError(*error.args) from None

    def read(self, count: int, timeout: float) -> bytes:
        """Up to ``count`` bytes, as soon as they are there; fewer if time is up."""
        found = b""
        end = time.monotonic() + timeout
        while len(found) < count:
            left = max(end - time.monotonic(), 0)
            try:  # a time-out of pyserial's own would set up the port anew each time
                if not select.select([self.serial.fileno()], [], [], left)[0]:
                    break
                found += self.serial.read(count - len(found))
            except (OSError, TypeError, ValueError, serial.SerialException):
                raise Gone(f"{self.path}: the port went away. Was the cable pulled?") from None
        return found

    def close(self) -> None:
        self.serial.close()


def _why(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return f"no such port. {there()}"
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "lock" in str(error):
        return "another program has it; end that one (a terminal program, another ./mcpi run?)."
    if number in (errno.EACCES, errno.EPERM):
        return "not permitted. Usually: sudo usermod -aG dialout $USER, then log in again."
    return f"cannot be opened as a serial port ({error})."


def there() -> str:
    """A sentence that lists the ports there are."""
    ports = [f"{p.device} ({p.description})" for p in sorted(list_ports.comports())]
    return f"There are: {', '.join(ports)}." if ports else "No serial port is there."
