"""A picture of rows: how fast each is, over how much it computes for each byte.

Roofs are what was measured in the same hour: the fastest copy, and for each type the
fastest bare product.
"""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 560, 70, 20, 40, 50
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")


def points_of(rows):
    """Id, type, operations a byte and operations a second of rows that say both."""
    return [(row["id"], row["types"], row["flops"] / row["bytes"], row["flops"] / row["fuse_us"] * 1e6)
            for row in rows if row.get("flops") and row.get("bytes")]


def roofs_of(rows):
    """Bytes a second of the fastest copy, and operations a second of the fastest bare product of each type."""
    copies = [row["bytes"] / row["floor_us"] * 1e6 for row in rows if row.get("bytes") and row["floor_us"]]
    products = {}
    for row in rows:
        if row.get("flops") and row["bare_us"]:
            rate = row["flops"] / row["bare_us"] * 1e6
            products[row["types"]] = max(products.get(row["types"], 0), rate)
    return max(copies, default=None), products


# Microseconds of the smallest kernel in a CUDA graph of such kernels.
LAUNCH = 1.05


def least_of(row, rows):
    """Microseconds that a row takes at least: its launches, and then its bytes or its operations, whichever takes longer, at
    the rate of whatever was the fastest of all rows, copies, products and fuse's own kernels; None if nothing is known."""
    def width(types):
        return {"f16": "16 bits", "bf16": "16 bits"}.get(types, types)

    moved, products = 0, {}
    for other in rows:
        times = [time for time in (other["floor_us"], other["fuse_us"]) if time]
        moved = max(moved, *(other.get("bytes", 0) / time for time in times)) if times else moved
        if other["bare_us"] and other.get("flops"):
            kind = width(other["types"])
            products[kind] = max(products.get(kind, 0), other["flops"] / min(other["bare_us"], other["fuse_us"]))
    # By parts a product is three.
    if "tf32" in products:
        products["tf32x3"] = products["tf32"] / 3
    moving = row["bytes"] / moved if row.get("bytes") and moved else 0
    rate = products.get(width(row["types"]))
    computing = row["flops"] / rate if rate and row.get("flops") else 0
    return row["kernels"] * LAUNCH + max(moving, computing) if moving or computing else None


class Axes:
    """Both logarithmic, over whole decades."""

    def __init__(self, xs, ys):
        self.x0, self.x1 = math.floor(math.log10(min(xs))), math.ceil(math.log10(max(xs)) + 1e-9)
        self.y0, self.y1 = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)) + 1e-9)

    def x(self, value):
        share = (math.log10(value) - self.x0) / max(self.x1 - self.x0, 1)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        share = (math.log10(value) - self.y0) / max(self.y1 - self.y0, 1)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, color="#333", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x0, y0, x1, y1, color, dashes=""):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{color}"{dashed}/>'


def place(taken, x, y, name):
    """Where a name stands that covers none before it, as near to its point as there is room."""
    width, height = 7 * len(name), 11
    for step in (0, 1, -1, 2, -2, 3, -3, 4, -4):
        found = x, y + step * height
        if all(abs(found[1] - other[1]) >= height or found[0] >= other[0] + other[2] or other[0] >= found[0] + width
               for other in taken):
            break
    else:
        found = x, y
    taken.append((*found, width))
    return found


def svg(rows, title):
    """The picture, or None if no row can be in it."""
    points = points_of(rows)
    if not points:
        return None
    copy, products = roofs_of(rows)
    xs = [point[2] for point in points]
    # Where the slope begins is in the picture, too.
    axes = Axes(xs, [point[3] for point in points] + list(products.values()) + ([min(xs) * copy] if copy else []))
    types = sorted({point[1] for point in points})
    color = {name: COLORS[number % len(COLORS)] for number, name in enumerate(types)}
    made = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
            'font-size="12"><rect width="100%" height="100%" fill="white"/>', text(LEFT, 20, title)]
    bottom = HEIGHT - BOTTOM
    for power in range(axes.x0, axes.x1 + 1):
        x = axes.x(10 ** power)
        made += [line(x, TOP, x, bottom, "#eee"), text(x, bottom + 18, f"{10.0 ** power:g}", anchor="middle")]
    for power in range(axes.y0, axes.y1 + 1):
        y = axes.y(10 ** power)
        made += [line(LEFT, y, WIDTH - RIGHT, y, "#eee"), text(LEFT - 6, y + 4, f"{10.0 ** (power - 12):g}", anchor="end")]
    made += [text(WIDTH / 2, HEIGHT - 12, "operations for each byte of inputs and outputs", anchor="middle"),
             text(6, TOP - 8, "TFLOP/s")]
    if copy:
        # The part of the slope that is in the picture.
        x0, x1 = max(10.0 ** axes.x0, 10.0 ** axes.y0 / copy), min(10.0 ** axes.x1, 10.0 ** axes.y1 / copy)
        if x0 < x1:
            made += [line(axes.x(x0), axes.y(x0 * copy), axes.x(x1), axes.y(x1 * copy), "#555", "6 3"),
                     text(axes.x(x0) + 4, axes.y(x0 * copy) - 6, f"copy, {copy / 1e12:.3g} TB/s")]
    for name, rate in products.items():
        x0 = min(max(10.0 ** axes.x0, rate / copy if copy else 0), 10.0 ** axes.x1)
        made += [line(axes.x(x0), axes.y(rate), WIDTH - RIGHT, axes.y(rate), color[name], "6 3"),
                 text(WIDTH - RIGHT, axes.y(rate) - 4, f"bare product, {name}", color[name], "end")]
    taken = []
    for name, element, intensity, rate in points:
        x, y = axes.x(intensity), axes.y(rate)
        made += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color[element]}"/>',
                 text(*place(taken, x + 5, y + 4, name), name, color[element])]
    return "\n".join(made) + "\n</svg>\n"
