#!/usr/bin/env python3
# tree.py - folded stacks whose tree has so many nodes: tree.py <nodes> [<seed>]
#
# A made-up program is walked at random, as one that is sampled: each function calls a few others,
# some much more often than others. The same number and seed give the same stacks.
import random
import sys

FUNCTIONS = 6000


def program(chance):
    """For each function its callees, the likely ones first; names and modules by number."""
    calls = []
    for function in range(FUNCTIONS):
        nr = min(12, 1 + int(chance.expovariate(0.35)))
        calls.append([min(FUNCTIONS - 1, function + 1 + int(chance.expovariate(0.004)))
                      for _ in range(nr)])
    return calls


def walk(chance, calls):
    stack = [0]
    while len(stack) < 60 and chance.random() > 0.045:
        callees = calls[stack[-1]]
        at = min(len(callees) - 1, int(chance.expovariate(0.55)))
        stack.append(callees[at])
    return stack


def main():
    wanted, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chance = random.Random(seed)
    calls = program(chance)
    names = ["ns%d::Class%d::method_%d(int, char const*)" % (i % 17, i % 311, i)
             for i in range(FUNCTIONS)]
    counts, nodes = {}, set()
    while len(nodes) < wanted:
        stack = walk(chance, calls)
        key = 0
        for function in stack:
            key = hash((key, function))
            nodes.add(key)
        stack = tuple(stack)
        counts[stack] = counts.get(stack, 0) + 1
    for stack in sorted(counts):
        print(";".join(names[function] for function in stack), counts[stack])


if __name__ == "__main__":
    main()
