# SPDX-License-Identifier: BSD-2-Clause
# Which instruction on the server wrote a byte that the client reads?
#   ./mcpi debug --stack tcp --script examples/debug/wire.gdb
# The client's second interrupt: the first frame is in its buffer.
break lance_interrupt thread 1.1
continue
continue
delete
python
import re

BYTE = 32  # of a buffer with gaps: IP's identifier

def buffer(ring, wanted):
    """Buffer of the descriptor that the controller does next, or has done last."""
    rows = re.findall(rf"^{ring} +\d+ (.) at .*, buffer (\w+), bytes",
                      gdb.execute("monitor rings", to_string=True), re.M)
    next_ = [star for star, _ in rows].index("*")
    return int(rows[next_ - (wanted == "last")][1], 16) + BYTE

def writer(address):
    """Go back to whoever wrote there last."""
    print(f"who wrote {address:#x}?")
    gdb.execute("delete")
    gdb.execute(f"watch -location *(long *){address:#x}")
    gdb.execute("reverse-continue")

writer(buffer("receive", "last"))  # the client's controller
gdb.execute("inferior 2")
writer(buffer("transmit", "next"))  # of the server's controller, in this tick
gdb.execute("backtrace 4")
end
