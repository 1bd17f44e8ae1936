"""Makes the wheel: what pip asks of a build (PEP 517). Nothing is compiled, and nothing is needed but Python.

The libraries go into the wheel if the environment's FUSE_LIBRARY_DIR names the folder that has them; the wheel is then
for this kind of machine only. Without it the package looks for them where it is used.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import tarfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent
LIBRARIES = ("libfuse.so.1", "libfuse-compiler.so.1")


def version():
    """The one of the package."""
    text = (SOURCE / "fuse" / "_version.py").read_text()
    return re.search(r'^VERSION = "(.+)"', text, re.M).group(1)


def _metadata():
    return (
        "Metadata-Version: 2.1\n"
        "Name: fuse\n"
        f"Version: {version()}\n"
        "Summary: Compiles graphs of tensor ops to few kernels, and runs them\n"
        "Requires-Python: >=3.9\n"
    )


def _library_folder():
    """Where the libraries are that go into the wheel, or None; whoever asked for it is told what is wrong in one sentence."""
    folder = os.environ.get("FUSE_LIBRARY_DIR")
    if not folder:
        return None
    if not os.path.isabs(folder):
        # pip runs this in the folder of the package, not where its user is.
        raise SystemExit(f"FUSE_LIBRARY_DIR is '{folder}', but a wheel needs a path that begins with '/': its builder "
                         "runs in another folder")
    for name in LIBRARIES:
        if not os.path.isfile(os.path.join(folder, name)):
            raise SystemExit(f"FUSE_LIBRARY_DIR is '{folder}', but there is no {name} in it")
    return folder


def _sources():
    for path in sorted((SOURCE / "fuse").rglob("*")):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            yield "fuse/" + path.relative_to(SOURCE / "fuse").as_posix(), path.read_bytes()


def _files(folder):
    yield from _sources()
    for name in LIBRARIES if folder else ():
        yield "fuse/lib/" + name, pathlib.Path(folder, name).read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = _library_folder()
    tag = "py3-none-" + (f"linux_{platform.machine()}" if folder else "any")
    return _write_wheel(wheel_directory, list(_files(folder)), tag)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that refers to the sources, which find the libraries where they are used."""
    return _write_wheel(wheel_directory, [("fuse.pth", f"{SOURCE}\n".encode())], "py3-none-any")


def _write_wheel(wheel_directory, files, tag):
    info = f"fuse-{version()}.dist-info"
    files.append((f"{info}/METADATA", _metadata().encode()))
    files.append((f"{info}/WHEEL", (
        "Wheel-Version: 1.0\nGenerator: fuse\n"
        f"Root-Is-Purelib: {'true' if tag.endswith('-any') else 'false'}\nTag: {tag}\n").encode()))
    record = ""
    for name, data in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode()))
    wheel = f"fuse-{version()}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            # The same files make the same wheel.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    """What a wheel without libraries is made of."""
    name = f"fuse-{version()}"
    files = [(each, (SOURCE / each).read_bytes()) for each in ("pyproject.toml", "backend.py")]
    files += [("PKG-INFO", _metadata().encode()), *_sources()]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    pathlib.Path(sdist_directory, f"{name}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return f"{name}.tar.gz"
