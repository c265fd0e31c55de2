"""Runs a program on `one` core or on `all`: `python measure.py CORES PROGRAM ARGUMENTS...` prints what it took and what it printed, as JSON."""

import json
import os
import subprocess
import sys
import tempfile
import time

_, cores, *command = sys.argv
if cores == "one" and hasattr(os, "sched_setaffinity"):
    # What is not bound to a core is mostly on the first.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
elif cores == "one":
    print("NOTE: this system binds no program to a core, so it may use several", file=sys.stderr)

with tempfile.TemporaryFile() as errors:
    start = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as child:
        output = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.perf_counter() - start
    errors.seek(0)
    took = {
        # Processor time, of the system too.
        "seconds": used.ru_utime + used.ru_stime,
        "elapsed": elapsed,
        "status": child.returncode,
        "output": output.decode(),
        "errors": errors.read().decode(errors="replace"),
    }
print(json.dumps(took))
