/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler's own has everything, and wants to find a second one behind it. */
#pragma once
