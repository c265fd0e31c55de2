"""What people write to check a dataset in Python: json.loads and jsonschema, line by line.

Usage: check.py SCHEMA FILE BYTES. Checks about so many bytes of the file and prints what it took as JSON.
"""

import json
import sys
import time

from jsonschema import Draft7Validator

schema, path, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(schema, encoding="utf-8") as file:
    validator = Draft7Validator(json.load(file))

read = bad = 0
start = time.perf_counter()
with open(path, "rb") as file:
    for line in file:
        read += len(line)
        if not validator.is_valid(json.loads(line)):
            bad += 1
        if read >= most:
            break
print(json.dumps({"seconds": time.perf_counter() - start, "bytes": read, "bad": bad}))
