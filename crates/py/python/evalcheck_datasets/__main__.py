"""The command: `evalcheck`, or `python -m evalcheck_datasets`."""

import signal
import sys

from . import _native


def main() -> None:
    """Runs the command with the arguments of the process, and ends the process with its exit status."""
    # As in any command, Ctrl-C ends it at once. Python's own handler would wait until it has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.run(["evalcheck", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
