//! Data that crosses a boundary of evalcheck: the report, and the messages between the page and the worker.
//!
//! These are plain data types. The page depends on this crate and never on the engine, so this crate has all data that a page, a command
//! or a script shows, in a form that can be shown without knowing any rule.
//!
//! - [`compare`]: changes between two versions of a dataset, described by `crates/wire/comparison.schema.json`.
//! - [`folder`]: selects the files of a folder to check.
//! - [`attachments`]: the files of an archive as a list.
//! - [`ids`]: numbers of checks and requests.
//! - [`catalogue`]: formats and rules, for help and selectors.
//! - [`worker`]: [`worker::Command`]s to the worker, [`worker::Event`]s from it.
//! - [`embed`]: the messages between the page and a page that embeds it.
//! - [`markdown`]: texts of a record as trees.
//! - [`options`]: the options of a check, declared for all interfaces.
//! - [`plan`]: the plan of a check that is cut into parts.
//! - [`question`]: the questions of the page about a check, and their answers.
//! - [`query`]: the language of searches and filters.
//! - [`user_schema`]: a JSON Schema of the user's own, and what a record violates of it.

pub mod attachments;
pub mod catalogue;
pub mod compare;
pub mod embed;
pub mod findings;
pub mod fix;
pub mod folder;
pub mod ids;
pub mod markdown;
pub mod options;
pub mod plan;
pub mod query;
pub mod question;
#[cfg(feature = "types")]
pub mod types;
pub mod user_schema;
pub mod worker;
