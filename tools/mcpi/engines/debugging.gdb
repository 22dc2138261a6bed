# Commands of ./mcpi debug, in GDB's language (docs/how-to/debug.md).
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
