"""Runs a program on one core: `python measure.py PROGRAM ARGUMENTS...` prints what it took and what it printed, as JSON."""

import json
import os
import subprocess
import sys

pinned = hasattr(os, "sched_setaffinity")
if pinned:
    # What is not bound to a core is mostly on the first.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

with subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as child:
    output = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)

took = {
    # Processor time, of the system too.
    "seconds": used.ru_utime + used.ru_stime,
    "pinned": pinned,
    "status": child.returncode,
    "output": output.decode(),
}
print(json.dumps(took))
