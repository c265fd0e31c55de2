//! Writes reports: one module for each output. The functions are pure and take only the types of [`evalcheck_wire`],
//! so the page, the command and the documents write a report in the same way.
//!
//! - [`text`]: plain text, one line for each finding.
//! - [`json`]: report v1 as JSON.

pub mod json;
pub mod text;
