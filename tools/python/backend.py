"""Makes the wheel: what pip asks of a build (PEP 517). Nothing is compiled, and nothing is needed but Python.

The libraries go into the wheel if the environment's FUSE_LIBRARY_DIR names the folder that has them; the wheel is then
for this kind of machine only. Without it the package looks for them where it is used.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
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


def _files(folder):
    for path in sorted((SOURCE / "fuse").rglob("*")):
        if path.suffix in (".py", ".pyi", ".typed") or path.name == "py.typed":
            yield "fuse/" + path.relative_to(SOURCE / "fuse").as_posix(), path.read_bytes()
    for name in LIBRARIES if folder else ():
        yield "fuse/lib/" + name, pathlib.Path(folder, name).read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = os.environ.get("FUSE_LIBRARY_DIR")
    tag = "py3-none-" + (f"linux_{platform.machine()}" if folder else "any")
    info = f"fuse-{version()}.dist-info"
    files = list(_files(folder))
    files.append((f"{info}/METADATA", _metadata().encode()))
    files.append((f"{info}/WHEEL", (
        "Wheel-Version: 1.0\nGenerator: fuse\n"
        f"Root-Is-Purelib: {'false' if folder else 'true'}\nTag: {tag}\n").encode()))
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
    raise NotImplementedError("there are wheels only: pip wheel tools/python")
