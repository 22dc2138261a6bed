/* SPDX-License-Identifier: BSD-2-Clause */
/* new and delete on malloc's heap, and the function behind a virtual one that no class has. */
#include <new>
#include <stdio.h>
#include <stdlib.h>

const std::nothrow_t std::nothrow{};

void *operator new(size_t bytes)
{
	void *object = malloc(bytes);

	if (!object) {
		printf("operator new: no memory for %lu bytes\n", bytes);
		abort();
	}
	return object;
}

void *operator new[](size_t bytes)
{
	return operator new(bytes);
}

void *operator new(size_t bytes, const std::nothrow_t &) noexcept
{
	return malloc(bytes);
}

void *operator new[](size_t bytes, const std::nothrow_t &) noexcept
{
	return malloc(bytes);
}

void operator delete(void *object) noexcept
{
	free(object);
}

void operator delete[](void *object) noexcept
{
	free(object);
}

void operator delete(void *object, size_t) noexcept
{
	free(object);
}

void operator delete[](void *object, size_t) noexcept
{
	free(object);
}

extern "C" void __cxa_pure_virtual();

void __cxa_pure_virtual()
{
	puts("a pure virtual function was called");
	abort();
}
