"""Sends SIGINT to a command, as Ctrl-C does, once a file holds a word that the command causes.

usage: interrupt.py FILE WORD COMMAND...
"""
import pathlib
import signal
import subprocess
import sys
import time

file, word = pathlib.Path(sys.argv[1]), sys.argv[2]
# Who runs this may ignore the signal, and so would what is run.
signal.signal(signal.SIGINT, signal.SIG_DFL)
process = subprocess.Popen(sys.argv[3:], start_new_session=True)
for _ in range(600):
    if process.poll() is not None or file.exists() and word in file.read_text():
        break
    time.sleep(0.1)
process.send_signal(signal.SIGINT)
try:
    print("ended with", process.wait(timeout=20))
except subprocess.TimeoutExpired:
    process.kill()
    print("did not end")
