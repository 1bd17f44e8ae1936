"""What the tests of the package have in common: they are functions that start with test_."""

import traceback


def says(text, kind, function, *arguments, **options):
    """Whether a call ends with a sentence that has `text` in it."""
    try:
        function(*arguments, **options)
    except kind as error:
        message = str(error)
        assert text in message, f"it says '{message}', but '{text}' is expected"
        assert "\n" not in message or "is not a valid module" in message, message
        return
    raise AssertionError(f"'{text}' is expected, but nothing is said")


def run(names):
    """Runs the tests among `names`, which are globals(), and yields the status of the process."""
    tests = {name: value for name, value in names.items() if name.startswith("test_")}
    failed = 0
    for name, test in tests.items():
        try:
            test()
        except BaseException:
            failed += 1
            print(f"FAIL {name}\n{traceback.format_exc()}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0
