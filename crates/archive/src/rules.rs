//! The rules about archives, by group.

mod attachment;
mod zip;

pub use attachment::Attachment;
pub use zip::{Bytes, Zip};
