//! Applies edits to bytes that arrive in pieces.

use std::io::{self, Write};

use super::PlannedEdit;

/// Applies edits to a dataset that arrives in pieces. The edits are in the order of the bytes; reading them may fail.
///
/// ```
/// # use evalcheck_wire::fix::{EditPlan, Patcher};
/// # use evalcheck_report::{Edit, Fix};
/// let edit = |start, end, text: &str| Edit { start, end, text: text.to_owned() };
/// let mut plan = EditPlan::default();
/// plan.add(&Fix::safe("", vec![edit(1, 3, "x"), edit(5, 5, "!")]));
/// let mut patcher = Patcher::new(plan.edits()?)?;
/// let mut out = Vec::new();
/// patcher.feed(b"ab", &mut out)?;
/// patcher.feed(b"cde", &mut out)?;
/// patcher.finish(&mut out)?;
/// assert_eq!(out, b"axde!");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Patcher<I> {
    edits: I,
    /// The current edit, or the next one.
    edit: Option<PlannedEdit>,
    /// Whether the text of the edit was written.
    is_written: bool,
    at: u64,
}

impl<I: Iterator<Item = io::Result<PlannedEdit>>> Patcher<I> {
    /// Applies these edits.
    ///
    /// # Errors
    /// The error of reading the first edit.
    pub fn new(mut edits: I) -> io::Result<Self> {
        let edit = edits.next().transpose()?;
        Ok(Self { edits, edit, is_written: false, at: 0 })
    }

    /// Writes the next bytes of the dataset with the edits applied.
    ///
    /// # Errors
    /// Those of `sink` and of the edits.
    pub fn feed(&mut self, mut bytes: &[u8], sink: &mut impl Write) -> io::Result<()> {
        while !bytes.is_empty() {
            let Some(PlannedEdit { start, end, text, .. }) = &self.edit else { return sink.write_all(bytes) };
            let most = |place: u64| usize::try_from(place - self.at).unwrap_or(usize::MAX).min(bytes.len());
            let length = if self.at < *start {
                let kept = most(*start);
                sink.write_all(&bytes[..kept])?;
                kept
            } else {
                if !self.is_written {
                    sink.write_all(text.as_bytes())?;
                    self.is_written = true;
                }
                most((*end).max(self.at))
            };
            bytes = &bytes[length..];
            self.at += length as u64;
            if self.is_written && self.at >= *end {
                self.edit = self.edits.next().transpose()?;
                self.is_written = false;
            }
        }
        Ok(())
    }

    /// Writes the text that is inserted at the end of the dataset.
    ///
    /// # Errors
    /// Those of `sink` and of the edits.
    pub fn finish(&mut self, sink: &mut impl Write) -> io::Result<()> {
        if self.is_written {
            self.edit = self.edits.next().transpose()?;
        }
        while let Some(PlannedEdit { text, .. }) = self.edit.take() {
            sink.write_all(text.as_bytes())?;
            self.edit = self.edits.next().transpose()?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use evalcheck_report::Applicability;

    #[test]
    fn pieces_make_no_difference() {
        let dataset = b"0123456789";
        let edits =
            [(0, 0, "a"), (0, 1, ""), (2, 2, "b"), (2, 5, "cd"), (5, 6, "e"), (8, 10, "f"), (10, 10, "g")];
        // Every subset of the edits, in pieces of every size.
        for chosen in 0..1 << edits.len() {
            let edits: Vec<_> = edits
                .iter()
                .enumerate()
                .filter(|(index, _)| chosen & (1 << index) != 0)
                .map(|(_, edit)| *edit)
                .collect();
            let mut expected = dataset.to_vec();
            for (start, end, text) in edits.iter().rev() {
                let range = usize::try_from(*start).unwrap()..usize::try_from(*end).unwrap();
                expected.splice(range, text.bytes());
            }
            for size in 1..=dataset.len() {
                let planned = edits.iter().map(|&(start, end, text)| {
                    let (text, applicability) = (text.to_owned(), Applicability::Safe);
                    Ok(PlannedEdit { start, end, text, applicability })
                });
                let mut patcher = Patcher::new(planned).unwrap();
                let mut out = Vec::new();
                for piece in dataset.chunks(size) {
                    patcher.feed(piece, &mut out).unwrap();
                }
                patcher.finish(&mut out).unwrap();
                assert_eq!(out, expected, "{edits:?} in pieces of {size}");
            }
        }
    }
}
