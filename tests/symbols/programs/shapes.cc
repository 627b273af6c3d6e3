/* shapes.cc - templates, lambdas, local classes and namespaces, inlined into each other */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
struct counter {
	int nr = 0;
	int operator()(int value) { return nr += value; }
};
} // namespace

namespace geometry
{
template <typename T> struct point {
	T x, y;
	T dot(const point &other) const { return x * other.x + y * other.y; }
	point operator+(const point &other) const { return {x + other.x, y + other.y}; }
};

class shape
{
public:
	virtual ~shape() = default;
	virtual double area() const = 0;
};

class square : public shape
{
public:
	explicit square(double side) : side_(side) {}
	double area() const override { return side_ * side_; }

private:
	double side_;
};

inline namespace v1
{
template <typename F> __attribute__((noinline)) int apply(F function, int nr)
{
	int sum = 0;

	for (int i = 0; i < nr; i++)
		sum += function(i);
	return sum;
}
} // namespace v1

int local_class(int nr)
{
	struct doubler {
		int base;
		__attribute__((noinline)) int twice(int value) const
		{
			auto add = [this](int more) { return base + more; };
			return add(value) + add(value * 2);
		}
	};
	doubler local{nr};

	return local.twice(nr) + apply([&local](int i) { return local.twice(i) + 1; }, nr);
}
} // namespace geometry

static std::map<std::string, int> count_words(const std::vector<std::string> &words)
{
	std::map<std::string, int> counts;

	for (const auto &word : words)
		counts[word] += 1;
	return counts;
}

__attribute__((noinline)) static int careful(int value)
{
	try {
		if (value > 3)
			throw std::runtime_error("too much: " + std::to_string(value));
		return value;
	} catch (const std::runtime_error &error) {
		return static_cast<int>(error.what()[0]);
	}
}

int main(int argc, char **argv)
{
	std::vector<std::string> words(argv, argv + argc);
	std::vector<std::unique_ptr<geometry::shape>> shapes;
	std::function<int(int)> chosen = [argc](int i) { return i * argc; };
	counter count;
	double sum = 0;

	for (int i = 0; i < argc + 4; i++)
		shapes.push_back(std::make_unique<geometry::square>(i));
	std::sort(words.begin(), words.end(), [](const std::string &a, const std::string &b) {
		return a.size() != b.size() ? a.size() < b.size() : a < b;
	});
	for (const auto &shape : shapes)
		sum += shape->area();
	for (const auto &entry : count_words(words))
		sum += entry.second + chosen(entry.second) + count(entry.second);
	geometry::point<double> a{sum, 1}, b{2, sum};
	sum += (a + b).dot(b) + geometry::local_class(argc) + careful(argc);
	std::printf("%f\n", sum);
	return 0;
}
