/* many.c - functions enough to tell builds apart by; -DOTHER: the same program, linked from other code */

#ifdef OTHER
#define CODE(name) name##_other
/* what comes before moves all that follows */
__attribute__((noinline)) unsigned CODE(longer)(unsigned value)
{
	for (unsigned i = 0; i < value % 7; i++)
		value = value * 37 + (value >> 3) + i;
	return value;
}
#else
#define CODE(name) name##_ran
#endif

static inline __attribute__((always_inline)) unsigned CODE(mix)(unsigned value)
{
	return (value ^ value >> 15) * 0x2c1b3c6du;
}

#define LEAF(name)                                                     \
	__attribute__((noinline)) unsigned CODE(name)(unsigned value)  \
	{                                                              \
		return CODE(mix)(value) + sizeof(#name) + __LINE__ % 3; \
	}
#define INNER(name, a, b)                                                                  \
	__attribute__((noinline)) unsigned CODE(name)(unsigned value)                      \
	{                                                                                  \
		return CODE(mix)(CODE(a)(value) + 1) + CODE(b)(value + 3) + CODE(a)(value * 5); \
	}

LEAF(sand)
LEAF(gravel)
INNER(brick, sand, gravel)
INNER(tile, gravel, sand)
INNER(wall, brick, tile)
INNER(floor, tile, brick)
INNER(roof, tile, wall)
INNER(room, wall, floor)
INNER(hall, floor, roof)
INNER(house, room, hall)
INNER(barn, hall, roof)
INNER(farm, house, barn)

int main(int argc, char **argv)
{
	unsigned sum = 0;

	for (int i = 0; i < (argc > 1 ? argc * 200000 : 1); i++)
		sum += CODE(farm)((unsigned)i);
	(void)argv;
	return (int)(sum & 1);
}
