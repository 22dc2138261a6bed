/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends frames to its own address and looks at what comes back: for one board whose cable, or whose
 * PHY, is looped (boards.md). One at a time, without interrupts; boot->round_trips of them, of
 * all lengths, with contents from boot->seed. Says what it counted; exit code 0 if all was well. */
#include "machine.h"
#include "platform/alpha/device.h"
#include "platform/platform.h"
#include "protocols/lance/chip.h"

enum { SHORTEST = 60, LONGEST = 1514, WAIT_US = 4000, IDON_US = 10000 };
enum { SSR_LANCE_DMA = 1 << 16, SSR_LANCE_RUN = 1 << 8 };
enum { ERRORS = RX_FRAM | RX_OFLO | RX_CRC | RX_BUFF };

static uint32_t sent, received, lost, wrong, broken;

/* Behind the IOASIC a word of the chip is the low half of a longword, a frame has gaps of 16. */
static uint64_t word_at(uint32_t chip)
{
	return LANCE_MEMORY + 2 * (uint64_t)chip;
}

static uint64_t frame_at(uint32_t chip)
{
	return LANCE_MEMORY + (2 * (uint64_t)chip & ~31ul) + (chip & 15);
}

static uint32_t word_get(uint32_t chip)
{
	return device_read_long(word_at(chip)) & 0xffff;
}

static void word_set(uint32_t chip, uint32_t value)
{
	device_write_long(word_at(chip), value);
}

static void csr_write(uint32_t number, uint32_t value)
{
	do
		device_write_long(LANCE_RAP, number);
	while ((device_read_long(LANCE_RAP) & 0xffff) != number);
	device_write_long(LANCE_RDP, value);
}

static void print(const char *text)
{
	while (*text)
		plat_putc(*text++);
}

static void print_number(const char *name, uint32_t value)
{
	char digits[12];
	int n = 0;

	print(name);
	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n)
		plat_putc(digits[--n]);
}

/* Until a word of the chip's memory has these bits at 0; whether it came to that. */
static int await_zero(uint32_t chip, uint32_t bits, uint64_t us)
{
	uint64_t end = plat_ticks() + us * plat_boot()->ticks_per_us;

	while (word_get(chip) & bits)
		if (plat_ticks() > end)
			return 0;
	return 1;
}

static int start_chip(uint64_t mac)
{
	uint32_t ssr = device_read_long(IOASIC_SSR) & ~(uint32_t)(SSR_LANCE_DMA | SSR_LANCE_RUN);
	uint64_t end = plat_ticks() + IDON_US * plat_boot()->ticks_per_us;

	device_write_long(IOASIC_SSR, ssr);
	device_write_long(IOASIC_LANCE_DMA_POINTER,
			  (uint32_t)(RAM_LANCE_WINDOW_PHYSICAL >> 29 & 0x1f) |
			      (uint32_t)(RAM_LANCE_WINDOW_PHYSICAL >> 17 & 0xfff) << 20);
	device_write_long(IOASIC_SSR, ssr | SSR_LANCE_RUN | SSR_LANCE_DMA);
	csr_write(0, CSR0_STOP);
	word_set(INIT_BLOCK, 0);
	for (uint32_t i = 0; i < 3; i++)
		word_set(INIT_BLOCK + 2 + 2 * i, (uint32_t)(mac >> 16 * i) & 0xffff);
	for (uint32_t i = 0; i < 4; i++)
		word_set(INIT_BLOCK + 8 + 2 * i, 0);
	word_set(INIT_BLOCK + 16, RECEIVE_RING); /* rings of one */
	word_set(INIT_BLOCK + 18, 0);
	word_set(INIT_BLOCK + 20, TRANSMIT_RING);
	word_set(INIT_BLOCK + 22, 0);
	word_set(RECEIVE_RING, RECEIVE_BUFFERS);
	word_set(RECEIVE_RING + 2, 0);
	word_set(TRANSMIT_RING, TRANSMIT_BUFFERS);
	word_set(TRANSMIT_RING + 2, 0);
	csr_write(1, INIT_BLOCK);
	csr_write(2, 0);
	csr_write(3, 0);
	plat_memory_barrier();
	csr_write(0, CSR0_INIT);
	while (!(device_read_long(LANCE_RDP) & CSR0_IDON))
		if (plat_ticks() > end)
			return -1;
	csr_write(0, CSR0_IDON);
	csr_write(0, CSR0_STRT);
	return 0;
}

/* The next four bytes of a frame; `at` is a multiple of four. */
static uint32_t content(uint64_t mac, uint32_t at, uint64_t *state)
{
	switch (at) {
	case 0: /* to itself */
		return (uint32_t)mac;
	case 4:
		return (uint32_t)(mac >> 32 & 0xffff) | (uint32_t)mac << 16;
	case 8:
		return (uint32_t)(mac >> 16);
	}
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)*state;
}

static void exchange(uint64_t mac, uint64_t state, uint32_t bytes)
{
	uint64_t again = state;
	uint32_t flags, differs = 0;

	for (uint32_t at = 0; at < bytes; at += 4)
		device_write_long(frame_at(TRANSMIT_BUFFERS + at), content(mac, at, &state));
	word_set(RECEIVE_RING + 4, 0xf000 | (0x1000 - BUFFER_BYTES));
	word_set(RECEIVE_RING + 6, 0);
	word_set(TRANSMIT_RING + 4, 0xf000 | (0x1000 - bytes));
	word_set(TRANSMIT_RING + 6, 0);
	plat_memory_barrier();
	word_set(RECEIVE_RING + 2, FLAG_OWN << 8);
	word_set(TRANSMIT_RING + 2, (FLAG_OWN | FLAG_STP | FLAG_ENP) << 8);
	plat_memory_barrier();
	csr_write(0, CSR0_TDMD);
	if (!await_zero(TRANSMIT_RING + 2, FLAG_OWN << 8, WAIT_US))
		return;
	sent++;
	if (!await_zero(RECEIVE_RING + 2, FLAG_OWN << 8, WAIT_US)) {
		lost++;
		return;
	}
	flags = word_get(RECEIVE_RING + 2) >> 8;
	if (flags & ERRORS || (flags & (FLAG_STP | FLAG_ENP)) != (FLAG_STP | FLAG_ENP)) {
		broken++;
		return;
	}
	for (uint32_t at = 0; at < bytes; at += 4) {
		uint32_t mask = bytes - at >= 4 ? ~0u : (1u << 8 * (bytes - at)) - 1;

		differs |= mask & (device_read_long(frame_at(RECEIVE_BUFFERS + at)) ^
				   content(mac, at, &again));
	}
	if (differs || (word_get(RECEIVE_RING + 6) & 0xfff) != bytes + FCS_BYTES)
		wrong++;
	else
		received++;
}

int main(void)
{
	const struct boot_params *boot = plat_boot();
	uint64_t wanted = boot->round_trips;

	if (LANCE_PMAD || start_chip(boot->mac)) {
		print("loopback: no controller\n");
		return 2;
	}
	for (uint64_t n = 0; n < wanted; n++) {
		uint64_t state = (boot->seed * 0x9e3779b97f4a7c15 + n) | 1;
		uint32_t bytes = SHORTEST + (uint32_t)(n * 557 % (LONGEST - SHORTEST + 1));

		exchange(boot->mac, state, bytes);
	}
	print_number("loopback: sent ", sent);
	print_number(", received ", received);
	print_number(", lost ", lost);
	print_number(", broken ", broken);
	print_number(", wrong ", wrong);
	plat_putc('\n');
	return received == wanted ? 0 : 1;
}
