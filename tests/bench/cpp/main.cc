/*
 * main.cc - runs the parts of a large C++ program in turn; compiled with PARTS=<how many>
 *
 * usage: program <seconds of CPU time>
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>

using Run = size_t(unsigned seed);

#define PART(n) extern Run part_run_##n;
#include PARTS
#undef PART

static Run *const runs[] = {
#define PART(n) part_run_##n,
#include PARTS
#undef PART
};

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? std::atof(argv[1]) : 1;
	unsigned seed = 0;
	size_t sum = 0;

	while (static_cast<double>(std::clock()) < seconds * CLOCKS_PER_SEC)
		for (Run *run : runs)
			sum += run(++seed);
	std::printf("%zu\n", sum);
	return 0;
}
