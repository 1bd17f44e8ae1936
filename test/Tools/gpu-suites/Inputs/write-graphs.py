"""Prints every graph that the suites for GPUs make, with `// -----` between them.

usage: write-graphs.py SOURCE
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[1], "test", "Gpu"))
import functions  # noqa: E402
import graphs  # noqa: E402
import large  # noqa: E402
import open as open_sizes  # noqa: E402
import sanitize  # noqa: E402

texts = [family.graph(dict.fromkeys(family.letters, 13)) for family in graphs.FAMILIES]
for function in functions.accurate(functions.documented(functions.DOCUMENT)) + functions.fast():
    texts.append(functions.graph(function, 2, 65))
    if function.arguments != "power":
        texts.append(functions.special_graph(function, 5))
for text in (large.POINTWISE, large.SUMS_OF_ROWS, large.LEFT_FACTOR, large.RIGHT_FACTOR):
    texts.append(text.format(rows=3 << 20))
texts += [text for _, text, _ in open_sizes.cases_of()]
with tempfile.TemporaryDirectory() as folder:
    for _, path, _ in sanitize.cases_of(folder):
        with open(path) as file:
            texts.append(file.read())
print("// -----\n".join(texts))
