//! The changes of a dataset since it was opened, by records.

use std::io::{self, Read, Seek};
use std::ops::Range;

use evalcheck_report::Edit;
use evalcheck_report::view::{ChangeList, ChangedPlace};

use super::View;
use super::fix_diff::{Diff, MOST_EDITS, Window};
use crate::changed::ChangedRecords;
use crate::fix::ChangedRange;

/// The maximum number of places that are listed at once.
const MOST: u32 = 200;

/// The maximum number of bytes of a change that is shown without the bytes that both its sides begin or end with.
const LONGEST: u64 = 64 << 10;

/// The maximum number of bytes that are written to take changes back.
const MOST_TAKEN_BACK: u64 = 16 << 20;

impl<'a, R> View<'a, R> {
    fn changed(&self) -> Option<&'a ChangedRecords> {
        self.reader.visitor().observers.get()
    }
}

impl<R: Read + Seek> View<'_, R> {
    /// Places with changes, `from..from + count` (from 0, at most 200): each is a record, or the position before one. `original`
    /// shows the dataset as it was. Empty if the check has no observer of changes ([`ChangedRecords`]).
    ///
    /// # Errors
    /// Those of the sources, if a file was removed or changed.
    pub fn changes<O: Read + Seek>(
        &mut self,
        original: &mut View<'_, O>,
        from: u64,
        count: u32,
    ) -> io::Result<ChangeList> {
        let Some(changed) = self.changed() else { return Ok(ChangeList::default()) };
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let mut places = Vec::new();
        for number in from..from.saturating_add(count.min(MOST) as usize) {
            let Some((place, of_place)) = changed.place(number) else { break };
            let ranges = &changed.changes().all()[of_place];
            let mut diff = Diff::of(self);
            let mut before = Window::of(original);
            for change in ranges.iter().take(MOST_EDITS) {
                let ChangedText { range, removed, added } =
                    ChangedText::of(change, &mut before, &mut diff.window)?;
                diff.push(range, &removed, &added)?;
            }
            places.push(ChangedPlace {
                record: place.record,
                line: place.line,
                is_before: place.is_before,
                is_unsafe: ranges.iter().any(|change| change.is_unsafe),
                diff: diff.finish(ranges.len() <= MOST_EDITS)?,
            });
        }
        Ok(ChangeList { total: changed.len() as u64, places })
    }

    /// The edits that take back the changes of a place, and the range of these changes. `None` if there is no such place.
    ///
    /// # Errors
    /// For the user: the former bytes cannot be written as text, or are too long. Those of the sources.
    pub fn taking_back<O: Read + Seek>(
        &self,
        original: &mut View<'_, O>,
        number: u64,
    ) -> io::Result<Option<(Vec<Edit>, Range<usize>)>> {
        let changed = self.changed();
        let place =
            changed.and_then(|changed| Some((changed, changed.place(usize::try_from(number).ok()?)?)));
        let Some((changed, (_, of_place))) = place else { return Ok(None) };
        let ranges = &changed.changes().all()[of_place.clone()];
        let length: u64 = ranges.iter().map(|change| change.old.end - change.old.start).sum();
        if length > MOST_TAKEN_BACK {
            return Err(io::Error::other(
                "This is too long to be taken back alone. Undo takes all of the last change back.",
            ));
        }
        let mut before = Window::of(original);
        let edit = |change: &ChangedRange| {
            let ChangedRange { old, new, .. } = change;
            let text = String::from_utf8(before.read(old.clone())?.to_vec());
            let no_text = |_| {
                io::Error::other(
                    "What was there before is not UTF-8, so it cannot be taken back alone. Undo takes all of the last change back.",
                )
            };
            Ok(Edit { start: new.start, end: new.end, text: text.map_err(no_text)? })
        };
        let edits = ranges.iter().map(edit).collect::<io::Result<Vec<Edit>>>()?;
        Ok(Some((edits, of_place)))
    }
}

/// The texts that a change removed and added, without equal ends, and the range in the dataset as it is.
struct ChangedText {
    range: Range<u64>,
    removed: String,
    added: String,
}

impl ChangedText {
    fn of<O: Read + Seek, R: Read + Seek>(
        change: &ChangedRange,
        original: &mut Window<'_, '_, O>,
        view: &mut Window<'_, '_, R>,
    ) -> io::Result<Self> {
        let ChangedRange { old, new, .. } = change;
        let head = |range: &Range<u64>| range.start..range.end.min(range.start + LONGEST);
        let removed = original.text(head(old))?;
        let added = view.text(head(new))?;
        // A text with bytes that were left out or replaced is shown as it is.
        let is_whole = |text: &str, range: &Range<u64>| {
            text.len() as u64 == range.end - range.start && !text.contains('\u{fffd}')
        };
        if !is_whole(&removed, old) || !is_whole(&added, new) {
            return Ok(Self { range: new.clone(), removed, added });
        }
        let (before, after) = same_ends(&removed, &added);
        Ok(Self {
            range: new.start + before as u64..new.end - after as u64,
            removed: removed[before..removed.len() - after].to_owned(),
            added: added[before..added.len() - after].to_owned(),
        })
    }
}

/// The number of equal bytes at the beginning and at the end of two texts, in whole characters.
fn same_ends(one: &str, other: &str) -> (usize, usize) {
    let length = |same: &mut dyn Iterator<Item = char>| same.map(char::len_utf8).sum::<usize>();
    let pairs = one.chars().zip(other.chars());
    let before = length(&mut pairs.take_while(|(one, other)| one == other).map(|(same, _)| same));
    let pairs = one[before..].chars().rev().zip(other[before..].chars().rev());
    let after = length(&mut pairs.take_while(|(one, other)| one == other).map(|(same, _)| same));
    (before, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_is_counted_once() {
        assert_eq!(same_ends("abc", "abc"), (3, 0));
        assert_eq!(same_ends("aXc", "aYYc"), (1, 1));
        assert_eq!(same_ends("aa", "aaa"), (2, 0));
        assert_eq!(same_ends("é1ü", "è1ü"), (0, 3));
        assert_eq!(same_ends("", "a"), (0, 0));
    }
}
