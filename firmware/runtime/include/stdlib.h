/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

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
#ifdef __cplusplus
int atexit(void (*function)(void));
#endif
int abs(int value);
long labs(long value);
long long llabs(long long value);
typedef struct {
	int quot, rem;
} div_t;
typedef struct {
	long quot, rem;
} ldiv_t;
div_t div(int a, int b);
ldiv_t ldiv(long a, long b);
int atoi(const char *text);
double atof(const char *text);
double strtod(const char *text, char **end); /* decimal: no 0x */
float strtof(const char *text, char **end);
long atol(const char *text);
long long atoll(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
char *getenv(const char *name); /* NULL */
void srand(unsigned seed);
int rand(void); /* the same numbers in each run */
void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t bytes,
	      int (*compare)(const void *, const void *));

__END_DECLS
