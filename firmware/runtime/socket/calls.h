/* SPDX-License-Identifier: BSD-2-Clause */
/* The call in which the program waits, for the message of a program that waits for ever. */
#pragma once

struct waiting {
	const char *call; /* NULL: it does not wait */
	const char *since_what;
	int file;
	unsigned port;
};
extern struct waiting waiting;

void sockets_close(void); /* all of them */
