//! The `evalcheck` command.

fn main() {}
