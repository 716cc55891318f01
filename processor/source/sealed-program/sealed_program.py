"""
Runs a Python program like yt-dlp so that it ignores instructions that strangers put into a URL.

    python3 -I -B sealed_program.py PROGRAM ARGUMENT…

Extractors pass instructions to each other in the fragment of a URL: which headers to send and, before 2023.11.14, which
proxy to use. The fragment's name is public, and is obeyed wherever the URL comes from: a redirect, a feed, a page. A
sealed run uses a random name that nobody can guess. A version in which the name cannot be replaced runs as it is and
says so on standard error.
"""

import importlib
import os
import runpy
import sys
import zipfile

KNOWN_NAME = "__youtubedl_smuggle"


def find_package_of(program):
    """Makes the program's package importable, as Python does for a program that it starts itself."""
    folder = os.path.dirname(os.path.realpath(program))
    sys.path.insert(0, program if zipfile.is_zipfile(program) else folder)


def run_sealed(program, arguments):
    if not try_to_seal():
        # Read by sealed-command.ts.
        print("this yt-dlp cannot be sealed", file=sys.stderr)
    sys.argv = [program, *arguments]
    runpy.run_path(program, run_name="__main__")


def try_to_seal():
    """False, and nothing is changed, if this version of the program is not built as expected."""
    try:
        utils = importlib.import_module("yt_dlp.utils")
        functions = (utils.smuggle_url, utils.unsmuggle_url)
        known = [function.__code__ for function in functions]
    except (AttributeError, ImportError):
        return False
    # In the code itself, since other modules may already have imported these functions.
    own_name = f"{KNOWN_NAME}_{os.urandom(16).hex()}"
    for function, code in zip(functions, known):
        function.__code__ = with_name(code, own_name)
    if is_sealed(*functions):
        return True
    for function, code in zip(functions, known):
        function.__code__ = code
    return False


def is_sealed(smuggle_url, unsmuggle_url):
    """Whether orders reach their extractor, and a stranger's under the public name do not."""
    address, orders = "https://host.example/", {"to": "itself"}
    strangers = f"{address}#{KNOWN_NAME}=%7B%7D"
    try:
        own = smuggle_url(address, dict(orders))
        return unsmuggle_url(own) == (address, orders) and unsmuggle_url(strangers) == (strangers, None)
    except Exception:
        return False


def with_name(code, name):
    constants = (one.replace(KNOWN_NAME, name) if isinstance(one, str) else one for one in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def main():
    program, *arguments = sys.argv[1:]
    find_package_of(program)
    run_sealed(program, arguments)


if __name__ == "__main__":
    main()
