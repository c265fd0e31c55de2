//! The evalcheck page.

fn main() {}
