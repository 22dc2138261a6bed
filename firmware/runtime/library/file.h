/* SPDX-License-Identifier: BSD-2-Clause */
/* Files in memory (stdio.h). */
#pragma once

#include "stdio.h"

/* Contents of a file. The list ends with those that ./mcpi exec gives (runtime/inputs.h). */
struct mcpi_content {
	const char *name;
	char *bytes;
	size_t size, room; /* room 0: of the image, only to read */
	struct mcpi_content *next;
};

struct mcpi_file {
	struct mcpi_content *content; /* NULL: the console */
	size_t at;
	int pushed; /* back by ungetc; EOF: nothing */
	char reads, writes, appends, ended, failed, open;
};

int mcpi_file_get(FILE *file);
