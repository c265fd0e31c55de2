//! The components. They render the state and dispatch an [`crate::state::Action`] for everything that the user does.

mod attachment;
mod counts;
mod detail;
mod detection;
mod editor;
mod examples;
mod file_list;
mod file_nav;
mod filter_bar;
mod findings;
mod fixes;
mod format_select;
mod formats;
mod header;
mod icon;
mod line_list;
mod loaded;
mod notices;
mod overview;
mod paste;
mod progress;
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
pub(crate) use self::notices::notices;
pub(crate) use self::overview::overview;
pub(crate) use self::results::results;
pub(crate) use self::start::start;
