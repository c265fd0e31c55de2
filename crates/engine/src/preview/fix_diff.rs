//! The changes that a fix makes in the dataset, as pieces to show.

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_core::excerpt::is_continuation;
use evalcheck_report::view::Piece;
use evalcheck_report::{Edit, Fix};

use super::View;

/// The number of characters that are shown before and after a change.
const CONTEXT: usize = 24;

/// A number of bytes that have more characters than that.
const CONTEXT_BYTES: u64 = 4 * (CONTEXT as u64 + 1);

/// The maximum number of characters of a removed or added text.
const LONGEST: usize = 200;

/// A number of bytes that have more characters than that.
const REMOVED_BYTES: u64 = 4 * (LONGEST as u64 + 1);

/// The maximum number of edits that are shown. Others are left out.
pub(super) const MOST_EDITS: usize = 20;

/// The number of bytes that are read at once: the edits of a fix are mostly near each other.
const WINDOW: u64 = 4 << 10;

impl<R: Read + Seek> View<'_, R> {
    /// The changes that a fix makes, each with a little context in its line. Empty for a fix without edits.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn fix_diff(&mut self, fix: &Fix) -> io::Result<Vec<Piece>> {
        let mut diff = Diff::of(self);
        for Edit { start, end, text } in fix.edits.iter().take(MOST_EDITS) {
            let removed = diff.window.text(*start..(*end).min(start + REMOVED_BYTES))?;
            diff.push(*start..*end, &removed, text)?;
        }
        diff.finish(fix.edits.len() <= MOST_EDITS)
    }
}

/// Pieces of a dataset that are replaced, in their order, with a little context.
pub(super) struct Diff<'w, 'a, R> {
    pub window: Window<'w, 'a, R>,
    pieces: Vec<Piece>,
    /// The end of the last piece in the dataset.
    at: Option<u64>,
}

impl<'w, 'a, R: Read + Seek> Diff<'w, 'a, R> {
    pub(super) fn of(view: &'w mut View<'a, R>) -> Self {
        Self { window: Window::of(view), pieces: Vec::new(), at: None }
    }

    /// Adds the removed and the added text at a range of the dataset that is viewed.
    pub(super) fn push(&mut self, range: Range<u64>, removed: &str, added: &str) -> io::Result<()> {
        let kept = match self.at {
            Some(at) => self.window.between(at, range.start)?,
            None => self.window.before(range.start)?,
        };
        push_kept(&mut self.pieces, kept);
        if !removed.is_empty() {
            self.pieces.push(Piece::Removed(shortened(removed)));
        }
        if !added.is_empty() {
            self.pieces.push(Piece::Added(shortened(added)));
        }
        self.at = Some(range.end);
        Ok(())
    }

    /// The pieces. `is_all` is false if there are more that are not shown.
    pub(super) fn finish(mut self, is_all: bool) -> io::Result<Vec<Piece>> {
        if let Some(at) = self.at {
            let rest = if is_all { self.window.after(at)? } else { "…".to_owned() };
            push_kept(&mut self.pieces, rest);
        }
        Ok(self.pieces)
    }
}

/// The bytes of the dataset that were read last.
pub(super) struct Window<'w, 'a, R> {
    view: &'w mut View<'a, R>,
    /// Offset in the dataset of `bytes[0]`.
    start: u64,
    bytes: Vec<u8>,
}

impl<'w, 'a, R: Read + Seek> Window<'w, 'a, R> {
    pub(super) fn of(view: &'w mut View<'a, R>) -> Self {
        Self { view, start: 0, bytes: Vec::new() }
    }

    /// The bytes of a range, as far as the dataset has them.
    pub(super) fn read(&mut self, range: Range<u64>) -> io::Result<&[u8]> {
        let end = self.start + self.bytes.len() as u64;
        if range.start < self.start || range.end > end {
            let most = usize::try_from((range.end - range.start).max(WINDOW)).unwrap_or(usize::MAX);
            let mut bytes = Vec::new();
            let _ = self.view.read_from(range.start, |piece| {
                let missing = most - bytes.len();
                bytes.extend_from_slice(&piece[..piece.len().min(missing)]);
                if bytes.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            (self.start, self.bytes) = (range.start, bytes);
        }
        let local =
            |byte: u64| usize::try_from(byte - self.start).unwrap_or(usize::MAX).min(self.bytes.len());
        Ok(&self.bytes[local(range.start)..local(range.end)])
    }

    /// The text of a range. A character that is cut off at one of its ends is left out.
    pub(super) fn text(&mut self, range: Range<u64>) -> io::Result<String> {
        let bytes = self.read(range)?;
        let begin = bytes.iter().take(3).take_while(|byte| is_continuation(**byte)).count();
        let is_cut = |error: std::str::Utf8Error| error.error_len().is_none().then_some(error.valid_up_to());
        let bytes = &bytes[begin..];
        let end = std::str::from_utf8(bytes).err().and_then(is_cut).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// The text before a byte in its line.
    fn before(&mut self, to: u64) -> io::Result<String> {
        let text = self.text(to.saturating_sub(CONTEXT_BYTES)..to)?;
        let line = text.rsplit('\n').next().unwrap_or_default();
        let skipped = line.chars().count().saturating_sub(CONTEXT);
        let shown: String = line.chars().skip(skipped).collect();
        Ok(if skipped > 0 { format!("…{shown}") } else { shown })
    }

    /// The text after a byte in its line.
    fn after(&mut self, from: u64) -> io::Result<String> {
        let text = self.text(from..from + CONTEXT_BYTES)?;
        let line = text.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let shown: String = line.chars().take(CONTEXT).collect();
        Ok(if shown.len() < line.len() { format!("{shown}…") } else { shown })
    }

    /// The text between two changes: all of it if it is short, else the parts next to them.
    fn between(&mut self, from: u64, to: u64) -> io::Result<String> {
        if to.saturating_sub(from) <= 2 * CONTEXT_BYTES {
            let text = self.text(from..to.max(from))?;
            if text.chars().count() <= 2 * CONTEXT {
                return Ok(text);
            }
        }
        let (after, before) = (self.after(from)?, self.before(to)?);
        Ok(format!("{}…{}", after.trim_end_matches('…'), before.trim_start_matches('…')))
    }
}

fn push_kept(pieces: &mut Vec<Piece>, text: String) {
    if !text.is_empty() {
        pieces.push(Piece::Kept(text));
    }
}

fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
