/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames by the LANCE, without interrupts: who waits reads the descriptor. */
#include "machine.h"
#include "mcpi.h"
#include "mcpi_net.h"
#include "platform/platform.h"
#include "protocols/lance/chip.h"
#include "protocols/lance/frame.h"
#include "protocols/lance/layout.h"
#include "string.h"

static uint64_t received, sent; /* descriptors used since the start */

static uint64_t receive_descriptor(uint64_t n)
{
	return LANCE_MEMORY + LANCE_SPREAD * (RECEIVE_RING + 8 * (n % RING));
}

static uint64_t transmit_descriptor(uint64_t n)
{
	return LANCE_MEMORY + LANCE_SPREAD * (TRANSMIT_RING + 8 * (n % RING));
}

static uint32_t receive_buffer(uint64_t n)
{
	return (uint32_t)(RECEIVE_BUFFERS + BUFFER_BYTES * (n % RING));
}

static uint32_t transmit_buffer(uint64_t n)
{
	return (uint32_t)(TRANSMIT_BUFFERS + BUFFER_BYTES * (n % RING));
}

int mcpi_net_open(void)
{
	uint64_t n;

	chip_reset();
	for (n = 0; n < RING; n++) {
		descriptor_address_set(receive_descriptor(n), receive_buffer(n));
		descriptor_length_set(receive_descriptor(n), BUFFER_BYTES);
		descriptor_flags_set(receive_descriptor(n), FLAG_OWN, receive_buffer(n));
		descriptor_address_set(transmit_descriptor(n), transmit_buffer(n));
		descriptor_flags_set(transmit_descriptor(n), 0, transmit_buffer(n));
	}
	received = sent = 0;
	return chip_start(plat_boot()->mac);
}

int mcpi_frame_send(const void *frame, size_t bytes)
{
	uint64_t descriptor = transmit_descriptor(sent);
	struct frame_writer writer;

	if (bytes > MCPI_FRAME_MAX)
		return -1;
	while (descriptor_flags_get(descriptor) & FLAG_OWN)
		;
	frame_start(&writer, LANCE_MEMORY + LANCE_SPREAD * (uint64_t)transmit_buffer(sent));
	frame_put(frame, bytes, &writer);
	descriptor_length_set(descriptor, (uint32_t)frame_finish(&writer, MCPI_FRAME_MIN));
	plat_memory_barrier();
	descriptor_flags_set(descriptor, FLAG_OWN | FLAG_STP | FLAG_ENP, transmit_buffer(sent));
	plat_memory_barrier(); /* the chip must find OWN when the demand sends it looking */
	chip_csr0_write(CSR0_TDMD | CSR0_INEA);
	sent++;
	return 0;
}

size_t mcpi_frame_receive(void *frame, size_t room)
{
	/* frame_from_gap16 wants a place 2 mod 16, and writes a little around it. */
	static uint64_t place[(MCPI_FRAME_MAX + 64) / 8] __attribute__((aligned(16)));
	uint8_t *whole = (uint8_t *)place + 18;
	uint64_t descriptor;
	uint32_t flags;
	int32_t bytes;

	do {
		descriptor = receive_descriptor(received);
		while ((flags = descriptor_flags_get(descriptor)) & FLAG_OWN)
			;
		bytes = (int32_t)descriptor_count_get(descriptor) - FCS_BYTES;
		if (!(flags & FLAG_ERR) && bytes <= MCPI_FRAME_MAX)
			frame_from_gap16(
			    whole, LANCE_MEMORY + LANCE_SPREAD * (uint64_t)receive_buffer(received),
			    (size_t)bytes);
		descriptor_flags_set(descriptor, FLAG_OWN, receive_buffer(received));
		received++;
	} while ((flags & FLAG_ERR) || bytes < MCPI_FRAME_MIN || bytes > MCPI_FRAME_MAX ||
		 (flags & (FLAG_STP | FLAG_ENP)) != (FLAG_STP | FLAG_ENP));
	memcpy(frame, whole, (size_t)bytes < room ? (size_t)bytes : room);
	return (size_t)bytes;
}

void mcpi_address(uint8_t *own, uint8_t *peers)
{
	memcpy(own, &plat_boot()->mac, 6);
	memcpy(peers, &plat_boot()->peer_mac, 6);
}

void mcpi_address_of(int node, uint8_t *address)
{
	memcpy(address, &plat_boot()->mac, 6);
	address[5] = (uint8_t)(address[5] - mcpi_node() + node);
}
