/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of constructors and destructors: of globals, of a function's static, at exit. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace
{
class Named
{
	const char *name;
	std::uint64_t squares[4];

      public:
	explicit Named(const char *text) : name(text)
	{
		for (int i = 0; i < 4; i++)
			squares[i] = static_cast<std::uint64_t>(i) * i;
		std::printf("%s begins\n", name);
	}
	~Named()
	{
		std::printf("%s ends, %d\n", name, static_cast<int>(squares[3]));
	}
	Named(const Named &) = delete;
	const char *text() const
	{
		return name;
	}
};

Named first("first"), second("second");
__attribute__((init_priority(200))) Named early("early");

Named &inside()
{
	static Named one("inside");

	return one;
}

class Base
{
      public:
	Base()
	{
		std::puts("base");
	}
	virtual ~Base()
	{
		std::puts("~base");
	}
};

class Derived : public Base
{
	Named member{ "member" };

      public:
	Derived()
	{
		std::puts("derived");
	}
	~Derived() override
	{
		std::puts("~derived");
	}
};
} // namespace

int main(int argc, char **)
{
	std::atexit([] { std::puts("at exit"); });
	std::printf("%s %s %s\n", first.text(), inside().text(), second.text());
	inside();
	Base *one = new Derived;
	delete one;
	if (argc > 5)
		return 0;
	std::exit(0);
}
