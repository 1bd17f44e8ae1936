"""Functions in LLVM IR that do what pieces of assembly do, for translate.py.

A piece is known by its instructions; those that nobody knows are told. `kinds` are
the types of what a piece is called with.
"""

import re

# A piece that is one such instruction is one call. Operands are those of the piece,
# in their order.
CALLS = {
    r"mbarrier\.init\.shared::cta\.b64 \[\$0\], \$1": "emuBarrierInit",
    r"mbarrier\.arrive\.expect_tx\.shared::cta\.b64 _, \[\$0\], \$1": "emuArriveExpecting",
    r"mbarrier\.arrive\.shared::cta\.b64 _, \[\$0\]": "emuArrive",
    r"mapa\.shared::cluster\.u32 there, \$0, \$1; mbarrier\.arrive\.shared::cluster\.b64 _, \[there\]":
        "emuArriveElsewhere",
    r"mbarrier\.try_wait\.parity\.shared::cta\.b64 done, \[\$0\], \$1; @done bra\.uni over; bra\.uni again":
        "emuWaitForPhase",
    r"barrier\.cluster\.arrive\.(release|relaxed)(\.aligned)?; barrier\.cluster\.wait\.acquire(\.aligned)?": "emuMeetCluster",
    r"fence\.(proxy\.async\.shared::cta|mbarrier_init\.release\.cluster)": "emuFence",
}
# What makes no difference here: hints, registers that change hands, that others may begin,
# a branch that is never taken, and nothing.
NOTHING = re.compile(r"|(@\$1 )?prefetch\.(global\.L2|tensormap) \[\$0\]|setmaxnreg\.(inc|dec)\.sync\.aligned\.u32 \d+"
                     r"|setp\.ne\.b32 other, \$0, 0x7fa5c3d1; @other bra over; nanosleep\.u32 20"
                     r"|griddepcontrol\.launch_dependents(; mov\.b64 \$0, 0)?|mov\.b64 \$0, 0")

APPROXIMATE = {"ex2": "exp2f", "lg2": "log2f", "sin": "sinf", "cos": "cosf", "tanh": "tanhf", "sqrt": "sqrtf"}
TYPES = ["f16", "bf16", "tf32", "e4m3"]
FENCE, COMMIT, MULTIPLY = range(3)


class Unknown(Exception):
    """An instruction that nobody does here."""


def fields(result, words):
    """IR that returns the numbered `words` as `result`."""
    if not result.startswith("{"):
        return [f"  ret {result} {words[0]}"]
    lines, value = [], "poison"
    kind = result.strip("{} ").split(",")[0]
    for number, word in enumerate(words):
        lines.append(f"  %f{number} = insertvalue {result} {value}, {kind} {word}, {number}")
        value = f"%f{number}"
    return lines + [f"  ret {result} {value}"]


def loaded(result, kind, count):
    """IR that returns what is in %m."""
    lines = []
    for i in range(count):
        lines += [f"  %l{i} = getelementptr {kind}, ptr %m, i64 {i}", f"  %w{i} = load {kind}, ptr %l{i}"]
    return lines + fields(result, [f"%w{i}" for i in range(count)]) + ["}"]


def stored(memory, kind, values):
    """IR that keeps `values` in `memory`, which is made."""
    lines = [f"  {memory} = alloca [{max(1, len(values))} x {kind}]"]
    for i, value in enumerate(values):
        lines += [f"  {memory}.{i} = getelementptr {kind}, ptr {memory}, i64 {i}",
                  f"  store {kind} {value}, ptr {memory}.{i}"]
    return lines


def passed(kinds):
    return ", ".join(f"{kind} %a{i}" for i, kind in enumerate(kinds))


def define(name, result, kinds):
    return f"define {result} @{name}({passed(kinds)}) {{"


def numbers_in(text):
    return [int(number) for number in re.findall(r"\$(\d+)", text)]


def count_of(result):
    return result.count(",") + 1 if result.startswith("{") else int(result != "void")


def instructions(text):
    """Without registers, labels and braces around all."""
    found = []
    for line in text.replace("\\09", "").split("\\0A"):
        line = line.strip()
        if line not in ("{", "}") and not line.startswith(".reg") and not line.endswith(":"):
            found += [part.strip() for part in line.split(";") if part.strip()]
    return found


def touch(address, space, bytes_):
    """All of an access is aligned."""
    if space == "shared":
        return f"  call void @emuCheckAligned(ptr {address}, i32 {bytes_})"
    return f"  call void @emuTouch(ptr {address}, i32 {bytes_}, i32 {bytes_})"


def read_memory(name, result, match):
    count, width = int(match[2] or 1), int(match[3])
    # A byte is in a register of 16 bits.
    word = result if count == 1 else f"i{width}"
    body = [f"define {result} @{name}(ptr %p, i1 %c) {{", "  br i1 %c, label %read, label %none", "none:"]
    body += fields(result, ["0"] * count) + ["read:", touch("%p", match[1], count * width // 8)]
    for i in range(count):
        body += [f"  %p{i} = getelementptr i8, ptr %p, i64 {i * width // 8}"]
        body += ([f"  %w{i} = load {word}, ptr %p{i}"] if word != "i16" or width == 16 else
                 [f"  %n{i} = load i8, ptr %p{i}", f"  %w{i} = zext i8 %n{i} to i16"])
    if match[1] == "shared":
        body.append(f"  call void @emuRead(ptr %p, i32 {count * width // 8})")
    return body + [line.replace("%f", "%g") for line in fields(result, [f"%w{i}" for i in range(count)])] + ["}"]


def read_chunks(name, result, kinds, parts):
    """Several vectors of four words, each on a condition, or 0."""
    loads = [re.fullmatch(r"@\$(\d+) ld\.global\.nc\.v4\.b32 (\{[^}]*\}), \[\$(\d+)\]", part) for part in parts if "ld." in part]
    count = count_of(result)
    words = [numbers_in(load[2]) for load in loads if load]
    if len(words) != len(loads) or sum(words, []) != list(range(count)):
        raise Unknown("; ".join(parts))
    body = [define(name, result, kinds)] + stored("%m", "i32", ["0"] * count)
    for number, load in enumerate(loads):
        condition, address = (int(load[place]) - count for place in (1, 3))
        body += [f"  br i1 %a{condition}, label %read{number}, label %next{number}", f"read{number}:",
                 touch(f"%a{address}", "global", 16)]
        for word in range(4):
            body += [f"  %p{number}.{word} = getelementptr i32, ptr %a{address}, i64 {word}",
                     f"  %v{number}.{word} = load i32, ptr %p{number}.{word}",
                     f"  %q{number}.{word} = getelementptr i32, ptr %m, i64 {4 * number + word}",
                     f"  store i32 %v{number}.{word}, ptr %q{number}.{word}"]
        body += [f"  br label %next{number}", f"next{number}:"]
    return body + loaded(result, "i32", count)


def write_memory(name, kinds, match):
    is_shared, count, width = match[1] == "shared", int(match[2] or 1), int(match[3])
    body = [define(name, "void", kinds), f"  br i1 %a{count + 1}, label %write, label %end", "write:",
            touch(f"%a{count}", match[1], count * width // 8)]
    for i in range(count):
        body += [f"  %p{i} = getelementptr i8, ptr %a{count}, i64 {i * width // 8}"]
        body += ([f"  store {kinds[i]} %a{i}, ptr %p{i}"] if width != 8 else
                 [f"  %n{i} = trunc i16 %a{i} to i8", f"  store i8 %n{i}, ptr %p{i}"])
    if is_shared:
        body += [f"  call void @emuWrote(ptr %a{count}, i32 {count * width // 8})"]
    return body + ["  br label %end", "end:", "  ret void", "}"]


def write_elsewhere(name, kinds, count, width):
    """In another block of the cluster."""
    word, is_guarded = f"i{width}", len(kinds) == count + 3
    body = [define(name, "void", kinds)]
    body += [f"  br i1 %a{count + 2}, label %write, label %end", "write:"] if is_guarded else []
    body += ["  %p = call ptr @emuElsewhere(ptr %a0, i32 %a1)", touch("%p", "shared", count * width // 8)]
    body += ["  %n = trunc i16 %a2 to i8"] if width == 8 else []
    for i in range(count):
        body += [f"  %p{i} = getelementptr i8, ptr %p, i64 {i * width // 8}",
                 f"  store {word} {'%n' if width == 8 else f'%a{i + 2}'}, ptr %p{i}"]
    body += [f"  call void @emuWrote(ptr %p, i32 {count * width // 8})"]
    body += ["  br label %end", "end:"] if is_guarded else []
    return body + ["  ret void", "}"]


def approximate(name, instruction):
    body = [f"define float @{name}(float %x) {{"]
    if instruction == "rcp":
        body += ["  %y = fdiv float 1.0, %x"]
    elif instruction == "rsqrt":
        body += ["  %r = call float @sqrtf(float %x)", "  %y = fdiv float 1.0, %r"]
    elif instruction in APPROXIMATE:
        body += [f"  %y = call float @{APPROXIMATE[instruction]}(float %x)"]
    else:
        raise Unknown(instruction)
    return body + ["  ret float %y", "}"]


def multiply_or_zero(name):
    """x * y, and 0 below the least normal number, as of factors below it."""
    lines = [f"define float @{name}(float %x, float %y) {{"]
    for value in "xy":
        lines += flushed(value)
    return lines + ["  %p = fmul float %xf, %yf"] + flushed("p") + ["  ret float %pf", "}"]


def flushed(value):
    """IR for `%valuef`, which is 0 where the float is below the least normal number."""
    return [f"  %{value}a = call float @llvm.fabs.f32(float %{value})",
            f"  %{value}c = fcmp olt float %{value}a, 0x3810000000000000",
            f"  %{value}z = call float @llvm.copysign.f32(float 0.0, float %{value})",
            f"  %{value}f = select i1 %{value}c, float %{value}z, float %{value}"]


def engine_copy(name, kinds, parts):
    """Between memory and shared memory."""
    text = "; ".join(parts)
    tensor = r"cp\.async\.bulk\.tensor\.(\d)d\."
    box = r"\[\$(\d+), \{([^}]*)\}\]"
    if match := re.fullmatch(tensor + r"shared::cluster\.global\.tile\.mbarrier::complete_tx::bytes"
                             r"(\.multicast::cluster)? \[\$(\d+)\], " + box + r", \[\$(\d+)\](?:, \$(\d+))?", text):
        rank, multicast, to, from_, place, barrier, blocks = match.groups()
        lines = [define(name, "void", kinds)] + stored("%m", "i32", [f"%a{at}" for at in numbers_in(place)])
        if multicast:
            lines.append(f"  %blocks = zext i16 %a{blocks} to i32")
        lines.append(f"  call void @emuEngineLoad(ptr %a{to}, ptr %a{from_}, i32 {rank}, ptr %m, ptr %a{barrier}, "
                     + ("i32 %blocks)" if multicast else "i32 0)"))
        return lines + ["  ret void", "}"]
    if match := re.fullmatch(r"@\$(\d+) " + tensor + r"global\.shared::cta\.tile\.bulk_group " + box
                             + r", \[\$(\d+)\](; @\$\1 cp\.async\.bulk\.commit_group)?", text):
        guard, rank, to, place, from_, commit = match.groups()
        lines = [define(name, "void", kinds), f"  br i1 %a{guard}, label %store, label %end", "store:"]
        lines += stored("%m", "i32", [f"%a{at}" for at in numbers_in(place)])
        lines.append(f"  call void @emuEngineStore(ptr %a{to}, i32 {rank}, ptr %m, ptr %a{from_})")
        lines += ["  call void @emuEngineCommit()"] * bool(commit)
        return lines + ["  br label %end", "end:", "  ret void", "}"]
    if match := re.fullmatch(r"cp\.async\.bulk\.wait_group(\.read)? (\d+)", text):
        return [define(name, "void", kinds), f"  call void @emuEngineWait(i32 {match[2]}, i32 {int(bool(match[1]))})",
                "  ret void", "}"]
    raise Unknown(text)


def wgmma_steps(parts, first_input):
    """What Product.h calls steps, and the numbers of what they take: words, and descriptors."""
    steps, words, descriptors, added = [], [], [], {}

    def descriptor(name):
        number, offset = added[name]
        if number not in descriptors:
            descriptors.append(number)
        return [descriptors.index(number), offset]
    for part in parts:
        if part == "wgmma.fence.sync.aligned":
            steps.append([FENCE] + [0] * 11)
        elif part == "wgmma.commit_group.sync.aligned":
            steps.append([COMMIT] + [0] * 11)
        elif match := re.fullmatch(r"add\.s64 (\w+), \$(\d+), (-?\d+)", part):
            added[match[1]] = int(match[2]), int(match[3])
        elif match := re.fullmatch(r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.f32\.(\w+)\.(\w+) \{([^}]*)\}, "
                                   r"(\{[^}]*\}|\w+), (\w+), ([01]), 1, 1((?:, [01])*)", part):
            columns, depth, type_, other, sums, left, right, goes_on, transposed = match.groups()
            if type_ not in TYPES or type_ != other or int(depth) * {"tf32": 4, "e4m3": 1}.get(type_, 2) != 32:
                raise Unknown(part)
            written = numbers_in(sums)
            if written != list(range(written[0], written[0] + int(columns) // 2)) or written[-1] >= first_input:
                raise Unknown(part)
            flags = [int(flag) for flag in re.findall(r"[01]", transposed)]
            is_held = left.startswith("{")
            if len(flags) != (0 if TYPES.index(type_) > 1 else 1 if is_held else 2):
                raise Unknown(part)
            step = [MULTIPLY, int(columns), written[0], TYPES.index(type_), 1 - int(goes_on)]
            step += [0] * (2 - len(flags)) + flags
            if is_held:
                step += [len(words), 0, 0]
                words += numbers_in(left)
            else:
                step += [-1] + descriptor(left)
            steps.append(step + descriptor(right))
        else:
            raise Unknown(part)
    return steps, [number - first_input for number in words], [number - first_input for number in descriptors]


def wgmma(name, result, constraints, kinds, parts):
    count = count_of(result)
    inputs = [c for c in constraints.split(",") if not c.startswith(("=", "~"))]
    # Those that are results, too, come in the order of the results.
    tied = {int(constraint): number for number, constraint in enumerate(inputs) if constraint.isdigit()}
    sums = [f"%a{tied[i]}" if i in tied else "0.0" for i in range(count)]
    steps, words, descriptors = wgmma_steps(parts, count)
    numbers = [number for step in steps for number in step]
    table = f"@steps.{name} = private constant [{len(numbers)} x i32] [" + ", ".join(f"i32 {n}" for n in numbers) + "]"
    lines = [table, define(name, result, kinds)] + stored("%m", "float", sums)
    lines += stored("%words", "i32", [f"%a{number}" for number in words])
    lines += stored("%descriptors", "i64", [f"%a{number}" for number in descriptors])
    lines.append(f"  call void @emuWgmma(ptr @steps.{name}, i32 {len(steps)}, ptr %m, i32 {count}, ptr %words, "
                 "ptr %descriptors)")
    return lines + loaded(result, "float", count)


def wait_for_wgmma(name, result, kinds, most):
    """`most` is none where nothing is waited for."""
    lines = [define(name, result, kinds)] + stored("%m", "float", [f"%a{i}" for i in range(len(kinds))])
    if most is not None:
        lines.append(f"  call void @emuWgmmaWait(i32 {most}, ptr %m, i32 {len(kinds)})")
    return lines + (loaded(result, "float", len(kinds)) if kinds else ["  ret void", "}"])


def meet(name, result, kinds, parts):
    """Warps, at a barrier that has a number; they may ask whether something holds for some thread."""
    text = "; ".join(parts)
    if match := re.fullmatch(r"bar\.arrive (\$?\d+), (\d+)", text):
        number = match[1].replace("$", "%a")
        return [define(name, result, kinds), f"  call void @emuBarrierArrive(i32 {number}, i32 {match[2]})",
                "  ret void", "}"]
    if match := re.fullmatch(r"bar\.sync (\$?\d+), (\d+)", text):
        number, value = match[1], "0"
    elif match := re.fullmatch(r"setp\.ne\.s32 own, \$1, 0; bar\.red\.or\.pred any, (\$2), (\d+), own; "
                               r"selp\.s32 \$0, 1, 0, any", text):
        number, value = "$1", "%a0"
    else:
        raise Unknown(text)
    number = number.replace("$", "%a")
    lines = [define(name, result, kinds), f"  %r = call i32 @emuBarrier(i32 {number}, i32 {match[2]}, i32 {value})"]
    return lines + ["  ret void" if result == "void" else "  ret i32 %r", "}"]


def assembly(name, result, text, constraints, kinds):
    """A function that does what `text` says."""
    parts = instructions(text)
    whole, last = "; ".join(parts), parts[-1] if parts else ""
    if sum("ld.global" in part for part in parts) > 1:
        return read_chunks(name, result, kinds, parts)
    if whole == "lop3.b32 $0, $1, $2, $3, 0xCA":
        return [define(name, result, kinds), "  %set = and i32 %a0, %a1", "  %not = xor i32 %a0, -1",
                "  %clear = and i32 %not, %a2", "  %r = or i32 %set, %clear", "  ret i32 %r", "}"]
    if match := re.fullmatch(r"@\$\d+ ld\.(global|shared)(?:\.nc)?(?:\.v(\d))?\.[bu](\d+) .*", last):
        return read_memory(name, result, match)
    if match := re.fullmatch(r"@\$\d+ st\.(global|shared)(?:\.v(\d))?\.[bu](\d+) .*", last):
        return write_memory(name, kinds, match)
    if match := re.fullmatch(r"mapa\.shared::cluster\.u32 there, \$0, \$1; (?:@\$\d+ )?"
                             r"st\.shared::cluster(?:\.v(\d))?\.b(\d+) \[there\], .*", whole):
        return write_elsewhere(name, kinds, int(match[1] or 1), int(match[2]))
    if whole == "mul.rn.ftz.f32 $0, $1, $2":
        return multiply_or_zero(name)
    if match := re.fullmatch(r"(\w+)\.approx(?:\.ftz)?\.f32 \$0, \$1", whole):
        return approximate(name, match[1])
    if re.fullmatch(r"div\.full(?:\.ftz)?\.f32 \$0, \$1, \$2", whole):
        return [f"define float @{name}(float %x, float %y) {{", "  %q = fdiv float %x, %y", "  ret float %q", "}"]
    if re.fullmatch(r"griddepcontrol\.wait(; griddepcontrol\.launch_dependents)?; mov\.b64 \$0, 0", whole):
        return [f"define i64 @{name}() {{", "  call void @emuWaitForOthers()", "  ret i64 0", "}"]
    if whole == "@!$3 add.f32 $0, $1, $2":
        return [define(name, result, kinds), "  %s = fadd float %a0, %a1", "  %r = select i1 %a2, float %a0, float %s",
                "  ret float %r", "}"]
    if whole == "cvta.to.local.u64 $0, $1":
        return [f"define ptr @{name}(ptr %a0) {{", "  ret ptr %a0", "}"]
    if whole == "@$0 exit":
        return [define(name, result, kinds), "  %ends = zext i1 %a0 to i32", "  call void @emuEnd(i32 %ends)", "  ret void", "}"]
    if whole == "mov.u32 $0, %cluster_ctarank":
        return [f"define i32 @{name}() {{", "  %r = call i32 @emuRankInCluster()", "  ret i32 %r", "}"]
    for pattern, function in CALLS.items():
        if re.fullmatch(pattern, whole):
            return [define(name, "void", kinds), f"  call void @{function}({passed(kinds)})", "  ret void", "}"]
    if "wgmma.mma_async" in whole:
        return wgmma(name, result, constraints, kinds, parts)
    # Without a wait the sums stay as they are.
    if (match := re.fullmatch(r"wgmma\.wait_group\.sync\.aligned (\d+)", whole)) or (not whole and "float" in kinds):
        return wait_for_wgmma(name, result, kinds, match and match[1])
    if re.match(r"(@\$\d+ )?cp\.async\.bulk\.", whole):
        return engine_copy(name, kinds, parts)
    if "bar.sync" in whole or "bar.red" in whole or "bar.arrive" in whole:
        return meet(name, result, kinds, parts)
    # Numbers that go through a branch that is never taken.
    if re.fullmatch(r"@!\$\d+ bra over; nanosleep\.u32 20", whole):
        return [define(name, result, kinds)] + fields(result, [f"%a{i}" for i in range(count_of(result))]) + ["}"]
    if NOTHING.fullmatch(whole):
        return [define(name, result, kinds), "  ret void" if result == "void" else f"  ret {result} 0", "}"]
    raise Unknown(text)
