/* SPDX-License-Identifier: BSD-2-Clause */
/* Templates, new and delete: an array that grows, sorted by what a lambda says; a list of words. */
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <new>

template <typename T> class Array
{
	T *items = nullptr;
	size_t used = 0, room = 0;

	void grow(size_t wanted)
	{
		T *more = new T[wanted];

		for (size_t i = 0; i < used; i++)
			more[i] = static_cast<T &&>(items[i]);
		delete[] items;
		items = more;
		room = wanted;
	}

      public:
	Array() = default;
	Array(std::initializer_list<T> from)
	{
		for (const T &one : from)
			add(one);
	}
	Array(const Array &) = delete;
	Array &operator=(const Array &) = delete;
	~Array()
	{
		delete[] items;
	}

	void add(const T &one)
	{
		if (used == room)
			grow(room ? 2 * room : 4);
		items[used++] = one;
	}
	T *begin()
	{
		return items;
	}
	T *end()
	{
		return items + used;
	}
	size_t size() const
	{
		return used;
	}
	T &operator[](size_t at)
	{
		return items[at];
	}

	template <typename Before> void sort(Before before)
	{
		for (size_t i = 1; i < used; i++)
			for (size_t j = i; j > 0 && before(items[j], items[j - 1]); j--) {
				T kept = items[j];

				items[j] = items[j - 1];
				items[j - 1] = kept;
			}
	}
};

class Word
{
	char text[12];

      public:
	static int there;

	Word(const char *from = "")
	{
		std::strncpy(text, from, sizeof text - 1)[11] = '\0';
		there++;
	}
	Word(const Word &other) : Word(other.text)
	{
	}
	Word &operator=(const Word &) = default;
	~Word()
	{
		there--;
	}
	bool operator<(const Word &other) const
	{
		return std::strcmp(text, other.text) < 0;
	}
	const char *c_str() const
	{
		return text;
	}
};

int Word::there;

template <typename T, int N> constexpr T power(T base)
{
	if constexpr (N == 0)
		return 1;
	else
		return base * power<T, N - 1>(base);
}

int main()
{
	static_assert(power<long, 10>(2) == 1024);
	{
		Array<int> numbers{ 27, 4, 93, 16, 8, 71 };
		int odd = 0;

		numbers.sort([](int a, int b) { return a > b; });
		for (int n : numbers) {
			odd += n & 1;
			std::printf("%d ", n);
		}
		std::printf("odd %d of %zu\n", odd, numbers.size());
	}
	{
		Array<Word> words;

		for (const char *one : { "pear", "apple", "quince", "fig", "cherry" })
			words.add(one);
		words.sort([](const Word &a, const Word &b) { return a < b; });
		for (Word &one : words)
			std::printf("%s ", one.c_str());
		std::printf("of %d\n", Word::there);
	}
	alignas(Word) unsigned char place[sizeof(Word)];
	Word *placed = new (place) Word("placed");
	long *large = new (std::nothrow) long[1000];

	std::printf("%s %d %d\n", placed->c_str(), Word::there, large != nullptr);
	delete[] large;
	placed->~Word();
	std::printf("left %d\n", Word::there);
}
