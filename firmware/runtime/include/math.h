/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of double, within a unit in the last place; floor to fdim and sqrt are exact. Those of
 * float are the same, rounded once more. */
#pragma once

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

typedef double double_t;
typedef float float_t;

#include <sys/cdefs.h>

__BEGIN_DECLS

double sqrt(double x);
double trunc(double x);
double floor(double x);
double ceil(double x);
double round(double x);
double rint(double x);
double nearbyint(double x);
double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double cbrt(double x);
double pow(double x, double y);
double atan2(double x, double y);
double hypot(double x, double y);
double fmod(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
double fdim(double x, double y);
long lround(double x);
long lrint(double x);
double frexp(double x, int *exponent);
double ldexp(double x, int exponent);
double scalbn(double x, int exponent);
double modf(double x, double *whole);

static inline double fabs(double x)
{
	return __builtin_fabs(x);
}

static inline float fabsf(float x)
{
	return __builtin_fabsf(x);
}

static inline double copysign(double x, double y)
{
	return __builtin_copysign(x, y);
}

static inline float copysignf(float x, float y)
{
	return __builtin_copysignf(x, y);
}

#define MCPI_OF_FLOAT(name)                                                                        \
	static inline float name##f(float x)                                                       \
	{                                                                                          \
		return (float)name(x);                                                             \
	}
#define MCPI_OF_FLOATS(name)                                                                       \
	static inline float name##f(float x, float y)                                              \
	{                                                                                          \
		return (float)name(x, y);                                                          \
	}
MCPI_OF_FLOAT(sqrt)
MCPI_OF_FLOAT(trunc)
MCPI_OF_FLOAT(floor)
MCPI_OF_FLOAT(ceil)
MCPI_OF_FLOAT(round)
MCPI_OF_FLOAT(rint)
MCPI_OF_FLOAT(nearbyint)
MCPI_OF_FLOAT(exp)
MCPI_OF_FLOAT(exp2)
MCPI_OF_FLOAT(expm1)
MCPI_OF_FLOAT(log)
MCPI_OF_FLOAT(log2)
MCPI_OF_FLOAT(log10)
MCPI_OF_FLOAT(log1p)
MCPI_OF_FLOAT(sin)
MCPI_OF_FLOAT(cos)
MCPI_OF_FLOAT(tan)
MCPI_OF_FLOAT(asin)
MCPI_OF_FLOAT(acos)
MCPI_OF_FLOAT(atan)
MCPI_OF_FLOAT(sinh)
MCPI_OF_FLOAT(cosh)
MCPI_OF_FLOAT(tanh)
MCPI_OF_FLOAT(cbrt)
MCPI_OF_FLOATS(pow)
MCPI_OF_FLOATS(atan2)
MCPI_OF_FLOATS(hypot)
MCPI_OF_FLOATS(fmod)
MCPI_OF_FLOATS(fmin)
MCPI_OF_FLOATS(fmax)
MCPI_OF_FLOATS(fdim)

static inline long lroundf(float x)
{
	return lround(x);
}

static inline float ldexpf(float x, int exponent)
{
	return (float)ldexp(x, exponent);
}

static inline float frexpf(float x, int *exponent)
{
	return (float)frexp(x, exponent);
}

__END_DECLS
