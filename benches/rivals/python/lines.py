"""What the rivals of Python have in common: the loop over the lines of a file, and what is printed."""

import json


def check(path, accepts, refusals):
    """Prints how many records a file has, and the lines of those that `accepts` refuses or for which it raises one of `refusals`."""
    bad = []
    number = 0
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                if accepts(line) is False:
                    bad.append(number)
            except refusals:
                bad.append(number)
    report(number, bad)


def report(records, bad):
    """Prints what was found, as all rivals print it."""
    print(json.dumps({"records": records, "bad": bad}))
