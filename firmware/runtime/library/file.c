/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/library/file.h"
#include "errno.h"
#include "platform/platform.h"
#include "runtime/inputs.h"
#include "stdlib.h"
#include "string.h"

enum { LEAST_ROOM = 256 };

__attribute__((weak)) const struct mcpi_given mcpi_given_files[] = { { NULL, NULL, NULL } };

static struct mcpi_content *contents;
static struct mcpi_content nothing = { .name = "" };
static struct mcpi_file input = { .pushed = EOF, .reads = 1, .open = 1 };
static struct mcpi_file output = { .pushed = EOF, .writes = 1, .open = 1 };
static struct mcpi_file errors = { .pushed = EOF, .writes = 1, .open = 1 };
static struct mcpi_file opened[FOPEN_MAX];

FILE *const stdin = &input;
FILE *const stdout = &output;
FILE *const stderr = &errors;

static void start(void)
{
	const struct mcpi_given *given = mcpi_given_files;
	struct mcpi_content *c;

	input.content = &nothing;
	for (; given->name; given++) {
		c = malloc(sizeof *c);
		if (!c)
			return;
		*c = (struct mcpi_content){ .name = given->name,
					    .bytes = given->from,
					    .size = (size_t)(given->to - given->from),
					    .next = contents };
		contents = c;
		if (!*given->name)
			input.content = c;
	}
}

static void begun(void)
{
	if (!input.content)
		start();
}

static struct mcpi_content *named(const char *name)
{
	struct mcpi_content *c = contents;

	while (c && strcmp(c->name, name))
		c = c->next;
	return *name ? c : NULL;
}

static struct mcpi_content *created(const char *name)
{
	struct mcpi_content *c = malloc(sizeof *c);
	char *copy = malloc(strlen(name) + 1);

	if (!c || !copy)
		return NULL;
	*c = (struct mcpi_content){ .name = strcpy(copy, name), .next = contents };
	contents = c;
	return c;
}

FILE *fopen(const char *name, const char *mode)
{
	int both = strchr(mode, '+') != NULL, writes = *mode != 'r' || both, n = 0;
	struct mcpi_content *c;

	begun();
	while (n < FOPEN_MAX && opened[n].open)
		n++;
	c = named(name);
	if (n == FOPEN_MAX) {
		errno = EMFILE;
		return NULL;
	}
	if (!c && *mode != 'r')
		c = created(name);
	if (!c || !strchr("rwa", *mode)) {
		errno = c ? EINVAL : ENOENT;
		return NULL;
	}
	if (*mode == 'w')
		c->size = 0;
	opened[n] = (struct mcpi_file){ .content = c,
					.pushed = EOF,
					.reads = *mode == 'r' || both,
					.writes = (char)writes,
					.appends = *mode == 'a',
					.open = 1 };
	return &opened[n];
}

int fclose(FILE *file)
{
	file->open = 0;
	return 0;
}

int fflush(FILE *file)
{
	(void)file;
	return 0;
}

int remove(const char *name)
{
	struct mcpi_content *c;

	begun();
	c = named(name);
	if (!c) {
		errno = ENOENT;
		return -1;
	}
	c->name = ""; /* nobody finds it; those that have it open go on */
	return 0;
}

int mcpi_file_get(FILE *file)
{
	int c = file->pushed;

	begun();
	if (c != EOF) {
		file->pushed = EOF;
		return c;
	}
	if (!file->reads) {
		file->failed = 1;
		return EOF;
	}
	if (file->at >= file->content->size) {
		file->ended = 1;
		return EOF;
	}
	return (unsigned char)file->content->bytes[file->at++];
}

int ungetc(int c, FILE *file)
{
	if (c == EOF || file->pushed != EOF)
		return EOF;
	file->pushed = (unsigned char)c;
	file->ended = 0;
	return c;
}

static int has_room(struct mcpi_content *c, size_t wanted)
{
	size_t room = c->room ? c->room : LEAST_ROOM;
	char *bytes;

	if (wanted <= c->room)
		return 1;
	while (room < wanted)
		room *= 2;
	bytes = malloc(room);
	if (!bytes)
		return 0;
	memcpy(bytes, c->bytes, c->size);
	if (c->room)
		free(c->bytes);
	c->bytes = bytes;
	c->room = room;
	return 1;
}

int fputc(int c, FILE *file)
{
	struct mcpi_content *content = file->content;

	if (!file->writes) {
		file->failed = 1;
		return EOF;
	}
	if (!content)
		return putchar(c);
	file->at = file->appends ? content->size : file->at;
	if (!has_room(content, file->at + 1)) {
		file->failed = 1;
		return EOF;
	}
	if (file->at > content->size)
		memset(content->bytes + content->size, 0, file->at - content->size);
	content->bytes[file->at++] = (char)c;
	if (file->at > content->size)
		content->size = file->at;
	return (unsigned char)c;
}

int fseek(FILE *file, long offset, int from)
{
	long base = 0;

	begun();
	if (!file->content || from < SEEK_SET || from > SEEK_END) {
		errno = EINVAL;
		return -1;
	}
	if (from == SEEK_CUR)
		base = ftell(file);
	if (from == SEEK_END)
		base = (long)file->content->size;
	if (base + offset < 0) {
		errno = EINVAL;
		return -1;
	}
	file->at = (size_t)(base + offset);
	file->pushed = EOF;
	file->ended = 0;
	return 0;
}

long ftell(FILE *file)
{
	return (long)file->at - (file->pushed != EOF);
}

int feof(FILE *file)
{
	return file->ended;
}

int ferror(FILE *file)
{
	return file->failed;
}

void clearerr(FILE *file)
{
	file->ended = file->failed = 0;
}
