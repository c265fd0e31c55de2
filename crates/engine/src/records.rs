//! From bytes to records.

pub mod brackets;
pub mod buffer;
pub mod line_index;
pub mod lines;
