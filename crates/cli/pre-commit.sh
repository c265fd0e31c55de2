#!/bin/sh
# Builds the command by cargo, and runs it: the hook `evalcheck-src` of .pre-commit-hooks.yaml.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
exec cargo run --quiet --release --locked --manifest-path "$root/Cargo.toml" \
    --package evalcheck-cli --bin evalcheck -- "$@"
