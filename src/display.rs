//! Pure functions that convert values for display: no state, no browser.

pub(crate) mod arrangement;
pub(crate) mod completion;
pub(crate) mod excerpt;
pub(crate) mod fixed_line;
pub(crate) mod fold;
pub(crate) mod format_number;
pub(crate) mod isolate;
pub(crate) mod json_path;
pub(crate) mod json_tokens;
pub(crate) mod line_row;
pub(crate) mod markdown;
pub(crate) mod scroll_track;
pub(crate) mod tool_results;
pub(crate) mod turn_findings;
pub(crate) mod visible_text;
pub(crate) mod word_diff;
