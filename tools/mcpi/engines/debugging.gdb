# Commands of ./mcpi debug, in GDB's language (docs/how-to/debug.md).
# GDB names its thread to the target only when it reads registers.
define hook-monitor
  python
if gdb.selected_thread():
    gdb.execute("maintenance flush register-cache", to_string=True)
    int(gdb.parse_and_eval("$pc"))
  end
end
define goto
  monitor goto $arg0
  maintenance flush register-cache
  frame
end
document goto
Stand at a tick, forward or back: goto TICK, goto +N, goto -N.
end
define why
  monitor why
end
document why
Explain why the next instruction misses: who evicted its block, an instruction or DMA.
end
define failure
  python
import re
def run(command):
    said = gdb.execute(command, to_string=True)
    # PALcode, in which a run ends, has no symbols.
    print(re.sub(r"(?s)warning: Hit beginning of text.*?bug in GDB\.\n", "", said), end="")
    return said
def ended():
    said = gdb.execute("monitor failure", to_string=True)
    found = re.match(r"(core|node) (\d+) end(?:ed|s) itself", said)
    gdb.execute("maintenance flush register-cache", to_string=True)
    if found:
        number = int(found[2]) + 1
        thread = f"1.{number}" if found[1] == "core" else f"{number}.1"
        gdb.execute(f"thread {thread}", to_string=True)
    return found
# The RTL goes there, the exact engine goes back from the end.
ahead = ended()
said = "" if ahead else run("continue")
if ahead:
    run("frame")
elif ended():
    run("reverse-stepi")
elif "the run has ended" in said:
    print("mcpi: nothing has failed.")
  end
end
document failure
Continue to where the run fails: before the last instruction of the first program that ended itself.
end
