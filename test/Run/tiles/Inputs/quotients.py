"""Divides by what --tile-share-reciprocals makes, and compares with quotients.

usage: quotients.py FOLDER

Numbers of all sizes, zeros, infinities and NaNs, of every type. What is a normal
number and not next to the largest has to be the right one, other numbers may be
one unit in the last place from it. Signs of zeros count.
"""

import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Inputs"))
import check

ROWS, COLUMNS = 300, 64


def some_codes(kind, random_numbers, count):
    """Bit patterns: special ones, those of numbers near 1, and any."""
    top = kind.sign
    one = kind.bias << kind.mantissa
    special = [0, 1, 2, (1 << kind.mantissa) - 1, 1 << kind.mantissa, one, kind.infinity, kind.infinity - 1,
               kind.infinity + 1]
    codes = []
    for _ in range(count):
        what = random_numbers.random()
        if what < 0.1:
            code = random_numbers.choice(special)
        elif what < 0.5:
            code = one + random_numbers.randrange(-4 << kind.mantissa, 4 << kind.mantissa)
        else:
            code = random_numbers.randrange(top)
        codes.append(code | random_numbers.choice([0, top]))
    return codes


def quotient(x, d):
    if x != x or d != d:
        return check.nan
    if d == 0 or x in (check.inf, -check.inf):
        if x == 0 or (d in (check.inf, -check.inf)):
            return check.nan
        negative = (check.math.copysign(1, x) < 0) != (check.math.copysign(1, d) < 0)
        return -check.inf if negative else check.inf
    if x == 0 or d in (check.inf, -check.inf):
        return 0.0 * check.math.copysign(1, x) * check.math.copysign(1, d)
    return check.Fraction(x) / check.Fraction(d)


def wrong_in(name, folder):
    kind = check.TYPES[name]
    numbers = random.Random(len(name) * 1000 + kind.size)
    path = os.path.join(folder, name)
    with open(os.path.join(HERE, "divide.mlir")) as file:
        text = file.read().replace("TYPE", name)
    with open(path + ".mlir", "w") as file:
        file.write(text)
    subprocess.run(["fuse-opt", path + ".mlir", "--tile-share-reciprocals", "-o", path + ".shared.mlir"], check=True)
    with open(path + ".shared.mlir") as file:
        assert "arith.divf %" in file.read()
    xs, ds = some_codes(kind, numbers, ROWS * COLUMNS), some_codes(kind, numbers, ROWS)
    arrays = {"x": check.Bits((ROWS, COLUMNS), xs), "d": check.Bits((ROWS,), ds)}
    for argument, array in arrays.items():
        check.write_npy(f"{path}.{argument}.npy", kind, array)
    subprocess.run(["fuse-run", path + ".shared.mlir", "--target=cpu", f"--input=0={path}.x.npy",
                    f"--input=1={path}.d.npy", f"--output=0={path}.y.npy"], check=True, stdout=subprocess.DEVNULL)
    with open(path + ".y.npy", "rb") as file:
        data = file.read()[-ROWS * COLUMNS * kind.size:]
    least = 1 << kind.mantissa
    wrong = 0
    for i in range(ROWS * COLUMNS):
        got = int.from_bytes(data[i * kind.size:(i + 1) * kind.size], "little")
        x, d = kind.decode(xs[i]), kind.decode(ds[i // COLUMNS])
        want = kind.encode(quotient(x, d))
        size = want & (kind.sign - 1)
        is_nan = size > kind.infinity
        if is_nan:
            right = got & (kind.sign - 1) > kind.infinity
        elif 2 * least <= size < kind.infinity - 2 and abs(x) >= 2.0 ** (1 - kind.bias + kind.mantissa):
            right = got == want
        else:
            right = abs(got - want) <= 1
        if not right:
            wrong += 1
            if wrong < 5:
                print(f"{name}: {x} / {d} is {kind.decode(got)}, not {kind.decode(want)}")
    return wrong


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    wrong = {name: wrong_in(name, folder) for name in ("f16", "bf16", "f32", "f64")}
    print(f"wrong: {wrong}")
    return any(wrong.values())


sys.exit(main())
