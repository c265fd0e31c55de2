//! The integration tests of the crate, in one program: each further program costs a link.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

mod baseline;
mod command;
mod config;
mod diff;
mod docs;
mod encoding;
mod filter;
mod find;
mod fix;
mod folders;
mod hints;
mod infer;
mod jobs;
#[cfg(unix)]
mod links;
mod manual;
#[cfg(target_os = "linux")]
mod memory;
mod outputs;
mod parts;
mod replaced;
mod rules;
mod schema;
mod shown;
mod stats;
mod systems;
#[cfg(unix)]
mod terminal;
mod unread;
