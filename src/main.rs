//! The evalcheck page. Modules use only the modules below them:
//!
//! - [`app`]: the root component.
//! - [`views`]: the tabs of the results.
//! - [`components`]: the rendered elements.
//! - [`platform`]: the browser.
//! - [`state`]: the state of the page and its reducer; no browser.
//! - [`display`]: conversion of values for display; pure functions.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

mod app;
mod components;
mod display;
mod map_frame;
mod platform;
mod state;
mod views;

fn main() {
    app::mount();
}
