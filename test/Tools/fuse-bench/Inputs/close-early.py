"""Runs a command whose output nobody reads, and prints what it says about that."""
import os
import subprocess
import sys

reader, writer = os.pipe()
os.close(reader)
done = subprocess.run(sys.argv[1:], stdout=writer, stderr=subprocess.PIPE, text=True)
print(f"ended with {done.returncode}, and said {done.stderr!r}")
