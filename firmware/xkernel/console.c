/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/console.h"

#include "platform/platform.h"

void console_text(const char *text)
{
	while (*text)
		plat_putc(*text++);
}

void console_number(uint64_t number)
{
	char digits[21];
	int i = sizeof digits;

	digits[--i] = 0;
	do {
		digits[--i] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	console_text(digits + i);
}

void console_fail(const char *what, const char *detail)
{
	console_text("mcpi: ");
	console_text(what);
	if (detail) {
		console_text(": ");
		console_text(detail);
	}
	console_text("\n");
	plat_exit(1);
}
