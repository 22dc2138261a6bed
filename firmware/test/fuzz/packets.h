/* SPDX-License-Identifier: BSD-2-Clause */
/* The fuzzer's packets other than TCP's and RPC's. */
#pragma once

#include <stdint.h>

extern uint32_t echo_asked; /* identifier and sequence of the kernel's last echo request */

/* Each is given the step's bytes; raw_step sends anything at all. */
void udp_step(const uint8_t *b);
void icmp_step(const uint8_t *b);
void arp_step(const uint8_t *b);
void fragment_step(const uint8_t *b);
void raw_step(const uint8_t *b);
void arp_packet(uint32_t operation, uint32_t sender, uint32_t target);
