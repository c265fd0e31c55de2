//! The changes of a dataset by rounds of fixes: by records, as pieces, and taken back.

use std::io::{Cursor, Read};
use std::rc::Rc;

use crate::support::cases::{Input, inputs};
use evalcheck_engine::changed::ChangedRecords;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::fix::{Changes, EditPlan, Rounds, Selection, write_fixed};
use evalcheck_engine::search::{Regexes, Search};
use evalcheck_report::Fix;
use evalcheck_report::view::{ChangedPlace, Piece};
use evalcheck_wire::query::Query;
use evalcheck_wire::worker::CheckOptions;

fn checked(data: &[u8], name: &str, changes: Changes) -> Check {
    let options = CheckOptions { all: true, ..CheckOptions::default() };
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    check.observe(ChangedRecords::new(Rc::new(changes)));
    while check.read_piece(&mut &*data, 1 << 16) {}
    check
}

fn changes_of(check: &Check) -> Option<&Changes> {
    check.observer().map(ChangedRecords::changes)
}

fn rewritten(data: &[u8], plan: &mut EditPlan, entry: Option<&str>) -> Option<Vec<u8>> {
    let (mut new, mut scratch) = (Vec::new(), Cursor::new(Vec::new()));
    write_fixed(plan, |_| None, entry, &mut Cursor::new(data), &mut new, &mut scratch).ok().map(|()| new)
}

/// The bytes of the dataset of a file.
fn dataset(check: &Check, data: &[u8]) -> Vec<u8> {
    let entry = check.report().file.entry;
    let read = |source: &mut dyn Read| {
        let mut out = Vec::new();
        source.read_to_end(&mut out).map(|_| out)
    };
    evalcheck_engine::archive::read_dataset(&mut Cursor::new(data), entry.as_deref(), read).unwrap()
}

/// A file that was fixed.
struct Fixed {
    data: Vec<u8>,
    check: Check,
}

/// Applies all fixes; `None` if there are none, or the file is converted.
fn fixed(original: &[u8], name: &str) -> Option<Fixed> {
    let selection = Selection { not_safe: true, ..Selection::default() };
    let mut data = original.to_vec();
    let mut check = checked(&data, name, Changes::default());
    let mut rounds = Rounds::default();
    while let Some(mut plan) = rounds.next(EditPlan::of_report(&check.report(), &selection)?) {
        if plan.conversion().is_some() {
            return None;
        }
        data = rewritten(&data, &mut plan, check.report().file.entry.as_deref())?;
        check = checked(&data, name, changes_of(&check)?.then(&mut plan).unwrap());
    }
    (rounds.count() > 0).then_some(Fixed { data, check })
}

/// All places with changes.
fn places(fixed: &mut Fixed, original: &[u8], name: &str) -> Vec<ChangedPlace> {
    let mut before = checked(original, name, Changes::default());
    let mut source = Cursor::new(original);
    let mut places = Vec::new();
    loop {
        let mut view = before.view(&mut source);
        let mut now = Cursor::new(&fixed.data);
        let list = fixed.check.view(&mut now).changes(&mut view, places.len() as u64, 3).unwrap();
        if list.places.is_empty() {
            assert_eq!(list.total, places.len() as u64);
            return places;
        }
        places.extend(list.places);
    }
}

/// Takes back the changes of a place.
fn take_back(fixed: Fixed, original: &[u8], name: &str, number: u64) -> Option<Fixed> {
    let Fixed { data, mut check } = fixed;
    let mut before = checked(original, name, Changes::default());
    let mut source = Cursor::new(original);
    let mut view = before.view(&mut source);
    let taken_back = check.view(&mut Cursor::new(&data)).taking_back(&mut view, number).ok()?;
    let (edits, changes) = taken_back.unwrap();
    let mut plan = EditPlan::default();
    assert!(plan.add(&Fix::safe("", edits)));
    let data = rewritten(&data, &mut plan, check.report().file.entry.as_deref())?;
    let left = changes_of(&check)?.without(changes);
    Some(Fixed { check: checked(&data, name, left), data })
}

#[test]
fn changes_taken_back_one_by_one_leave_the_original() {
    let (mut datasets, mut taken, mut in_records) = (0, 0, 0);
    for Input { name, path, data: original, .. } in inputs() {
        let name = &*name;
        let Some(mut fixed) = fixed(&original, name) else { continue };
        let (was, now) = (
            dataset(&checked(&original, name, Changes::default()), &original),
            dataset(&fixed.check, &fixed.data),
        );
        let all = places(&mut fixed, &original, name);
        assert_eq!(was == now, all.is_empty(), "{}", path.display());
        let records = fixed.check.report().counts.records;
        in_records += all.iter().filter(|place| place.record.is_some() && !place.is_before).count();
        assert!(
            all.iter().all(|place| place.record.is_none_or(|record| record <= records)),
            "{}",
            path.display()
        );
        for piece in all.iter().flat_map(|place| &place.diff) {
            let (Piece::Removed(text) | Piece::Added(text) | Piece::Kept(text)) = piece;
            assert!(!text.is_empty());
        }
        // Every second place first, so that places before and after those that are taken back move.
        let mut left = Some(fixed);
        for number in (0..all.len()).rev().filter(|number| number % 2 == 1) {
            left = left.and_then(|fixed| take_back(fixed, &original, name, number as u64));
            taken += 1;
        }
        // Removed text is back, so that two places can have become one.
        while left
            .as_ref()
            .is_some_and(|fixed| changes_of(&fixed.check).is_some_and(|changes| !changes.all().is_empty()))
        {
            left = left.and_then(|fixed| take_back(fixed, &original, name, 0));
            taken += 1;
        }
        // Text that is not UTF-8 cannot be taken back alone.
        let Some(left) = left else {
            assert!(std::str::from_utf8(&was).is_err(), "{}", path.display());
            continue;
        };
        assert_eq!(dataset(&left.check, &left.data), was, "{}", path.display());
        datasets += 1;
    }
    assert!(
        datasets > 200 && taken > 500 && in_records > 500,
        "{datasets} datasets, {taken} places, {in_records} records"
    );
}

#[test]
fn a_place_has_the_changes_of_its_record() {
    let line = |role: &str| {
        format!("{{\"input\":{{\"messages\":[{{\"role\":\"{role}\",\"content\":\"Hi\"}},]}}}}\n")
    };
    let original = [line("user"), line("user").replace(",]", "]"), line("user")].concat();
    let mut fixed = fixed(original.as_bytes(), "a.jsonl").unwrap();
    let places = places(&mut fixed, original.as_bytes(), "a.jsonl");
    let of = |place: &ChangedPlace| (place.record, place.line, place.is_before, place.is_unsafe);
    assert_eq!(
        places.iter().map(of).collect::<Vec<_>>(),
        [(Some(0), Some(1), false, false), (Some(2), Some(3), false, false)]
    );
    let is_comma = |piece: &Piece| *piece == Piece::Removed(",".to_owned());
    assert!(places.iter().all(|place| place.diff.iter().any(is_comma)), "{places:?}");

    // They can be searched.
    let query = Query::parse("is:changed", &[]).unwrap();
    let mut check = Check::open(
        &mut Cursor::new(&fixed.data),
        FileInfo { name: "a.jsonl".to_owned(), size: fixed.data.len() as u64 },
        CheckOptions::default(),
    );
    let no_regexes: Regexes = |_, _| Err("no regular expressions".to_owned());
    let mut search = Search::new(&query, check.dataset().format, no_regexes).unwrap().keep_hits();
    search.note_changed(fixed.check.observer::<ChangedRecords>().unwrap().records());
    check.observe(search);
    while check.read_piece(&mut &*fixed.data, 1 << 16) {}
    assert_eq!(
        check.observer_mut().map(Search::take_hits).unwrap().iter().map(|hit| hit.record).collect::<Vec<_>>(),
        [0, 2]
    );
}
