//! Build, serve, test and measure evalcheck.

fn main() {}
