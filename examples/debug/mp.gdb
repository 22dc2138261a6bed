# SPDX-License-Identifier: BSD-2-Clause
# Which core spoilt the limit? To the end of the run, and back.
set trace-commands on
continue
print limit.word
watch -location limit.word
reverse-continue
info threads
