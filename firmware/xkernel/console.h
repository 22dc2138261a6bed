/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages for people, on the console. */
#pragma once

#include <stdint.h>

void console_text(const char *text);
void console_number(uint64_t number); /* decimal */
/* Says what was wrong and ends this machine's work with exit code 1. */
_Noreturn void console_fail(const char *what, const char *detail);
