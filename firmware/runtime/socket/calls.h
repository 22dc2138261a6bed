/* SPDX-License-Identifier: BSD-2-Clause */
/* What main waits for, for those who say it (main.c). */
#pragma once

struct waiting {
	const char *call; /* NULL: it does not wait */
	const char *since_what;
	int file;
	unsigned port;
};
extern struct waiting waiting;

void sockets_close(void); /* all of them */
