/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP: who has which station address, and since when. */
#include "platform/platform.h"
#include "protocols/arp/arp_private.h"

struct arp_entry *arp_find(struct arp *arp, uint32_t host)
{
	for (int i = 0; i < ARP_ENTRIES; i++)
		if (arp->entry[i].host == host)
			return &arp->entry[i];
	return NULL;
}

/* A free one, or that of the host we have not talked to for longest. */
static struct arp_entry *make(struct arp *arp, uint32_t host)
{
	struct arp_entry *e = arp_find(arp, 0);

	if (!e) {
		e = &arp->entry[0];
		for (int i = 1; i < ARP_ENTRIES; i++)
			if (arp->entry[i].last_used < e->last_used)
				e = &arp->entry[i];
		arp_counts.evicted++;
		arp->gave_up(arp, e->host);
	}
	*e = (struct arp_entry){ .host = host, .last_used = plat_ticks() };
	return e;
}

struct arp_entry *arp_learn(struct arp *arp, uint32_t host, uint64_t mac)
{
	struct arp_entry *e = arp_find(arp, host);

	if (!e)
		e = make(arp, host);
	if (!e->mac)
		arp_counts.learned++;
	else if (e->mac != mac)
		arp_counts.changed++;
	e->mac = mac;
	e->age = e->tries = 0;
	return e;
}

static void ask(struct arp *arp, struct arp_entry *e)
{
	e->age = 0;
	e->tries++;
	arp_counts.requests_sent++;
	arp_send(arp, arp->everybody, ARP_REQUEST, 0, e->host);
}

uint64_t arp_resolve(struct arp *arp, uint32_t host)
{
	struct arp_entry *e = arp_find(arp, host);

	if (!e) {
		e = make(arp, host);
		ask(arp, e);
	}
	e->last_used = plat_ticks();
	return e->mac;
}

static void give_up(struct arp *arp, struct arp_entry *e)
{
	uint32_t host = e->host;

	*e = (struct arp_entry){ 0 };
	arp_counts.unresolved++;
	arp->gave_up(arp, host);
}

void arp_tick(void *arg)
{
	struct arp *arp = arg;

	for (int i = 0; i < ARP_ENTRIES; i++) {
		struct arp_entry *e = &arp->entry[i];

		if (!e->host)
			continue;
		e->age++;
		if (e->mac && e->age >= ARP_LIFE_TICKS) {
			arp_counts.expired++;
			*e = (struct arp_entry){ 0 };
		} else if (!e->mac && e->age >= ARP_RETRY_TICKS) {
			if (e->tries < ARP_TRIES)
				ask(arp, e);
			else
				give_up(arp, e);
		}
	}
	event_schedule(&arp->tick, arp_tick, arp, ARP_TICK_US);
}
