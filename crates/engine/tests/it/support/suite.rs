//! The sizes of the tests. `cargo xtask test` sets `EVALCHECK_SUITE`.

/// The size of a test: a part of its cases in the quick suite, which is the default, and all of them in the full one.
pub(crate) fn rounds<T>(quick: T, full: T) -> T {
    match std::env::var("EVALCHECK_SUITE").as_deref() {
        Ok("full") => full,
        Ok("quick") | Err(_) => quick,
        Ok(other) => panic!("EVALCHECK_SUITE is {other:?}, and has to be quick or full"),
    }
}
