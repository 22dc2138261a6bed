/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "stdio.h"

#ifndef MCPI_FLOAT
#define MCPI_FLOAT 0 /* 1: the program has floating point */
#endif

enum { MCPI_SCANNED = 400 };

/* Where scanf reads: a file, or the rest of a text. */
struct mcpi_scanned {
	FILE *file;
	const char *text;
	size_t taken;
};

/* Stores the number that `text` is, in a double or a float (or nowhere); 0 if it is none. */
int mcpi_scan_real(const char *text, void *to, int is_double);
