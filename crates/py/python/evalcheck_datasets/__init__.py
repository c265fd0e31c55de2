"""Checks evaluation datasets for language models.

Says whether the system that a dataset is made for will load it, every record that fails, why, and how to fix it:

    >>> import evalcheck_datasets
    >>> record = b'{"input":{"messages":[{"role":"user","content":"Hi"}]}}'
    >>> evalcheck_datasets.check(record, name="samples.jsonl").valid
    True

Nothing leaves the machine. The command `evalcheck` is installed with the package, and runs as `python -m evalcheck_datasets` too.
"""

from ._api import BinaryReader, BinaryWriter, Dataset, Schema, check, explain, find, fix, formats
from ._native import DatasetError, __version__
from ._parts import Plan, check_range, finish, merge, plan
from ._types import (
    Alternative,
    Conversion,
    Counts,
    Edit,
    EntryEdit,
    Example,
    ExampleContent,
    Excerpt,
    File,
    Filter,
    Finding,
    Fix,
    Fixed,
    Format,
    FormatInfo,
    LossCounts,
    Match,
    Overview,
    Related,
    Report,
    Rule,
    RuleExample,
    Severity,
    ShortName,
    Span,
    Tool,
)

__all__ = [
    "Alternative",
    "BinaryReader",
    "BinaryWriter",
    "Conversion",
    "Counts",
    "Dataset",
    "DatasetError",
    "Edit",
    "EntryEdit",
    "Example",
    "ExampleContent",
    "Excerpt",
    "File",
    "Filter",
    "Finding",
    "Fix",
    "Fixed",
    "Format",
    "FormatInfo",
    "LossCounts",
    "Match",
    "Overview",
    "Plan",
    "Related",
    "Report",
    "Rule",
    "RuleExample",
    "Schema",
    "Severity",
    "ShortName",
    "Span",
    "Tool",
    "__version__",
    "check",
    "check_range",
    "explain",
    "find",
    "finish",
    "fix",
    "formats",
    "merge",
    "plan",
]
