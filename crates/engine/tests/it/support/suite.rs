//! How much the tests try. `cargo xtask test` sets `EVALCHECK_SUITE`.

/// A size of a test: a piece of what it guards in the quick suite, which is the default, and all of it in the full one.
pub(crate) fn rounds<T>(quick: T, full: T) -> T {
    match std::env::var("EVALCHECK_SUITE").as_deref() {
        Ok("full") => full,
        Ok("quick") | Err(_) => quick,
        Ok(other) => panic!("EVALCHECK_SUITE is {other:?}, and has to be quick or full"),
    }
}
