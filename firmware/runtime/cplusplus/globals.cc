/* SPDX-License-Identifier: BSD-2-Clause */
/* Constructors and destructors of globals (runtime/globals.h), and functions for atexit: called in
 * the opposite order, as the C++ ABI of Itanium says. */
#include <stdlib.h>

extern "C" {
typedef void (*constructor)();
extern const constructor constructors_begin[], constructors_end[]; /* boot/link.ld */
void *__dso_handle;

void mcpi_construct();
void mcpi_destroy();
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
}

struct at_end {
	void (*function)(void *);
	void *argument;
	at_end *before;
};

static at_end *last;

void mcpi_construct()
{
	for (const constructor *one = constructors_begin; one < constructors_end; one++)
		(*one)();
}

void mcpi_destroy()
{
	while (last) {
		at_end one = *last;

		free(last);
		last = one.before;
		one.function(one.argument);
	}
}

int __cxa_atexit(void (*function)(void *), void *argument, void *)
{
	at_end *one = static_cast<at_end *>(malloc(sizeof *one));

	if (!one)
		return -1;
	*one = { function, argument, last };
	last = one;
	return 0;
}

static void call(void *argument)
{
	reinterpret_cast<void (*)()>(argument)();
}

int atexit(void (*function)(void))
{
	return __cxa_atexit(call, reinterpret_cast<void *>(function), nullptr);
}
