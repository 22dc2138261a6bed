/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of the kernel's own addresses are mapped, and need TLB entries. For C and assembly. */
#ifndef MAPPED_OWN_H
#define MAPPED_OWN_H

#define OWN_NONE 0    /* all is in KSEG */
#define OWN_BUFFERS 1 /* network buffers */
#define OWN_ALL 2     /* and its code, data and stacks: each page where it is physically */

#ifndef KERNEL_MAPPED
#define KERNEL_MAPPED OWN_BUFFERS
#endif
#endif
