/*
 * part.cc - one of many parts of a large C++ program, compiled with PART=<n>
 *
 * What makes such a program's debug data large and its call chains full of inlined functions is the
 * standard library's templates over types of one's own. Each part has its own types, so that the
 * linker folds nothing.
 */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define SPACE	    JOIN(part_, PART)
#define RUN	    JOIN(part_run_, PART)

namespace SPACE
{

struct Key {
	std::string name;
	int rank = 0;
	bool operator<(const Key &other) const
	{
		return std::tie(rank, name) < std::tie(other.rank, other.name);
	}
};

struct Text {
	std::string value;
};
struct Number {
	double value = 0;
};
struct List {
	std::vector<Key> values;
};
using Value = std::variant<Text, Number, List>;

template <typename... T> struct Overloaded : T... {
	using T::operator()...;
};
template <typename... T> Overloaded(T...) -> Overloaded<T...>;

class Random
{
      public:
	explicit Random(unsigned seed) : state(seed * 2654435761u + PART + 1)
	{
	}
	unsigned next()
	{
		return state = state * 1664525u + 1013904223u, state >> 8;
	}

      private:
	unsigned state;
};

static std::vector<Key> make_keys(Random &random, size_t nr)
{
	std::vector<Key> keys(nr);

	std::generate(keys.begin(), keys.end(), [&random] {
		unsigned rank = random.next() % 1000;

		return Key{"key-" + std::to_string(rank * 7), static_cast<int>(rank)};
	});
	return keys;
}

static size_t sort_keys(Random &random)
{
	std::vector<Key> keys = make_keys(random, 600);

	std::stable_sort(keys.begin(), keys.end());
	std::sort(keys.begin(), keys.end(),
		  [](const Key &a, const Key &b) { return a.name < b.name; });
	return static_cast<size_t>(
		std::accumulate(keys.begin(), keys.end(), 0,
				[](int sum, const Key &key) { return sum + key.rank; }));
}

static size_t fill_maps(Random &random)
{
	std::map<Key, std::shared_ptr<Value>> ordered;
	std::unordered_map<std::string, std::optional<Number>> hashed;

	for (Key &key : make_keys(random, 300)) {
		hashed[key.name] = Number{static_cast<double>(key.rank)};
		ordered.emplace(std::move(key), std::make_shared<Value>(Text{"x"}));
	}
	return ordered.size() + hashed.size();
}

static size_t visit_values(Random &random)
{
	std::vector<Value> values;
	std::set<std::string> seen;

	for (unsigned i = 0; i < 400; i++) {
		if (random.next() % 3 == 0)
			values.emplace_back(Text{std::to_string(random.next())});
		else if (random.next() % 2)
			values.emplace_back(Number{random.next() / 3.0});
		else
			values.emplace_back(List{make_keys(random, 3)});
	}
	for (const Value &value : values)
		std::visit(Overloaded{
				   [&seen](const Text &text) { seen.insert(text.value); },
				   [&seen](const Number &number) {
					   seen.insert(std::to_string(number.value));
				   },
				   [&seen](const List &list) {
					   std::for_each(list.values.begin(), list.values.end(),
							 [&seen](const Key &key) {
								 seen.insert(key.name);
							 });
				   },
			   },
			   value);
	return seen.size();
}

static size_t match_lines(Random &random)
{
	static const std::regex pattern("(key)-([0-9]+)( [a-z]+)?");
	size_t sum = 0;

	for (const Key &key : make_keys(random, 60)) {
		std::smatch match;

		if (std::regex_match(key.name, match, pattern))
			sum += static_cast<size_t>(match.length(2));
	}
	return sum;
}

static size_t write_stream(Random &random)
{
	std::ostringstream stream;

	for (const Key &key : make_keys(random, 100))
		stream << key.name << '=' << key.rank << ';';
	return stream.str().size();
}

struct Job {
	std::function<size_t(Random &)> work;
	std::string name;
};

} // namespace SPACE

/* Returns something of all that was done, so that nothing is left out by the compiler. */
size_t RUN(unsigned seed)
{
	using namespace SPACE;
	static const std::vector<Job> jobs = {
		{sort_keys, "sort"},	{fill_maps, "maps"},	  {visit_values, "visit"},
		{match_lines, "match"}, {write_stream, "stream"},
	};
	Random random(seed);
	size_t sum = 0;

	for (const Job &job : jobs)
		sum += job.work(random) + job.name.size();
	return sum;
}
