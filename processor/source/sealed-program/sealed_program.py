"""
Runs a Python program like yt-dlp so that it ignores instructions that strangers put into a URL.

    python3 -I -B sealed_program.py PROGRAM ARGUMENT…

Extractors pass instructions to each other in the fragment of a URL: which headers to send and, before 2023.11.14, which
proxy to use. The fragment's name is public, and is obeyed wherever the URL comes from: a redirect, a feed, a page. A
sealed run uses a random name that nobody can guess.
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
    seal()
    sys.argv = [program, *arguments]
    runpy.run_path(program, run_name="__main__")


def seal():
    """Replaces the public name by one of this process's own. Raises if that has no effect."""
    utils = importlib.import_module("yt_dlp.utils")
    own_name = f"{KNOWN_NAME}_{os.urandom(16).hex()}"
    # In the code itself, since other modules may already have imported these functions.
    for function in (utils.smuggle_url, utils.unsmuggle_url):
        function.__code__ = with_name(function.__code__, own_name)
    address, orders = "https://host.example/", {"to": "itself"}
    own = utils.smuggle_url(address, dict(orders))
    strangers = f"{address}#{KNOWN_NAME}=%7B%7D"
    if utils.unsmuggle_url(own) != (address, orders) or utils.unsmuggle_url(strangers) != (strangers, None):
        raise RuntimeError("the orders in addresses cannot be sealed")


def with_name(code, name):
    constants = (one.replace(KNOWN_NAME, name) if isinstance(one, str) else one for one in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def main():
    program, *arguments = sys.argv[1:]
    find_package_of(program)
    run_sealed(program, arguments)


if __name__ == "__main__":
    main()
