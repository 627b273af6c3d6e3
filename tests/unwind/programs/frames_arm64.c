/* frames_arm64.c - frames of aarch64 code, compiled without any headers; never run */
typedef unsigned long size;

int leaf(int a, int b)
{
	return a * b + 1;
}

int grows(unsigned nr, int (*ask)(char *))
{
	char *bytes = __builtin_alloca(nr);
	char more[nr + 1];

	return ask(bytes) + ask(more);
}

/* The registers that were saved are two kilobytes from the CFA. */
int large(int (*ask)(char *))
{
	char bytes[2000];

	return ask(bytes) + bytes[100];
}

double aligned(double (*ask)(double *))
{
	_Alignas(64) double numbers[8];

	return ask(numbers) + numbers[7];
}

long busy(long a, long b, long c, long d, long e, long f, long (*ask)(long))
{
	long g = ask(a), h = ask(b), i = ask(c), j = ask(d), k = ask(e), l = ask(f);

	if (g == h)
		return ask(i + j);
	return ask(g + h) * ask(i + j) + ask(k + l) * g + h * i + j * k + l + a + b + c + d + e + f;
}

double floating(double a, double (*ask)(double))
{
	double b = ask(a), c = ask(b), d = ask(c);

	return ask(a + b) + ask(c + d) * a * b * c * d;
}
