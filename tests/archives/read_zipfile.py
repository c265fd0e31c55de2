"""Reads archives with CPython's zipfile: paths on standard input, a line for each on standard output."""

import sys
import zipfile


def read(path):
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not archive.getinfo(name).is_dir()}
    return " ".join(f"{name.encode('utf-8', 'surrogateescape').hex()}={contents.hex()}" for name, contents in files.items())


for line in sys.stdin.read().split("\n"):
    try:
        print(read(line))
    except Exception as error:
        print("!" + f"{type(error).__name__}: {error}".replace("\n", " ")[:200].encode("ascii", "replace").decode())
