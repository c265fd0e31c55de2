//! The evalcheck page.
//!
//! - [`state`]: what the page knows and the one place where it changes; no browser in it.
//! - [`components`]: how it looks.
//! - [`platform`]: the browser.
//! - [`app`]: the three put together.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

mod app;
mod components;
mod platform;
mod state;

fn main() {
    app::mount();
}
