//! A check that is cut into parts gives the report of the whole file, however it is cut and however the parts are merged.

use crate::support::Choices;
use crate::support::lines::{
    Counting, FORMATS, assert_same_after, dataset, golden, golden_lines, open, options, random_datasets, seen,
};
use crate::support::suite::rounds;
use evalcheck_engine::ahead::{AheadOfCheck, Wanted};
use evalcheck_engine::check::known_lines::OtherLines;
use evalcheck_engine::parts::{Part, PartProblem, PartScanner, plan};
use evalcheck_wire::plan::{Plan, PlannedDataset};
use evalcheck_wire::worker::CheckOptions;

fn planned(data: &[u8], options: &CheckOptions) -> PlannedDataset {
    plan(&open(data, options), "data.jsonl", None, options, 1000).dataset
}

/// The part of a range, read `most` bytes at once, written and read again.
fn part(data: &[u8], dataset: &PlannedDataset, range: (u64, u64), most: usize) -> Part {
    let mut scanner = PartScanner::new(dataset, range, 1).unwrap();
    let mut source = data;
    while scanner.read_piece(&mut source, most).unwrap() {}
    let part = scanner.finish();
    let read = Part::from_bytes(&part.to_bytes()).unwrap();
    assert_eq!(read, part);
    read
}

/// Compares the check of a file with one that gets the part of the whole file, see [`assert_same_after`].
fn assert_same(data: &[u8], whole: Part, options: &CheckOptions, what: &str) -> usize {
    let check = open(data, options);
    whole.check_plan(&check).unwrap();
    assert_same_after(whole.into_found(), check, data, options, what)
}

/// Merges parts in a random order of merges.
fn merge(mut parts: Vec<Part>, choices: &mut Choices) -> Part {
    while parts.len() > 1 {
        let at = choices.below(parts.len() - 1);
        let other = parts.remove(at + 1);
        let one = parts.remove(at);
        parts.insert(at, one.merge(other).unwrap());
    }
    parts.remove(0)
}

#[test]
fn golden_files_cut_at_any_byte() {
    for format in FORMATS {
        let options = options(format);
        for (path, data) in golden(format) {
            let dataset = planned(&data, &options);
            let size = data.len() as u64;
            // At every byte of the small ones, in the full suite.
            let step = if size < 200 { rounds(9, 1) } else { size / rounds(2, 6) };
            for cut in (0..=size).step_by(usize::try_from(step).unwrap()) {
                let [one, other] = [(0, cut), (cut, size)].map(|range| part(&data, &dataset, range, 1 << 16));
                let whole = one.merge(other).unwrap();
                assert_same(&data, whole, &options, &format!("{} cut at {cut}", path.display()));
            }
        }
    }
}

#[test]
fn random_datasets_in_any_tree_of_merges() {
    random_datasets(rounds(40, 80), |data, options, choices, what| {
        let planned = planned(data, options);
        let mut cuts: Vec<u64> = (0..choices.below(9)).map(|_| choices.below(data.len()) as u64).collect();
        cuts.extend([0, data.len() as u64]);
        cuts.sort_unstable();
        let ranges = cuts.windows(2).map(|cut| (cut[0], cut[1]));
        let most = [7, 100, 1 << 16][choices.below(3)];
        let parts: Vec<Part> = ranges.map(|range| part(data, &planned, range, most)).collect();
        let whole = merge(parts.clone(), choices);
        assert_eq!(Part::whole(parts).unwrap(), whole, "{what}");
        (assert_same(data, whole, options, what), data.len())
    });
}

/// Checks a file whose lines that are not clean came with its parts. Returns the number of bytes that were read of the file nevertheless.
fn read_beside(
    data: &[u8],
    dataset: &PlannedDataset,
    range: u64,
    options: &CheckOptions,
    what: &str,
) -> usize {
    let mut expected = open(data, options);
    expected.read_all(data, 1 << 16);
    let mut check = open(data, options);
    let mut source = Counting { data, read: 0 };
    for range in Plan::cut(data.len() as u64, range) {
        let mut scanner = PartScanner::new(dataset, range, 200).unwrap().with_others(1 << 16);
        while scanner.read_piece(&mut &*data, 1 << 16).unwrap() {}
        let mut others = OtherLines::from_bytes(scanner.take_others().into_bytes()).unwrap();
        let mut ahead = AheadOfCheck::new(scanner.finish().into_found(), 200);
        while let Some(wanted) = check.next_range().filter(|wanted| wanted.start < range.1) {
            let most = usize::try_from(range.1 - wanted.start).unwrap();
            let Wanted::Bytes(most) = ahead.pass_over(&mut check, most) else { continue };
            if others.has(wanted.start) {
                check.read_piece(&mut others, most);
            } else {
                check.read_piece(&mut source, most);
            }
        }
    }
    assert_eq!(seen(check, data), seen(expected, data), "{what}");
    source.read
}

#[test]
fn lines_that_come_with_a_part_are_read_like_those_of_the_file() {
    let mut choices = Choices::new(1);
    for format in FORMATS {
        let files = golden(format);
        let lines = golden_lines(&files);
        let (mut read, mut bytes) = (0, 0);
        for seed in 0..rounds(40, 200) {
            let data = dataset(format, &lines, &mut choices);
            let options = options(format);
            let range = [200, 5_000, 20_000, 20_000][choices.below(4)];
            let what = format!("{format}, seed {seed}");
            read += read_beside(&data, &planned(&data, &options), range, &options, &what);
            bytes += data.len();
        }
        // A dataset that cannot be cut is read whole.
        assert!(read < bytes * 4 / 5, "{format}: {read} of {bytes} bytes");
    }
}

const RECORD: &str = "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n";

#[test]
fn parts_that_do_not_fit_are_refused() {
    let data = RECORD.repeat(10);
    let data = data.as_bytes();
    let size = data.len() as u64;
    let dataset = planned(data, &CheckOptions::default());
    let of = |range| part(data, &dataset, range, 100);
    let (one, other) = (of((0, 100)), of((100, size)));
    assert_eq!(Part::whole(Vec::new()), Err(PartProblem::None));
    assert_eq!(Part::whole(vec![one.clone()]), Err(PartProblem::Missing { start: 100, end: size }));
    assert_eq!(Part::whole(vec![other.clone()]), Err(PartProblem::Missing { start: 0, end: 100 }));
    assert_eq!(
        one.clone().merge(of((90, size))),
        Err(PartProblem::Overlap { one: (0, 100), other: (90, size) })
    );
    assert_eq!(one.clone().merge(of((101, size))), Err(PartProblem::Missing { start: 100, end: 101 }));
    let changed = PlannedDataset { state: Some("later".to_owned()), ..dataset.clone() };
    let of_changed = part(data, &changed, (100, size), 100);
    let refused = one.clone().merge(of_changed);
    assert_eq!(refused, Err(PartProblem::OtherDataset { one: (0, 100), other: (100, size) }));
    // The part of no bytes changes nothing.
    let empty = |at| Part::unread(dataset.clone(), (at, at));
    assert_eq!(empty(0).merge(one.clone()).unwrap().merge(empty(100)), Ok(one.clone()));
    // Another file.
    let whole = Part::whole(vec![other, one]).unwrap();
    let longer = RECORD.repeat(11);
    let check = open(longer.as_bytes(), &CheckOptions::default());
    let planned = PartProblem::OtherSize { found: longer.len() as u64, planned: size };
    assert_eq!(whole.check_plan(&check), Err(planned));
    let check = open(data, &options("eee-instance"));
    assert_eq!(whole.check_plan(&check), Err(PartProblem::OtherLines));
    let out = PartScanner::new(&dataset, (5, size + 1), 1).err();
    assert_eq!(out, Some(PartProblem::Range { range: (5, size + 1), size }));
    let of_other = PlannedDataset { evalcheck: "0.0.1".to_owned(), ..dataset.clone() };
    assert!(matches!(PartScanner::new(&of_other, (0, 5), 1).err(), Some(PartProblem::OtherEvalcheck { .. })));
}

#[test]
fn damaged_parts_are_refused() {
    let data = golden("eee-instance").into_iter().map(|(_, data)| data).max_by_key(Vec::len).unwrap();
    let dataset = planned(&data, &options("eee-instance"));
    let bytes = part(&data, &dataset, (0, data.len() as u64), 1000).to_bytes();
    for end in 0..bytes.len() {
        assert!(Part::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(Part::from_bytes(&changed).is_err(), "changed at {at}");
    }
    let later = [b"evalcheck-part/3\n", &bytes[17..]].concat();
    let refused = Part::from_bytes(&later).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "it is of the version evalcheck-part/3, and this version of evalcheck reads evalcheck-part/2"
    );
}

/// A dataset that cannot be cut: a part has no lines, and all is read.
#[test]
fn other_layouts_are_one_range() {
    let data = [&b"system,prompt,response\r\n"[..], &b"a,b,c\r\n".repeat(100)].concat();
    let options = CheckOptions { format: Some("tencent-manual".to_owned()), ..CheckOptions::default() };
    let plan = plan(&open(&data, &options), "data.csv", None, &options, 10);
    assert_eq!(plan.dataset.lines, None);
    assert_eq!(plan.ranges, [(0, data.len() as u64)]);
    let whole = part(&data, &plan.dataset, plan.ranges[0], 10);
    assert_eq!(assert_same(&data, whole, &options, "a CSV"), 0);
}

#[test]
fn a_line_that_is_longer_than_ranges_belongs_to_the_first() {
    let long = RECORD.replace("Hi", &"Hi ".repeat(1000));
    let data = [RECORD, &long, RECORD, RECORD].concat();
    let data = data.as_bytes();
    let dataset = planned(data, &CheckOptions::default());
    let ranges = Plan::cut(data.len() as u64, 100);
    assert!(ranges.len() > 20);
    let parts: Vec<Part> = ranges.iter().map(|range| part(data, &dataset, *range, 64)).collect();
    let found: Vec<u64> =
        parts.iter().map(|part| part.clone().into_found().map(|found| found.lines().lines).sum()).collect();
    assert_eq!(found.iter().sum::<u64>(), 3, "the first line of the file is read");
    assert!(found[2..found.len() - 3].iter().all(|lines| *lines == 0), "{found:?}");
    let skipped = assert_same(data, Part::whole(parts).unwrap(), &CheckOptions::default(), "a long line");
    assert!(skipped >= long.len());
}
