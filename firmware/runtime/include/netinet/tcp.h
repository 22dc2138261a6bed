/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <sys/socket.h>
