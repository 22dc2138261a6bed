/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff

/* The heap is all RAM behind the image. 16 bytes of each object are its header. */
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *object, size_t bytes);
void free(void *object);

_Noreturn void exit(int code); /* other than 0: the run has failed */
_Noreturn void abort(void);    /* with registers and a back-trace */
int abs(int value);
long labs(long value);
int atoi(const char *text);
void srand(unsigned seed);
int rand(void); /* the same numbers in each run */
void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *));
