"""What goes wrong in a way that a sentence tells, and how a script ends then."""

import os
import sys


class Problem(Exception):
    """Something that is told in a sentence, and ends what cannot go on."""


def end(tool, main, status):
    """Runs a script and ends the process: as `main` says, or with `status` behind the sentence of a problem."""
    try:
        ended = main()
        # Here, for what Python flushes at its end is told as a fault of its own.
        if sys.stdout:
            sys.stdout.flush()
    except Problem as problem:
        ended = complain(tool, problem, status)
    except KeyboardInterrupt:
        ended = complain(tool, "interrupted", 130)
    except BrokenPipeError:
        # Nobody reads on.
        ended = 1
        drop_output()
    except OSError as error:
        # What is of no file and has a number is of the output; what cannot be loaded has none.
        is_output = error.filename is None and error.errno is not None
        ended = complain(tool, f"the output cannot be written: {error.strerror}" if is_output else error, 1)
        drop_output()
    sys.exit(ended)


def complain(tool, text, status):
    print(f"{tool}: error: {text}", file=sys.stderr)
    return status


def drop_output():
    """What Python would still flush goes nowhere."""
    if sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
