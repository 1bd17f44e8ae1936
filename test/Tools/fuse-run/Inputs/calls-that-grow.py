"""Prints a chain of functions, each of which calls the next one twice, and one that calls nobody."""

import sys

TYPE = "tensor<4xf32>"
depth = int(sys.argv[1])


def function(name, lines, result):
    print(f"func.func {name}(%x: {TYPE}) -> {TYPE} {{")
    for line in lines:
        print(f"  {line}")
    print(f"  return {result} : {TYPE}\n}}")


function("@f", [f"%y = call @g0(%x) : ({TYPE}) -> {TYPE}"], "%y")
for level in range(depth):
    function(f"private @g{level}", [f"%y = call @g{level + 1}(%x) : ({TYPE}) -> {TYPE}",
                                    f"%z = call @g{level + 1}(%y) : ({TYPE}) -> {TYPE}"], "%z")
function(f"private @g{depth}", [f"%y = arith.addf %x, %x : {TYPE}"], "%y")
function("@other", [f"%y = arith.addf %x, %x : {TYPE}"], "%y")
