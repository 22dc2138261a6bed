/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/own_code/template.h"

#if XK_FAST_OWN
	/* Filled in after the link. */
	.section .own_code, "a", @progbits
	.globl	own_code_template
	.balign	32
own_code_template:
	.skip	OWN_CODE_TEMPLATE_BYTES
#endif
