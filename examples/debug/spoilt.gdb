# ./mcpi debug examples/debug/spoilt.c --script examples/debug/spoilt.gdb
set trace-commands on
break 34
continue
print table[5]
watch -location table[5]
reverse-continue
backtrace
