//! The evalcheck page. Modules use only the modules below them:
//!
//! - [`app`]: the root component.
//! - [`components`]: what is rendered.
//! - [`platform`]: the browser.
//! - [`state`]: what the page knows, and its reducer; no browser.
//! - [`display`]: how values are shown; pure functions.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

mod app;
mod components;
mod display;
mod platform;
mod state;

fn main() {
    app::mount();
}
