//! The records in which two versions differ, read again for a list.

use std::io::{self, Read, Seek};

use evalcheck_core::excerpt::clip;
use evalcheck_formats::fields::{Field, Use, paths};
use evalcheck_wire::compare::{
    ChangedField, ComparedMeans, Comparison, ComparisonSums, Difference, DifferenceKind, LISTED_DIFFERENCES,
};

use super::Compare;
use super::join::parse;
use super::matching::Wanted;
use super::means;
use super::observer::{RecordText, VersionObserver};
use super::paths::written;
use super::result::row;
use super::values::{Difference as ValueDifference, Located, beginning, differ};
use crate::check::Check;

/// The maximum number of records that are listed at once.
const MOST: u32 = 50;

/// The maximum number of listed differences of a record.
const FIELDS: usize = 8;

/// The maximum number of characters of a listed value.
const VALUE_CHARS: usize = 160;

/// The number of these characters before the first difference.
const CHARS_BEFORE: usize = 32;

/// A comparison that has ended, with the first records of each kind that differ.
///
/// Memory: the numbers of at most 30,000 records, the paths of at most 10,000 of them, and the data by which the two checks show records.
#[derive(Debug)]
pub struct Compared {
    checks: [Box<Check>; 2],
    /// The numbers of the changed records in the older and in the newer version, and their paths.
    changed: Vec<([u32; 2], Vec<String>)>,
    /// Records that only one version has.
    only: [Vec<u32>; 2],
}

impl Compare {
    /// The number of records of a kind to list for [`Compare::into_list`].
    pub const LISTED: usize = LISTED_DIFFERENCES as usize;

    /// The result as a list; only the sums if nothing could be compared.
    pub fn into_list(mut self) -> (ComparisonSums, Option<Compared>) {
        // The means are those of all records.
        let numbers = self.sides.each_mut().map(|side| side.numbers.take());
        let means = means::compared(numbers).filter(|_| self.incomplete.is_empty());
        let (comparison, result) = self.sums();
        let [old, new] = self.sides;
        let ((Some((matching, join)), Some(old)), Some(new)) = ((result, old.check), new.check) else {
            let incomplete = comparison.incomplete;
            return (ComparisonSums { incomplete, ..ComparisonSums::default() }, None);
        };
        let mut checks = [old, new];
        for check in &mut checks {
            check.take_observer::<VersionObserver>();
        }
        let sums = sums_of(comparison, checks[1].dataset().format.fields, means);
        let changed = join.changed_records.into_iter().map(|(new, (old, paths))| ([old, new], paths));
        let only = matching.only.map(|only| only.iter().collect());
        (sums, Some(Compared { checks, changed: changed.collect(), only }))
    }
}

fn sums_of(comparison: Comparison, fields: &'static [Field], means: Option<ComparedMeans>) -> ComparisonSums {
    let Comparison { old, new, incomplete, header_changed, .. } = comparison;
    let all = old.records + new.records;
    let by_content = old.without_id + new.without_id + old.repeated_id + new.repeated_id;
    let join = |of, by| paths(fields, of).collect::<Vec<_>>().join(by);
    let (mut name, parts) = (join(Use::Id, " or "), join(Use::IdPart, " and "));
    if !parts.is_empty() {
        name = format!("{name}, together with {parts}");
    }
    let matched_by = if by_content >= all - old.unread - new.unread {
        "by content".to_owned()
    } else if by_content > 0 {
        format!("by {name}, and records without an id of their own by content")
    } else {
        format!("by {name}")
    };
    ComparisonSums {
        incomplete,
        matched_by,
        header_changed,
        unchanged: comparison.unchanged,
        rewritten: comparison.rewritten,
        unexamined: comparison.unexamined,
        changed: comparison.changed,
        added: comparison.added,
        removed: comparison.removed,
        means,
    }
}

impl Compared {
    /// Records `from..from + count` (from 0, at most 50) that differ in this way, or in any way: first those that changed, then
    /// those that were added, then those that were removed.
    ///
    /// # Errors
    /// Those of the sources, if a file was removed or changed.
    pub fn page<S: Read + Seek>(
        &mut self,
        sources: &mut [S; 2],
        kind: Option<DifferenceKind>,
        from: u64,
        count: u32,
    ) -> io::Result<Vec<Difference>> {
        let is_wanted = |of: DifferenceKind| kind.is_none_or(|kind| kind == of);
        let changed =
            (0..self.changed.len()).filter(|_| is_wanted(DifferenceKind::Changed)).map(Item::Changed);
        let one = |version: usize, kind: DifferenceKind| {
            let numbers = self.only[version].iter().filter(move |_| is_wanted(kind));
            numbers.map(move |number| Item::Only(version, *number))
        };
        let items = changed.chain(one(1, DifferenceKind::Added)).chain(one(0, DifferenceKind::Removed));
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let items: Vec<Item> = items.skip(from).take(count.min(MOST) as usize).collect();
        items.into_iter().map(|item| self.difference(sources, item)).collect()
    }

    fn difference<S: Read + Seek>(&mut self, sources: &mut [S; 2], item: Item) -> io::Result<Difference> {
        let [old_check, new_check] = &mut self.checks;
        let [old_source, new_source] = sources;
        Ok(match item {
            Item::Only(0, number) => Difference {
                old: Some(row(old_check, old_source, number)?),
                new: None,
                fields: Vec::new(),
                other_fields: 0,
            },
            Item::Only(_, number) => Difference {
                old: None,
                new: Some(row(new_check, new_source, number)?),
                fields: Vec::new(),
                other_fields: 0,
            },
            Item::Changed(index) => {
                let ([old, new], paths) = &self.changed[index];
                let texts = [text(old_check, old_source, *old)?, text(new_check, new_source, *new)?];
                let (fields, other_fields) = match &texts {
                    [Some(old), Some(new)] => fields([old, new], [old_check, new_check]),
                    // Records that are too long to be shown.
                    _ => named(paths),
                };
                Difference {
                    old: Some(row(old_check, old_source, *old)?),
                    new: Some(row(new_check, new_source, *new)?),
                    fields,
                    other_fields,
                }
            }
        })
    }
}

/// A record of the list.
#[derive(Debug, Clone, Copy)]
enum Item {
    /// The index of a changed record.
    Changed(usize),
    /// The only version that has the record, and its number there.
    Only(usize, u32),
}

/// The text of a record; `None` if not all of it can be shown.
fn text<R: Read + Seek>(check: &mut Check, source: &mut R, number: u32) -> io::Result<Option<RecordText>> {
    let record = check.view(source).record_of_number(number.into(), None)?;
    Ok(record.filter(|record| record.source.before == 0 && record.source.after == 0).map(|record| {
        RecordText {
            wanted: Wanted { number, pair: Wanted::UNMATCHED },
            line: record.line,
            bytes: record.source.text.into_bytes(),
        }
    }))
}

/// Paths without values.
fn named(paths: &[String]) -> (Vec<ChangedField>, u64) {
    let field = |path: &String| ChangedField { path: path.clone(), old: None, new: None };
    (paths.iter().take(FIELDS).map(field).collect(), paths.len().saturating_sub(FIELDS) as u64)
}

/// The first places at which two texts of a record differ, and the number of others.
fn fields(texts: [&RecordText; 2], checks: [&Check; 2]) -> (Vec<ChangedField>, u64) {
    let [old, new] = texts;
    let parsed =
        [parse(old, checks[0].table().map(AsRef::as_ref)), parse(new, checks[1].table().map(AsRef::as_ref))];
    let [Some(of_old), Some(of_new)] = &parsed else {
        let [old, new] = texts.map(|text| Some(String::from_utf8_lossy(&text.bytes).into_owned()));
        let (old, new) = around(old, new);
        return (vec![ChangedField { path: String::new(), old, new }], 0);
    };
    let (mut fields, mut others) = (Vec::new(), 0);
    let mut each = |difference: ValueDifference<'_, '_, '_>| {
        if fields.len() == FIELDS {
            others += 1;
            return;
        }
        // As long as the longest text of a record that is shown.
        let text = |value: Option<Located<'_, '_>>| value.map(|value| beginning(value.value, 128 << 10));
        let (old, new) = around(text(difference.old), text(difference.new));
        fields.push(ChangedField { path: written(difference.path, false), old, new });
    };
    let located = |value, text| Located { value, bytes: text };
    differ(
        located(&of_old.value, &old.bytes),
        located(&of_new.value, &new.bytes),
        &mut Vec::new(),
        &mut each,
    );
    (fields, others)
}

/// Both texts, clipped around their first difference.
fn around(old: Option<String>, new: Option<String>) -> (Option<String>, Option<String>) {
    let same = match (&old, &new) {
        (Some(old), Some(new)) => old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count(),
        _ => 0,
    };
    // A few characters take no more room than an ellipsis.
    let skipped = if same > CHARS_BEFORE + 1 { same - CHARS_BEFORE } else { 0 };
    let cut = |text: String| {
        let rest: String = text.chars().skip(skipped).take(VALUE_CHARS + 1).collect();
        let ellipsis = if skipped > 0 { "…" } else { "" };
        format!("{ellipsis}{}", clip(&rest, VALUE_CHARS))
    };
    (old.map(cut), new.map(cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_clipped_around_their_first_difference() {
        let of = |old: &str, new: &str| around(Some(old.to_owned()), Some(new.to_owned()));
        let long = "é".repeat(500);
        let (old, new) = of(&format!("{long}a"), &format!("{long}b{long}"));
        assert_eq!(old, Some(format!("…{}a", "é".repeat(CHARS_BEFORE))));
        let rest = VALUE_CHARS - CHARS_BEFORE - 1;
        assert_eq!(new, Some(format!("…{}b{}…", "é".repeat(CHARS_BEFORE), "é".repeat(rest))));
        assert_eq!(of("same 1", "same 2"), (Some("same 1".to_owned()), Some("same 2".to_owned())));
        assert_eq!(around(Some(long), None).0, Some(format!("{}…", "é".repeat(VALUE_CHARS))));
    }
}
