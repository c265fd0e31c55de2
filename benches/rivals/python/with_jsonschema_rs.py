"""orjson and jsonschema-rs: `python with_jsonschema_rs.py FORMAT FILE SCHEMA`."""

import sys

import jsonschema_rs
import orjson

import lines

_, path, schema = sys.argv[1:]
with open(schema, "rb") as file:
    is_valid = jsonschema_rs.validator_for(orjson.loads(file.read())).is_valid

lines.check(path, lambda line: is_valid(orjson.loads(line)), orjson.JSONDecodeError)
