# How the tests under test/ run: with our tools, LLVM's test tools and a shell.
import os
import subprocess

import lit.formats

config.name = "fuse"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Gpu", "Inputs", "Oracle", "Unit"]
config.test_source_root = os.path.dirname(__file__)

# Other ways to run the tests may run beside them, and leave files of the same
# names.
for variable in ["FUSE_SIMULATE", "FUSE_EMULATE", "FUSE_ROUNDTRIP"]:
    if os.environ.get(variable):
        config.test_exec_root = os.path.join(
            config.test_exec_root, "again", variable + os.environ[variable])

path = [config.fuse_tools_dir, config.llvm_tools_dir]
# `env FUSE_RECORD=folder lit ...` keeps what is run for the suite on GPUs.
if os.environ.get("FUSE_RECORD"):
    path.insert(0, os.path.join(config.test_source_root, "Gpu"))
    config.environment["FUSE_RECORD"] = os.environ["FUSE_RECORD"]
    config.environment["FUSE_RECORD_TOOL"] = os.path.join(config.fuse_tools_dir, "fuse-run")
# `env FUSE_SIMULATE=sm_80 lit ...` simulates a GPU instead of using the CPU.
if os.environ.get("FUSE_SIMULATE"):
    path.insert(0, os.path.join(config.test_source_root, "Simulate", "Inputs"))
    config.environment["FUSE_SIMULATE"] = os.environ["FUSE_SIMULATE"]
    config.environment["FUSE_SIMULATE_TOOL"] = os.path.join(config.fuse_tools_dir, "fuse-run")
# `env FUSE_EMULATE=sm_90a lit ...` runs the code for this GPU on this machine's
# CPU, as %emulate does for one run.
emulation = {
    "FUSE_EMULATE_TOOL": os.path.join(config.fuse_tools_dir, "fuse-run"),
    "FUSE_EMULATE_DRIVER": config.fuse_emulated_driver,
    "FUSE_EMULATE_THREADS": config.fuse_emulated_threads,
}
emulated = os.path.join(config.test_source_root, "Emulate", "fuse-run")
settings = " ".join(f"{name}={value}" for name, value in emulation.items())
config.substitutions += [("%emulate", f"env {settings} {config.python} {emulated}"), ("%emulation", settings)]
if os.environ.get("FUSE_EMULATE"):
    path.insert(0, os.path.dirname(emulated))
    config.environment.update(emulation)
    config.environment["FUSE_EMULATE_CHIP"] = os.environ["FUSE_EMULATE"]
    config.environment["FUSE_EMULATE_SEED"] = os.environ.get("FUSE_EMULATE_SEED", "0")
config.environment["PATH"] = os.pathsep.join(path + [config.environment["PATH"]])
# FileCheck then shows what it saw, without being asked.
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"

# `env FUSE_ROUNDTRIP=1 lit ...` sends every input through bytecode first.
if os.environ.get("FUSE_ROUNDTRIP"):
    config.substitutions.append(("fuse-opt ", "fuse-opt --verify-roundtrip "))

config.substitutions += [
    ("%examples", os.path.join(config.fuse_source_dir, "docs", "examples")),
    ("%docs", os.path.join(config.fuse_source_dir, "docs")),
    ("%source", config.fuse_source_dir),
    ("%build", config.fuse_build_dir),
    ("%python", config.python),
]
if config.fuse_ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", config.fuse_ptxas))
# NumPy may be there for another Python than the one that CMake found.
for interpreter in [config.python, "/usr/bin/python3"]:
    found = subprocess.run([interpreter, "-c", "import numpy"], capture_output=True)
    if found.returncode == 0:
        config.available_features.add("numpy")
        config.substitutions.append(("%numpy-python", interpreter))
        if subprocess.run([interpreter, "-m", "pip", "--version"], capture_output=True).returncode == 0:
            config.available_features.add("pip")
        break
# PyTorch takes long to be imported.
for interpreter in [config.python, "/usr/bin/python3"]:
    has_torch = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
    if subprocess.run([interpreter, "-c", has_torch], capture_output=True).returncode == 0:
        config.available_features.add("torch")
        config.substitutions.append(("%torch-python", interpreter))
        break
for interpreter in [config.python, "/usr/bin/python3"]:
    if subprocess.run([interpreter, "-m", "mypy", "--version"], capture_output=True).returncode == 0:
        config.available_features.add("mypy")
        config.substitutions.append(("%mypy", interpreter + " -m mypy"))
        break
# Tests that download are for CI: they need a network, and say nothing new.
if os.environ.get("FUSE_TEST_DOWNLOADS"):
    config.available_features.add("downloads")
    for name in os.environ:
        if name.lower().endswith("_proxy") or name.startswith(("PIP_", "SSL_")):
            config.environment[name] = os.environ[name]
