"""
Runs a Python program of yt-dlp's kind, which then obeys no orders that strangers wrote into an address.

    python3 -I -B sealed_program.py PROGRAM ARGUMENT…

One extractor tells another what to do in a fragment of an address: which headers to send, and with them, before
2023.11.14, which proxy to go through, if any. The fragment's name is known to all, and is obeyed wherever the address
comes from: a redirect, a feed, a page. Sealed, a run uses a name that it draws for itself and nobody can guess.
"""

import importlib
import os
import runpy
import sys
import zipfile

KNOWN_NAME = "__youtubedl_smuggle"


def find_package_of(program):
    """Lets the program's package be found, as Python does for a program that it starts itself."""
    folder = os.path.dirname(os.path.realpath(program))
    sys.path.insert(0, program if zipfile.is_zipfile(program) else folder)


def run_sealed(program, arguments):
    seal()
    sys.argv = [program, *arguments]
    runpy.run_path(program, run_name="__main__")


def seal():
    """Puts a name of this process's own in place of the known one. Raises where that does not take effect."""
    utils = importlib.import_module("yt_dlp.utils")
    own_name = f"{KNOWN_NAME}_{os.urandom(16).hex()}"
    # In the code itself: whoever imported the functions before has the very same ones.
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
