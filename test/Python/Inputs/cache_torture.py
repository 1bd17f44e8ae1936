"""The compile cache between processes that are killed, on disks that are full or not to be written, and with files that
somebody has damaged. Results are always right; what goes wrong costs time."""

import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time

import numpy

import fuse

CACHE = pathlib.Path("cache").absolute()


def graph_of(number):
    return f"""func.func @add(%x: tensor<8xf32>) -> tensor<8xf32> {{
  %c = arith.constant dense<{number}.0> : tensor<8xf32>
  %0 = arith.addf %x, %c : tensor<8xf32>
  return %0 : tensor<8xf32>
}}"""


OPEN = """func.func @f(%x: tensor<?x64xf32> {fuse.name = "x"}) -> tensor<?x64xf32> {
  %0 = arith.addf %x, %x : tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}"""
# Assembles to some bytes.
PTXAS = """#!/bin/sh
case $1 in
--version) echo "ptxas: release $FAKE_PTXAS_VERSION, V$FAKE_PTXAS_VERSION.1" ;;
*) while [ "$1" != --output-file ]; do shift; done; echo code > "$2" ;;
esac
"""


def run(number):
    """Compiles, or finds what was compiled; seconds that it took."""
    start = time.perf_counter()
    result = fuse.compile(graph_of(number), options=["opt-level=0"])(numpy.zeros(8, "float32"))
    assert (result == number).all(), (number, result)
    return time.perf_counter() - start


def files():
    return sorted(CACHE.rglob("*.fuse"))


def worker(seed):
    order = list(range(8)) * 3
    random.Random(seed).shuffle(order)
    for number in order:
        run(number)


def start(*arguments, **environment):
    return subprocess.Popen([sys.executable, __file__, *map(str, arguments)],
                            env={**os.environ, "FUSE_CACHE_DIR": str(CACHE), **environment})


def parallel_processes_and_kills():
    workers = [start("worker", seed) for seed in range(3)]
    victims = 0
    generator = random.Random(7)
    while victims < 8:
        victim = start("worker", 100 + victims)
        time.sleep(0.15 + generator.random() * 0.35)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        victims += 1
    assert [each.wait() for each in workers] == [0, 0, 0]
    assert len(files()) == 8, files()
    # Whatever is there is whole.
    for path in files():
        fuse.Image.read(path)


def damaged_files_are_made_again():
    for path in files():
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    files()[0].write_bytes(b"")
    files()[1].write_bytes(files()[2].read_bytes()[:50])
    assert start("worker", 1).wait() == 0
    for path in files():
        fuse.Image.read(path)


def pipes_are_no_images():
    path = files()[0]
    path.unlink()
    os.mkfifo(path)
    # Who opened it would wait for ever.
    assert start("range", 0, 8).wait(timeout=60) == 0
    path.unlink()
    assert start("range", 0, 8).wait() == 0


def what_is_too_large_is_not_read():
    path = files()[0]
    os.truncate(path, 4 << 30)
    # What the largest of all processes so far took, in KiB.
    assert start("range", 0, 8).wait() == 0
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2 << 20
    assert path.stat().st_size < 1 << 30


def numbers_of_bytes_are_numbers():
    wrong = subprocess.run([sys.executable, __file__, "range", "0", "1"], stderr=subprocess.PIPE, text=True,
                           env={**os.environ, "FUSE_CACHE_DIR": str(CACHE), "FUSE_CACHE_BYTES": "1G"})
    assert wrong.returncode != 0
    assert "FUSE_CACHE_BYTES is '1G', but a number of bytes is needed" in wrong.stderr, wrong.stderr


def what_is_there_is_used():
    before = {path: path.stat().st_ino for path in files()}
    assert start("worker", 2).wait() == 0
    assert {path: path.stat().st_ino for path in files()} == before


def what_matters_makes_another():
    count = len(files())
    os.environ["FUSE_CACHE_DIR"] = str(CACHE)
    x = numpy.zeros(8, "float32")
    for options in (["opt-level=1"], ["opt-level=0", "threads=1"], ["opt-level=0", "threads=3"],
                    ["opt-level=0", "chip=x86-64"]):
        assert (fuse.compile(graph_of(1), options=options)(x) == 1).all()
        count += 1
        assert len(files()) == count, options
    assert (fuse.compile(graph_of(1), options=["opt-level=2"], cache=False)(x) == 1).all()
    assert len(files()) == count
    # Of code for GPUs: what assembles it, and in which version; the chips, the variants, the sizes and the schedule.
    ptxas = pathlib.Path("ptxas").absolute()
    ptxas.write_text(PTXAS)
    ptxas.chmod(0o755)
    ways = [{}, {"ptxas": "off"}, {"variants": "any"}, {"chip": "sm_90a"}, {"open-sizes": "on"}, {"shape": "x:9x64"},
            {"schedule": "@f_0:#fuse.schedule<parallel = [2, 64], owned = 0>"}, {"most-kernels": "1"}]
    for version in ("12.4", "12.6"):
        os.environ["FUSE_PTXAS"], os.environ["FAKE_PTXAS_VERSION"] = str(ptxas), version
        for way in ways:
            # The version of what is not asked is no matter.
            count += version == "12.4" or way != {"ptxas": "off"}
            for _ in range(2):
                options = {"chip": "sm_80", "shape": "x:8x64", "opt-level": "0", **way}
                fuse.compile(OPEN, options=[f"{name}={value}" for name, value in options.items()]).image([])
                assert len(files()) == count, (version, way)
    # So is what functions and places in the graph are called.
    for name in ("a.mlir", "b.mlir"):
        pathlib.Path(name).write_text(graph_of(1))
        fuse.compile(name, options=["opt-level=0"])(x)
        count += 1
        assert len(files()) == count, name
    for name in ("add", "sub"):
        two = graph_of(1) + graph_of(2).replace("@add", "@sub")
        fuse.compile(two, entry=name, options=["opt-level=0"])(x)
        count += 1
        assert len(files()) == count, name


def old_ones_go():
    most = 3 * files()[0].stat().st_size
    assert start("range", 20, 30, FUSE_CACHE_BYTES=str(most)).wait() == 0
    assert 0 < sum(path.stat().st_size for path in files()) <= most
    # The last one is there still.
    before = len(files())
    assert start("range", 29, 30, FUSE_CACHE_BYTES=str(most)).wait() == 0
    assert len(files()) == before


def leftovers_go():
    left = files()[0].parent / ".fuse-1-0.tmp"
    left.write_bytes(b"half")
    os.utime(left, (1, 1))
    assert start("range", 40, 41).wait() == 0
    assert not left.exists()


def what_others_have_there_stays():
    # Whoever names a folder may have files of their own in it, of the same kinds and old.
    folder = pathlib.Path("shared")
    own = [folder / name for name in ("model.fuse", "notes.tmp", "work/model.fuse", "work/notes.tmp", "ab/model.fuse",
                                      "ab/notes.tmp", f"ab/{64 * 'c'}.fuse")]
    for path in own:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"whatever")
        os.utime(path, (1, 1))
    least = max(path.stat().st_size for path in files())
    assert start("range", 60, 63, FUSE_CACHE_DIR=str(folder.absolute()), FUSE_CACHE_BYTES=str(least)).wait() == 0
    assert [path for path in own if not path.exists()] == []
    assert len(list(folder.rglob("*.fuse"))) <= 4 + 1


def disks_only_cost_time():
    # No folder can be made where there is a file.
    pathlib.Path("file").write_text("")
    assert start("range", 50, 52, FUSE_CACHE_DIR=os.path.abspath("file/cache")).wait() == 0
    assert start("range", 50, 52, FUSE_CACHE_DIR="").wait() == 0
    # Whoever was killed while writing may have left something, which stays for an hour.
    before = files(), sorted(CACHE.rglob("*.tmp"))
    assert start("full", 50).wait() == 0
    assert (files(), sorted(CACHE.rglob("*.tmp"))) == before
    # A folder that cannot be written, for whom there are permissions.
    if os.geteuid() != 0:
        CACHE.chmod(0o500)
        assert start("range", 40, 42).wait() == 0
        CACHE.chmod(0o700)
    for alone in (["unshare", "-m"], ["unshare", "-rm"]):
        if subprocess.run([*alone, "mount", "-t", "tmpfs", "none", "."], stderr=subprocess.DEVNULL).returncode == 0:
            subprocess.run([*alone, sys.executable, __file__, "mounts"], check=True, timeout=100)
            break


def mounts():
    """On disks of its own, which nobody else sees."""
    disk = CACHE.parent / "disk"
    disk.mkdir(exist_ok=True)

    def mount(options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", disk], check=True)

    os.environ["FUSE_CACHE_DIR"] = str(disk / "cache")
    # One that is full.
    mount("size=4096")
    full = disk / "full"
    full.write_bytes(bytes(4096))
    for number in (60, 61):
        run(number)
    assert [path for path in disk.rglob("*") if path.is_file()] == [full]
    subprocess.run(["umount", disk], check=True)
    # One that may only be read: what is in it is found. Somebody has put another graph there, or nobody could tell.
    mount("size=16m")
    run(62)
    own = next(disk.rglob("*.fuse"))
    run(63)
    other = next(path for path in disk.rglob("*.fuse") if path != own)
    own.write_bytes(other.read_bytes())
    mount("remount,ro")
    x = numpy.zeros(8, "float32")
    assert (fuse.compile(graph_of(62), options=["opt-level=0"])(x) == 63).all()
    run(64)
    assert len(list(disk.rglob("*.fuse"))) == 2


def main():
    if sys.argv[1:2] == ["worker"]:
        return worker(int(sys.argv[2]))
    if sys.argv[1:2] == ["range"]:
        return [run(number) for number in range(int(sys.argv[2]), int(sys.argv[3]))]
    if sys.argv[1:2] == ["mounts"]:
        return mounts()
    if sys.argv[1:2] == ["full"]:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        return run(int(sys.argv[2]))
    for test in (parallel_processes_and_kills, damaged_files_are_made_again, pipes_are_no_images,
                 what_is_too_large_is_not_read, numbers_of_bytes_are_numbers, what_is_there_is_used,
                 what_matters_makes_another, old_ones_go, leftovers_go, what_others_have_there_stays,
                 disks_only_cost_time):
        test()
        print(f"{test.__name__}: right", flush=True)


if __name__ == "__main__":
    main()
