# SPDX-License-Identifier: BSD-2-Clause
# Which instruction on the server wrote a byte that the client reads?
#   ./mcpi debug --stack tcp --script examples/debug/wire.gdb
python
import re

BYTE = 32  # of a buffer with gaps: IP's identifier

def quiet(command):
    return gdb.execute(command, to_string=True)

def buffer(ring, before):
    """Buffer of the descriptor that the controller does next, or of one before."""
    rows = re.findall(rf"^{ring} +\d+ (.) at .*, buffer (\w+), bytes", quiet("monitor rings"), re.M)
    return int(rows[[star for star, _ in rows].index("*") - before][1], 16) + BYTE

def go_back_to_writer(address):
    quiet("delete")
    quiet(f"watch -location *(long *){address:#x}")
    said = quiet("reverse-continue")
    print(*re.findall("mcpi: .*", said), "It is written in", quiet("monitor tick").partition(",")[0])

# The client's second interrupt: the first frame is in its buffer.
quiet("break lance_interrupt thread 1.1")
gdb.execute("continue")
gdb.execute("continue")
go_back_to_writer(buffer("receive", 1))  # the client's controller
quiet("thread 2.1")
go_back_to_writer(buffer("transmit", 0))  # of the server's controller, in this tick
print(quiet("backtrace -frame-arguments none 4"), end="")
end
