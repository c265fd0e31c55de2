"""Reads files for supervised fine-tuning as llmcomp's validator does, which was written from refusals of OpenAI's service. Reads their
names, and writes for each a line of JSON: `refused`, why the file is refused, or null. What the service's schema takes is not refused."""

import importlib.util
import json
import sys
from importlib.metadata import distribution

path = distribution("llmcomp").locate_file("llmcomp/finetuning/validation.py")
spec = importlib.util.spec_from_file_location("validation", path)
validation = importlib.util.module_from_spec(spec)
sys.modules["validation"] = validation
spec.loader.exec_module(validation)

# The schema ignores other keys, and has the role.
TAKEN = ("unknown key(s) for role", "invalid role 'function'")


def refusal(name: str) -> str | None:
    try:
        errors = [str(error) for error in validation.validate_finetuning_file(name).errors]
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"[:200]
    return next((error[:200] for error in errors if not any(taken in error for taken in TAKEN)), None)


for name in sys.stdin.read().splitlines():
    print(json.dumps({"refused": refusal(name)}))
