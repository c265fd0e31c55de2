"""Packs the current folder with CPython's zipfile: `write_zipfile.py HOW FILE`."""

import io
import os
import shutil
import sys
import zipfile

how, target = sys.argv[1:]
paths = sorted(os.path.relpath(os.path.join(folder, name)) for folder, _, names in os.walk(".") for name in names)
method = zipfile.ZIP_STORED if how == "stored" else zipfile.ZIP_DEFLATED


def add_all(archive):
    for path in paths:
        archive.write(path)


class Pipe(io.RawIOBase):
    """A file that cannot go back."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


if how == "make_archive":
    shutil.make_archive(target.removesuffix(".zip"), "zip", ".")
elif how == "pipe":
    with open(target, "wb") as file, zipfile.ZipFile(Pipe(file), "w", method) as archive:
        add_all(archive)
elif how == "appended":
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.write(paths[0])
    with zipfile.ZipFile(target, "a", method) as archive:
        for path in paths[1:]:
            archive.write(path)
else:
    with open(target, "wb") as file:
        if how == "zipapp-prefix":
            file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", method) as archive:
            if how == "commented":
                archive.comment = b"Made by a test."
            if how == "folders":
                archive.write("attachments")
            if how == "zip64":
                for path in paths:
                    with open(path, "rb") as source, archive.open(zipfile.ZipInfo(path), "w", force_zip64=True) as entry:
                        shutil.copyfileobj(source, entry)
            else:
                add_all(archive)
