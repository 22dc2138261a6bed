/* SPDX-License-Identifier: BSD-2-Clause */
/* Virtual functions: shapes of several kinds in one array, by their areas. */
#include <cmath>
#include <cstdio>

class Shape
{
      public:
	virtual ~Shape() = default;
	virtual double area() const = 0;
	virtual const char *name() const
	{
		return "shape";
	}
};

class Circle : public Shape
{
	double radius;

      public:
	explicit Circle(double r) : radius(r)
	{
	}
	double area() const override
	{
		return 3.14159265358979 * radius * radius;
	}
	const char *name() const override
	{
		return "circle";
	}
};

class Rectangle : public Shape
{
      protected:
	double width, height;

      public:
	Rectangle(double w, double h) : width(w), height(h)
	{
	}
	double area() const override
	{
		return width * height;
	}
	const char *name() const override
	{
		return "rectangle";
	}
};

class Square final : public Rectangle
{
      public:
	explicit Square(double side) : Rectangle(side, side)
	{
	}
	const char *name() const override
	{
		return "square";
	}
	double diagonal() const
	{
		return std::sqrt(width * width + height * height);
	}
};

class Point : public Shape
{
      public:
	double area() const override
	{
		return 0;
	}
};

int main()
{
	Shape *shapes[] = { new Circle(1.5), new Rectangle(2, 3.25), new Square(2.5), new Point };
	double sum = 0;
	const int count = sizeof shapes / sizeof *shapes;

	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && shapes[j]->area() < shapes[j - 1]->area(); j--) {
			Shape *kept = shapes[j];

			shapes[j] = shapes[j - 1];
			shapes[j - 1] = kept;
		}
	for (const Shape *one : shapes) {
		std::printf("%-10s %8.4f\n", one->name(), one->area());
		sum += one->area();
	}
	std::printf("sum %.6f, diagonal %.6f, %g\n", sum, Square(3).diagonal(), std::abs(-0.5f));
	for (Shape *one : shapes)
		delete one;
}
