//! The engine of evalcheck: pure validation of evaluation datasets. No JavaScript, no files, no clock, no threads.
//!
//! [`Job`] is the whole of it as a driver sees it: it says which bytes of the file it wants next, takes them, and
//! gives a report. The worker, the command and the JavaScript API differ only in how they read bytes.

pub mod archive;
pub mod finding;
pub mod job;
pub mod rules;
