"""LLVM IR for a GPU, as it is for a processor: what only a GPU has are calls of the C++ beside this."""

import re

from assembly import Unknown, assembly, define, loaded, passed, stored

# Intrinsics, by name without `llvm.nvvm.`, and the function that does it.
CALLS = {
    "read.ptx.sreg.tid.x": "emuTid",
    "read.ptx.sreg.ctaid.x": "emuCtaid",
    "read.ptx.sreg.nctaid.x": "emuNctaid",
    "cp.async.commit.group": "emuCpAsyncCommit",
    "cp.async.wait.group": "emuCpAsyncWait",
    "shfl.sync.bfly.i32": "emuShflBfly",
    "shfl.sync.idx.i32": "emuShflIdx",
    "bar.warp.sync": "emuSyncWarp",
}
RUNTIME = """
declare i32 @emuTid()
declare i32 @emuCtaid()
declare i32 @emuNctaid()
declare i32 @emuRankInCluster()
declare ptr @emuShared()
declare i32 @emuBarrier(i32, i32, i32)
declare void @emuBarrierArrive(i32, i32)
declare void @emuSyncWarp(i32)
declare void @emuMeetCluster()
declare void @emuBarrierInit(ptr, i32)
declare void @emuArrive(ptr)
declare void @emuArriveExpecting(ptr, i32)
declare void @emuArriveElsewhere(ptr, i32)
declare ptr @emuElsewhere(ptr, i32)
declare void @emuWaitForPhase(ptr, i32)
declare void @emuEngineLoad(ptr, ptr, i32, ptr, ptr, i32)
declare void @emuEngineStore(ptr, i32, ptr, ptr)
declare void @emuEngineCommit()
declare void @emuEngineWait(i32, i32)
declare void @emuWgmma(ptr, i32, ptr, i32, ptr, ptr)
declare void @emuWgmmaWait(i32, ptr, i32)
declare void @emuTouch(ptr, i32, i32)
declare void @emuCheckAligned(ptr, i32)
declare void @emuWaitForOthers()
declare void @emuWrote(ptr, i32)
declare void @emuEnd(i32)
declare void @emuRead(ptr, i32)
declare void @emuFence()
declare void @emuCpAsyncCommit()
declare void @emuCpAsyncWait(i32)
declare void @emuCpAsync(ptr, ptr, i32, i32)
declare i32 @emuShflBfly(i32, i32, i32, i32)
declare i32 @emuShflIdx(i32, i32, i32, i32)
declare i32 @emuVoteAll(i32)
declare i32 @emuVoteAny(i32)
declare void @emuLdmatrix(ptr, ptr, i32, i32)
declare void @emuStmatrix(ptr, ptr, i32, i32)
declare void @emuMmaTf32(ptr, ptr)
declare void @emuMmaF16(ptr, ptr)
declare void @emuMmaBf16(ptr, ptr)
declare float @exp2f(float)
declare float @log2f(float)
declare float @sinf(float)
declare float @cosf(float)
declare float @tanhf(float)
declare float @sqrtf(float)
"""
BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}


def intrinsic(name, declaration):
    """A function that does what an intrinsic does."""
    own = "emu." + name
    result, parameters = re.fullmatch(r"declare (.*?) @\S+\((.*)\).*", declaration).groups()
    result = re.sub(r"\b(noundef|range\([^)]*\)) ?", "", result).strip()
    kinds = [re.match(r"<[^>]*>|\S+", p.strip())[0] for p in parameters.split(",") if p.strip()]
    head = define(own, result, kinds)
    if name in CALLS:
        call = f"call {result} @{CALLS[name]}({passed(kinds)})"
        lines = ["  " + call, "  ret void"] if result == "void" else [f"  %r = {call}", f"  ret {result} %r"]
        return [head, *lines, "}"]
    if name.startswith("barrier.cta.sync.aligned.all"):
        return [head, "  %r = call i32 @emuBarrier(i32 %a0, i32 0, i32 0)", "  ret void", "}"]
    if name == "f2tf32.rn":
        # To the nearest, of two the even one; infinities and NaNs stay.
        return [head, "  %i = bitcast float %a0 to i32", "  %s = lshr i32 %i, 13", "  %o = and i32 %s, 1", "  %h = add i32 %o, 4095",
                "  %u = add i32 %i, %h", "  %k = and i32 %u, -8192", "  %d = fsub float %a0, %a0", "  %f = fcmp ord float %d, %a0",
                "  %r = select i1 %f, i32 %k, i32 %i", "  ret i32 %r", "}"]
    if name == "prmt":
        lines = [head, "  %h = zext i32 %a1 to i64", "  %u = shl i64 %h, 32", "  %l = zext i32 %a0 to i64", "  %p = or i64 %u, %l"]
        for i in range(4):
            # A nibble whose upper bit is set would repeat a sign; no code has one.
            lines += [f"  %s{i} = lshr i32 %a2, {4 * i}", f"  %n{i} = and i32 %s{i}, 7", f"  %m{i} = shl i32 %n{i}, 3",
                      f"  %w{i} = zext i32 %m{i} to i64", f"  %q{i} = lshr i64 %p, %w{i}", f"  %t{i} = trunc i64 %q{i} to i32",
                      f"  %b{i} = and i32 %t{i}, 255", f"  %c{i} = shl i32 %b{i}, {8 * i}",
                      f"  %r{i} = or i32 %c{i}, {f'%r{i - 1}' if i else '0'}"]
        return lines + ["  ret i32 %r3", "}"]
    if match := re.fullmatch(r"vote\.(all|any)\.sync", name):
        return [head, "  %w = zext i1 %a1 to i32", f"  %r = call i32 @emuVote{match[1].capitalize()}(i32 %w)",
                "  %b = trunc i32 %r to i1", "  ret i1 %b", "}"]
    if match := re.fullmatch(r"cp\.async\.c[ag]\.shared\.global\.(\d+)(\.s)?", name):
        bytes_ = "%a2" if match[2] else match[1]
        return [head, f"  call void @emuCpAsync(ptr %a0, ptr %a1, i32 {match[1]}, i32 {bytes_})", "  ret void", "}"]
    if match := re.fullmatch(r"ldmatrix\.sync\.aligned\.m8n8\.x(\d)(\.trans)?\.b16\.p3", name):
        count = int(match[1])
        lines = [head, f"  %m = alloca [{count} x i32]",
                 f"  call void @emuLdmatrix(ptr %m, ptr %a0, i32 {count}, i32 {int(bool(match[2]))})"]
        return lines + loaded(result, "i32", count)
    if match := re.fullmatch(r"stmatrix\.sync\.aligned\.m8n8\.x(\d)(\.trans)?\.b16\.p3", name):
        count = int(match[1])
        lines = [head] + stored("%m", "i32", [f"%a{i + 1}" for i in range(count)])
        return lines + [f"  call void @emuStmatrix(ptr %a0, ptr %m, i32 {count}, i32 {int(bool(match[2]))})",
                        "  ret void", "}"]
    if match := re.fullmatch(r"mma\.m16n8k(?:8|16)\.row\.col\.(tf32|f32\.f32|bf16)", name):
        lines = [head, "  %n = alloca [6 x i32]"]
        for i in range(6):
            lines += [f"  %n{i} = getelementptr i32, ptr %n, i64 {i}", f"  store {kinds[i]} %a{i}, ptr %n{i}"]
        lines += stored("%m", "float", [f"%a{6 + i}" for i in range(4)])
        element = {"tf32": "tf32", "f32.f32": "f16", "bf16": "bf16"}[match[1]]
        return lines + [f"  call void @emuMma{element.capitalize()}(ptr %m, ptr %n)"] + loaded(result, "float", 4)
    raise Unknown(name)


def bytes_of(kind):
    count, element = re.fullmatch(r"(?:<(\d+) x )?([\w]+)>?", kind).groups()
    return int(count or 1) * (((BITS.get(element) or int(element[1:])) + 7) // 8)


def with_own_memory(function):
    """Shared memory is a block's own: what is computed from its address is computed at the start."""
    made = {}

    def name(expression, prefix):
        return made.setdefault(expression, f"%{prefix}.{len(made)}")
    function = re.sub(r"getelementptr (?:inbounds |nuw |nusw )*\(i8, ptr @fuse_shared, i(?:32|64) (-?\d+)\)",
                      lambda match: name(f"getelementptr i8, ptr %shared, i64 {match[1]}", "shared"), function)
    function = re.sub(r"ptrtoint \(ptr (%shared\.\d+|@fuse_shared) to i32\)",
                      lambda match: name(f"ptrtoint ptr {match[1].replace('@fuse_', '%')} to i32", "address"), function)
    function = function.replace("@fuse_shared", "%shared")
    if "%shared" not in function:
        return function
    lines = ["  %shared = call ptr @emuShared()"] + [f"  {own} = {expression}" for expression, own in made.items()]
    head, rest = function.split("\n", 1)
    return "\n".join([head, *lines, rest])


def watched(text):
    """Memory is touched where there is some, and as aligned as ops say, which a processor does not mind. What reads
    shared memory beside threads has to know what they write, and what writes it what they read."""
    is_read_beside = "wgmma." in text or "cp.async.bulk" in text
    address = r"%\S+?|@fuse_shared|getelementptr [^()]*\([^()]*(?:\([^()]*\)[^()]*)?\)"

    def with_calls(match):
        line, op, kind, space, where, alignment = match.groups()
        lines = [line]
        if space == "1":
            lines.insert(0, f"  call void @emuTouch(ptr {where}, i32 {bytes_of(kind)}, i32 {alignment})")
        elif int(alignment) > 4:
            lines.insert(0, f"  call void @emuCheckAligned(ptr {where}, i32 {alignment})")
        if space == "3" and is_read_beside:
            lines.append(f"  call void @emu{'Wrote' if op == 'store' else 'Read'}(ptr {where}, i32 {bytes_of(kind)})")
        return "\n".join(lines)
    return re.sub(r"^( *(?:%\S+ = )?(load|store) (?:volatile )?(<[^>]*>|\w+).*, ptr addrspace\(([13])\) "
                  rf"({address}), align (\d+)(?:, ![^\n]*)?)$", with_calls, text, flags=re.M)


def launcher(name, parameters):
    """A function that is called with where the arguments are."""
    lines, arguments, sizes = [f"define void @run_{name}(ptr %p) {{"], [], []
    for i, parameter in enumerate(filter(None, parameters.split(", "))):
        kind, *rest = parameter.split()
        lines += [f"  %q{i} = getelementptr ptr, ptr %p, i64 {i}", f"  %r{i} = load ptr, ptr %q{i}"]
        # Of a tensor map the kernel has the address.
        if "nonnull" in rest:
            arguments.append(f"ptr %r{i}")
            sizes.append(128)
            continue
        sizes.append(int(kind[1:]) // 8 if kind.startswith("i") else 8)
        lines.append(f"  %v{i} = load {kind}, ptr %r{i}")
        arguments.append(f"{kind} %v{i}")
    listed = ", ".join(f"i8 {size}" for size in [*sizes, 0])
    return [f"@sizes_{name} = constant [{len(sizes) + 1} x i8] [{listed}]", *lines,
            f"  call void @{name}({', '.join(arguments)})", "  ret void", "}"]


def translate(text):
    text = re.sub(r" addrspace\(\d\)", "", watched(text))
    text = re.sub(r"\b(ptx_kernel|noalias|captures\(none\)) ?", "", text)
    text = re.sub(r'ptr byval\(\[128 x i8\]\) align \d+ "nvvm.grid_constant"', "ptr nonnull", text)
    text = re.sub(r"^@fuse_shared = .*$", "", text, flags=re.M)
    text = re.sub(r"^define .*?^\}$", lambda match: with_own_memory(match[0]), text, flags=re.M | re.S)
    made, functions = {}, []

    def call(match):
        result, code, constraints, arguments = match.groups()
        kinds = tuple(argument.split()[0] for argument in arguments.split(", ") if argument)
        key = result, code, constraints, kinds
        if key not in made:
            made[key] = f"asm.{len(made)}"
            functions.extend(assembly(made[key], result, code, constraints, kinds))
        return f"call {result} @{made[key]}({arguments})"
    text = re.sub(r'call (\{[^}]*\}|\S+) asm (?:sideeffect )?"([^"]*)", "([^"]*)"\(([^()]*)\)', call, text)
    for declaration in re.findall(r"^declare .*@llvm\.nvvm\..*$", text, re.M):
        name = re.search(r"@llvm\.nvvm\.([\w.]+)\(", declaration)[1]
        functions.extend(intrinsic(name, declaration))
        text = text.replace(declaration, "")
        text = re.sub(rf"@llvm\.nvvm\.{re.escape(name)}\(", f"@emu.{name}(", text)
    for name, parameters in re.findall(r"^define void @(\w+)\((.*?)\) ?(?:#\d+ )?(?:.*)\{$", text, re.M):
        functions += launcher(name, parameters)
    return text + RUNTIME + "\n".join(functions) + "\n"
