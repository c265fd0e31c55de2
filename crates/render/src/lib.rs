//! Writes reports: one module for each output. The functions are pure and take only the types of [`evalcheck_wire`],
//! so the page, the command and the documents write a report in the same way.
//!
//! - [`text`]: plain text, one line for each finding, and its hint below it.
//! - [`quote`]: the line of a finding with its span marked, for a terminal.
//! - [`json`]: report v1 as JSON.

pub mod json;
pub mod quote;
pub mod text;
