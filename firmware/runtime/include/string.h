/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
void *memchr(const void *from, int value, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t bytes);
char *strcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t bytes);
char *strcat(char *restrict to, const char *restrict from);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
char *strstr(const char *text, const char *part);
char *strerror(int error);
size_t strspn(const char *text, const char *accepted);
size_t strcspn(const char *text, const char *refused);
char *strpbrk(const char *text, const char *wanted);
char *strtok(char *restrict text, const char *restrict between);
char *strtok_r(char *restrict text, const char *restrict between, char **restrict rest);
char *strncat(char *restrict to, const char *restrict from, size_t bytes);
size_t strnlen(const char *text, size_t bytes);
char *strdup(const char *text);
char *strndup(const char *text, size_t bytes);
int strcoll(const char *a, const char *b);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t bytes);

__END_DECLS
