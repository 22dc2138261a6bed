/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP over FDDI by several processors: packet-level parallelism (OSDI'94 2.3). */
#include <string.h>

#include "apps/mptest/mptest.h"
#include "apps/mptest/template.h"
#include "platform/platform.h"
#include "protocols/fddi/fddi.h"
#include "protocols/ip/ip_private.h"
#include "protocols/mpdriver/mpdriver.h"
#include "protocols/udp/udp.h"
#include "test/smp/processors.h"
#include "xkernel/graph.h"

enum { BYTES = 4096, HEADERS = FDDI_HEADER_BYTES + IP_HEADER_BYTES + UDP_HEADER_BYTES };

static uint64_t processors(void)
{
	return from_environment("PROCESSORS", 8);
}

static uint64_t packets(void)
{
	return from_environment("PACKETS", 400) / processors();
}

static const struct graph *graph;

static struct xobj *object(const char *name)
{
	for (size_t i = 0; i < graph->count; i++)
		if (!strcmp(graph->nodes[i].name, name))
			return graph->nodes[i].object;
	return NULL;
}

static void start(void)
{
	const char *failed = NULL;

	graph = graph_find("udp");
	CHECK(graph);
	CHECK_EQUAL(graph_start(graph, &failed), XK_OK);
}

static uint64_t sent, received, ip_sent, ip_received, udp_received, bytes_sent;

static void sum_counts(void)
{
	for (unsigned i = 0; i < XK_CPUS; i++) {
		sent += mpdriver_counts[i].sent;
		bytes_sent += mpdriver_counts[i].sent_bytes;
		received += mpdriver_counts[i].received;
		ip_sent += ip_counts[i].sent;
		ip_received += ip_counts[i].received;
		udp_received += udp_counts[i].received;
	}
}

static struct xobj *session;

static void send(unsigned number, void *arg)
{
	for (uint64_t n = packets(); n; n--)
		CHECK_EQUAL(mptest_send(session, BYTES), XK_OK);
}

CASE(udp_send_by_eight)
{
	const struct ip *ip;
	uint64_t first;

	start();
	ip = object("ip")->state;
	first = ip->ident;
	session = mptest_open(MPTEST_PORT);
	CHECK(session);
	on_processors(processors(), send, NULL);
	sum_counts();
	CHECK_EQUAL(sent, packets() * processors());
	CHECK_EQUAL(ip_sent, sent);
	CHECK_EQUAL(bytes_sent, sent * (HEADERS + BYTES));
	CHECK_EQUAL(ip->ident - first, sent); /* each datagram has an identifier of its own */
	CHECK_EQUAL(ref_read(&session->refs), 1);
}

static struct xobj *driver;
static struct msg templates[XK_CPUS];
static uint64_t shared; /* all processors have the first template */

static void receive(unsigned number, void *arg)
{
	struct msg *template = &templates[shared ? 0 : number];

	for (uint64_t n = packets(); n; n--)
		CHECK_EQUAL(mpdriver_receive(driver, template), XK_OK);
}

static void all_receive(void)
{
	uint64_t all = packets() * processors() + 1;

	start();
	driver = ((struct xobj **)object("fddi")->state)[0];
	for (unsigned i = 0; i < XK_CPUS; i++)
		CHECK_EQUAL(mptest_template(&templates[i], BYTES), XK_OK);
	/* The first makes the sessions; with XK_MP_MAPLOCK off no other may. */
	CHECK_EQUAL(mpdriver_receive(driver, &templates[0]), XK_OK);
	on_processors(processors(), receive, NULL);
	sum_counts();
	CHECK_EQUAL(received, all);
	CHECK_EQUAL(ip_received, all);
	CHECK_EQUAL(udp_received, all);
	CHECK_EQUAL(mptest.packets, all);
	CHECK_EQUAL(mptest.bytes, all * BYTES);
	for (unsigned i = 0; i < XK_CPUS; i++)
		CHECK_EQUAL(ref_read(&templates[i].front->refs), 1);
}

CASE_IS(udp_receive_by_eight, all_receive())
CASE_IS(udp_receive_one_template, (shared = 1, all_receive()))

/* Memory that is asked for by the heap's users; the linker leads them here. */
void *__real_xk_allocate(size_t bytes);
void *__wrap_xk_allocate(size_t bytes);
void *__real_xk_allocate_zeroed(size_t bytes);
void *__wrap_xk_allocate_zeroed(size_t bytes);

/* In all cases with a -without-memory of their own. */
uint64_t smp_asked, smp_refused = UINT64_MAX;

void *__wrap_xk_allocate(size_t bytes)
{
	return __atomic_fetch_add(&smp_asked, 1, __ATOMIC_RELAXED) == smp_refused
		   ? NULL
		   : __real_xk_allocate(bytes);
}

void *__wrap_xk_allocate_zeroed(size_t bytes)
{
	return __atomic_fetch_add(&smp_asked, 1, __ATOMIC_RELAXED) == smp_refused
		   ? NULL
		   : __real_xk_allocate_zeroed(bytes);
}

/* Someone gets no memory: the start fails, or the opening, or nothing does. */
CASE(udp_without_memory)
{
	const char *failed = NULL;
	int started;

	smp_refused = allocation_to_fail(UINT64_MAX);
	graph = graph_find("udp");
	started = graph_start(graph, &failed) == XK_OK;
	session = started ? mptest_open(MPTEST_PORT) : NULL;
	if (session)
		mptest_send(session, BYTES);
	if (smp_refused >= smp_asked)
		CHECK(session);
	printf("asked %llu times\n", (unsigned long long)smp_asked);
}
