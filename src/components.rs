//! How the page looks. Every component shows what it is given and says what was done as an [`crate::state::Action`].

mod attachment;
mod counts;
mod crumbs;
mod detail;
mod examples;
mod file_list;
mod filter_bar;
mod findings;
mod format_select;
mod formats;
mod header;
mod icon;
mod line_list;
mod overlay;
mod overview;
mod paste;
mod progress;
mod recognition;
mod results;
mod rule;
mod sample;
mod severity;
mod source;
mod start;
mod text;
mod verdict;
mod virtual_list;
mod workspace;

pub(crate) use self::header::header;
pub(crate) use self::overlay::overlay;
pub(crate) use self::overview::overview;
pub(crate) use self::results::results;
pub(crate) use self::start::start;
