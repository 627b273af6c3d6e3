/* number.h - numbers as short text, without regard to any locale */
#pragma once

#include <stddef.h>

#define NUMBER_SIZE 32

/* All write a NUL at the end and return the length before it; at most NUMBER_SIZE bytes. */

/* A place on the paper: at most 2 decimals, no closing zeros. */
size_t number_px(char *at, double px);

/* Any number, exact where it is whole, else 12 digits. */
size_t number_exact(char *at, double number);

/* 0 to 1 as "33.3 %": one decimal, two below 1 %. */
size_t number_share(char *at, double share);
