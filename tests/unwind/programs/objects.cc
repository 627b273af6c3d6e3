/* objects.cc - threads that call virtual functions, throw, sort and recurse through std::function */
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct shape {
	virtual ~shape() {}
	virtual long count(int i) = 0;
};

template <int N> struct words : shape {
	std::map<std::string, int> map;

	long count(int i) override
	{
		for (int k = 0; k < 20; k++)
			map["key" + std::to_string(k * i % 97)]++;
		return (long)map.size();
	}
};

__attribute__((noinline)) static void fail(int depth)
{
	std::string text((size_t)depth, 'x');

	if (!depth)
		throw std::runtime_error("x" + text);
	fail(depth - 1);
}

static volatile long sink;

/* Twice the seconds of CPU time: how many samples there are does not depend on what else runs. */
static void work(double seconds)
{
	double end = 2 * seconds * CLOCKS_PER_SEC;
	std::function<int(int)> fibonacci = [&](int n) {
		return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
	};

	while ((double)std::clock() < end) {
		words<1> one;
		words<2> two;
		shape *shapes[] = {&one, &two};
		std::vector<std::string> list;

		for (int i = 0; i < 10; i++)
			sink = sink + shapes[i % 2]->count(i);
		try {
			fail(12);
		} catch (const std::exception &error) {
			sink = sink + error.what()[0];
		}
		for (int i = 0; i < 200; i++)
			list.push_back(std::to_string(i * 7919 % 1000));
		std::sort(list.begin(), list.end(), std::greater<>());
		sink = sink + fibonacci(12);
	}
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	std::thread one(work, seconds), two(work, seconds);

	work(seconds);
	one.join();
	two.join();
	return 0;
}
