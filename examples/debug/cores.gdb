# SPDX-License-Identifier: BSD-2-Clause
# Which core wrote a word? The end of the run, and back.
set trace-commands on
continue
watch -location called.word
reverse-continue
info threads
