"""Prints a chain of functions, each of which calls the next one so often, and one that calls nobody.

    calls-that-grow.py DEPTH [TIMES] [LAST]     LAST: what the last one calls
"""

import sys

TYPE = "tensor<4xf32>"
depth = int(sys.argv[1])
times = int(sys.argv[2]) if len(sys.argv) > 2 else 2
last = sys.argv[3] if len(sys.argv) > 3 else None


def function(name, lines, result):
    print(f"func.func {name}(%x: {TYPE}) -> {TYPE} {{")
    for line in lines:
        print(f"  {line}")
    print(f"  return {result} : {TYPE}\n}}")


function("@f", [f"%y = call @g0(%x) : ({TYPE}) -> {TYPE}"], "%y")
for level in range(depth):
    function(f"private @g{level}", [f"%y{i} = call @g{level + 1}(%x) : ({TYPE}) -> {TYPE}" for i in range(times)],
             f"%y{times - 1}")
function(f"private @g{depth}", [f"%y = call @{last}(%x) : ({TYPE}) -> {TYPE}" if last else
                                f"%y = arith.addf %x, %x : {TYPE}"], "%y")
function("@other", [f"%y = arith.addf %x, %x : {TYPE}"], "%y")
