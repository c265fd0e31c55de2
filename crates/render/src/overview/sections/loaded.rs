//! The records as the system loads them, in sections and in a sentence.

use evalcheck_report::overview::{LoadedDifference, LoadedFacts};
use evalcheck_report::text::{counted, grouped};
use evalcheck_report::view::ChangeKind;

use super::{Cell, Content, Row, Section, named, share, table, with_left_out};

/// The most differences that are listed.
const MOST_DIFFERENCES: usize = 30;

/// The most differences that the sentence names.
const MOST_IN_SENTENCE: usize = 3;

/// The records by what the system makes of them.
pub(super) fn as_loaded(loaded: &LoadedFacts) -> Section {
    let LoadedFacts { same, different, dropped, refused, .. } = *loaded;
    let rows = [("unchanged", same), ("changed", different), ("skipped", dropped), ("rejected", refused)];
    let row = |(label, count): (&str, u64)| Row { label: label.to_owned(), count, query: None };
    let content = Content::Bars { rows: rows.map(row).into(), total: loaded.records() };
    Section { heading: "As loaded".to_owned(), content, notes: Vec::new() }
}

/// The differences between the records that the system holds and the file.
pub(super) fn differences(loaded: &LoadedFacts) -> Option<Section> {
    let held = loaded.same + loaded.different;
    let listed = &loaded.differences[..loaded.differences.len().min(MOST_DIFFERENCES)];
    let row = |of: &LoadedDifference| {
        let cells = [named(&of.path), done(of.kind).to_owned(), grouped(of.records), share(of.records, held)];
        cells.map(Cell::from).into()
    };
    let titles = ["what", "records", "share"];
    let mut section = table("Differs as loaded".to_owned(), &titles, listed.iter().map(row).collect())?;
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for LoadedDifference { path, why, .. } in listed {
        match reasons.iter_mut().find(|(reason, _)| reason == why) {
            Some((_, paths)) => paths.push(named(path)),
            None => reasons.push((why, vec![named(path)])),
        }
    }
    section.notes.extend(reasons.into_iter().map(|(why, paths)| format!("{}: {why}", paths.join(", "))));
    let left_out = loaded.differences.len() - listed.len();
    let mut section = with_left_out(Some(section), left_out, "difference");
    if let Some(section) = section.as_mut().filter(|_| loaded.others > 0) {
        section.notes.push(format!("and further differences in {}", counted(loaded.others, "record")));
    }
    section
}

/// The participle for the change of a value by the system.
const fn done(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Removed => "dropped",
    }
}

/// A sentence about the records as the system loads them, with the most frequent differences.
///
/// ```
/// use evalcheck_render::overview::sections::loaded_sentence;
/// use evalcheck_report::overview::{LoadedDifference, LoadedFacts};
/// use evalcheck_report::view::ChangeKind;
///
/// let mut loaded = LoadedFacts { same: 3, ..LoadedFacts::default() };
/// assert_eq!(loaded_sentence(&loaded, "Evret"), "Evret holds all records as they are in the file.");
/// loaded.different = 150;
/// loaded.differences.push(LoadedDifference {
///     kind: ChangeKind::Removed, path: "owner".into(), why: "It is not known.".into(), records: 150,
/// });
/// let sentence = loaded_sentence(&loaded, "Evret");
/// assert_eq!(sentence, "As Evret loads it, 150 of 153 records differ from the file: owner is dropped in 150.");
/// ```
pub fn loaded_sentence(loaded: &LoadedFacts, system: &str) -> String {
    let LoadedFacts { different, dropped, refused, .. } = *loaded;
    let all = loaded.records();
    if refused == all && all > 0 {
        return format!("{system} rejects all records.");
    }
    let mut sentences = Vec::new();
    if different > 0 {
        let most = loaded.differences.iter().take(MOST_IN_SENTENCE);
        let most =
            most.map(|of| format!("{} is {} in {}", named(&of.path), done(of.kind), grouped(of.records)));
        let mut most: Vec<String> = most.collect();
        if loaded.differences.len() > MOST_IN_SENTENCE {
            most.push("and more".to_owned());
        }
        let (different, records) = (grouped(different), counted(all, "record"));
        sentences.push(format!(
            "As {system} loads it, {different} of {records} differ from the file: {}.",
            most.join(", ")
        ));
    }
    if dropped > 0 {
        sentences.push(format!("{system} skips {}.", counted(dropped, "record")));
    }
    if refused > 0 {
        sentences.push(format!("{system} rejects {}.", counted(refused, "record")));
    }
    if sentences.is_empty() {
        sentences.push(format!("{system} holds all records as they are in the file."));
    }
    sentences.join(" ")
}
