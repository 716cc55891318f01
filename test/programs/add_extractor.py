"""
add_extractor.py YT_DLP EXTRACTOR: adds a module's extractor to a zipped yt-dlp, before all of its own.
"""

import os
import re
import sys
import warnings
import zipfile

program, extractor = sys.argv[1:]
warnings.simplefilter("ignore")
with open(extractor) as file:
    source = file.read()
module = os.path.splitext(os.path.basename(extractor))[0]
name = re.search(r"class (\w+IE)\(", source)[1]
listed = "yt_dlp/extractor/_extractors.py"
lazy = "yt_dlp/extractor/lazy_extractors.py"
with zipfile.ZipFile(program, "a", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr(f"yt_dlp/extractor/{module}.py", source)
    archive.writestr(listed, f"from .{module} import {name}\n{archive.read(listed).decode()}")
    if lazy in archive.namelist():
        first = f"from .{module} import {name}\n_CLASS_LOOKUP = {{'{name}': {name}, **_CLASS_LOOKUP}}\n"
        archive.writestr(lazy, f"{archive.read(lazy).decode()}\n{first}")
