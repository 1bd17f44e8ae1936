#!/usr/bin/env python3
"""nesting.py FILE KIND: a module that nests in one way or another."""

import sys

N = 100000
BODY = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %y = arith.negf %x : tensor<2xf32>\n  return %y : tensor<2xf32>\n}\n"


def named(first, rest, use):
    """Each name stands for something around the one before it."""
    return "".join([first, *(rest.format(k, k - 1) for k in range(1, N + 1)), BODY, use.format(N)])


KINDS = {
    "attribute": lambda: "module attributes {a.b = " + "[" * N + "]" * N + "} {}",
    "dictionary": lambda: "module attributes {a.b = " + "{a = " * N + "1" + "}" * N + "} {}",
    "open": lambda: "module attributes {a.b = " + "[" * N,
    "tuple": lambda: "func.func private @f(" + "tuple<" * N + "i1" + ">" * N + ")",
    "function": lambda: "func.func private @f(" + "(" * N + ") -> i1" * N + ")",
    "region": lambda: "module {" * N + "}" * N,
    "unclosed": lambda: "module {\n" * N,
    "fused": lambda: "module {} loc(" + "fused[" * N + '"a"' + "]" * N + ")",
    "callsite": lambda: "module {} loc(" + "callsite(" * N + '"a"' + ' at "b")' * N + ")",
    "affine": lambda: "module attributes {a.m = affine_map<(d0) -> (" + "(" * N + "d0" + ")" * N + ")>} {}",
    "minus": lambda: "module attributes {a.m = affine_map<(d0) -> (" + "-" * N + "d0)>} {}",
    "spaced": lambda: "module attributes {a.m = affine_map<(d0) -> (" + "- " * N + "d0)>} {}",
    "named-attribute": lambda: named("#a0 = [1]\n", "#a{} = [#a{}]\n", "func.func private @g() attributes {{x.y = #a{}}}"),
    "named-type": lambda: named("!a0 = i1\n", "!a{} = tuple<!a{}>\n", "func.func private @g(!a{})"),
    "named-location": lambda: named('#l0 = loc("a")\n', '#l{} = loc(callsite("b" at #l{}))\n', "func.func private @g() loc(#l{})"),
    "string": lambda: BODY + 'module attributes {a.b = "' + '\\"' + "([{<" * N + '"} {}',
    "comment": lambda: "// " + "([{<" * N + "\n" + BODY,
    "arrows": lambda: BODY + "".join(f"func.func private @g{k}(() -> ()) -> (() -> ())\n" for k in range(2000)),
    "chain": lambda: "func.func @f(%v0: tensor<4xf32>) -> tensor<4xf32> {\n"
    + "".join(f"  %v{k + 1} = arith.negf %v{k} : tensor<4xf32>\n" for k in range(N))
    + f"  return %v{N} : tensor<4xf32>\n}}\n",
}

with open(sys.argv[1], "w") as file:
    file.write(KINDS[sys.argv[2]]())
